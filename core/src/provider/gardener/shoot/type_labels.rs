//! Labels of types: the admission plug-in ExtensionLabels labels a Shoot with the types that it names, before
//! anybody judges its labels (GDN-META-023).

use super::Check;
use crate::document::{Path, Value};
use crate::kube::names::qualified_faults;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::metadata as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

const SPEC: Path<'_> = Path::root("spec", "/spec");
const UNMANAGED: &str = "unmanaged";

/// Judges what becomes a label of a Shoot that a person sends. Other rules judge the types of extensions and of the
/// network, and the empty type of a provider or a container runtime.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    if !check.request.is_sent() || check.is_deleted() {
        return;
    }
    let (shoot, provider) = (check.shoot, SPEC.key("provider"));
    let workers = provider.key("workers");
    for (index, pool) in check.workers().iter().enumerate() {
        let path = workers.index(index);
        let cri = path.key("cri");
        let runtimes = cri.renamed("containerRuntimes", "containerruntimes");
        for (index, runtime) in items(pool, &["cri", "containerRuntimes"]).iter().enumerate() {
            filled("containerruntime", text(runtime, &["type"]), &runtimes.index(index).key("type"), report);
        }
        if let Some(image) = pool.at(&["machine", "image"]) {
            let machine = path.key("machine");
            let path = machine.key("image");
            label("operatingsystemconfig", text(image, &["name"]), &path.key("name"), report);
        }
    }
    let dns = SPEC.key("dns");
    let providers = dns.key("providers");
    for (index, provider) in items(shoot, &["spec", "dns", "providers"]).iter().enumerate() {
        if let Some(of) = provider.get("type").and_then(Value::as_str)
            && of != UNMANAGED
        {
            label("dnsrecord", of, &providers.index(index).key("type"), report);
        }
    }
    filled("provider", text(shoot, &["spec", "provider", "type"]), &provider.key("type"), report);
}

fn filled(kind: &str, of: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if !of.is_empty() {
        label(kind, of, path, report);
    }
}

/// Judges the label of a type: its key begins with the kind of extension.
fn label(kind: &str, of: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let key = join(&[kind, ".extensions.gardener.cloud/", of], "");
    if let Some(fault) = qualified_faults(&key).into_iter().next() {
        let detail = join(&["Gardener makes the label `", &key, "` of it: ", &fault], "");
        report.error(&rules::GDN_META_023, path, ErrorType::Invalid, detail);
    }
}
