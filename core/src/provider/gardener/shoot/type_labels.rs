//! Labels of types: the admission plug-in ExtensionLabels labels a Shoot with the types that it names, before it is
//! completed and judged (GDN-META-023). Other rules judge the types of extensions and of the network; a CloudProfile
//! has those of the provider and of container runtimes, or the Shoot is refused.

use super::Check;
use crate::document::Path;
use crate::kube::names::qualified_faults;
use crate::provider::gardener::rules::metadata as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges the label of a type, of a Shoot that a person sends: its key begins with the kind of extension.
pub fn judge(check: &Check<'_>, kind: &str, of: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if !check.request.is_sent() || check.is_deleted() {
        return;
    }
    let key = join(&[kind, ".extensions.gardener.cloud/", of], "");
    if let Some(fault) = qualified_faults(&key).first() {
        let detail = join(&["Gardener makes the label `", &key, "` of it: ", fault], "");
        report.error(&rules::GDN_META_023, path, ErrorType::Invalid, detail);
    }
}
