//! What the API server refuses of the metadata that a person sends, before it judges the object.

use super::fields::text;
use super::rules::metadata as rules;
use crate::document::Value;
use crate::report::Report;
use crate::text::join;

const UID: &[&str] = &["metadata", "uid"];
const VERSION: &[&str] = &["metadata", "resourceVersion"];

/// Judges the identity and the version that an object is sent with. On an update, `old` is the stored object.
pub fn judge(object: &Value<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) {
    let version = text(object, VERSION);
    let Some(old) = old else {
        if !version.is_empty() {
            let detail = "resourceVersion should not be set on objects to be created";
            report.deny(&rules::GDN_META_021, "/metadata/resourceVersion", detail).fix_removal();
        }
        return;
    };
    let (stored, sent) = (text(old, UID), text(object, UID));
    if !stored.is_empty() && !sent.is_empty() && stored != sent {
        let detail =
            join(&["Precondition failed: UID in precondition: ", sent, ", UID in object meta: ", stored], "");
        report
            .deny(&rules::GDN_META_022, "/metadata/uid", detail)
            .remedy("The stored object is another one of the same name: start from it, or remove `metadata.uid`.");
    }
    let stored = text(old, VERSION);
    if !stored.is_empty() && !version.is_empty() && stored != version {
        let detail = "the object has been modified; please apply your changes to the latest version and try again";
        report.deny(&rules::GDN_META_022, "/metadata/resourceVersion", detail).remedy(
            "Somebody changed the stored object since: start from it again, or remove `metadata.resourceVersion`.",
        );
    }
}
