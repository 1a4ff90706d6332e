//! The machines of a pool, and their container runtimes.

use crate::document::{Path, Value};
use crate::gardener::types::capabilities::ARCHITECTURES;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::workers as rules;
use crate::provider::gardener::shoot::{Check, one_of, type_labels};
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges type and image of the machines. An image that is still to be chosen from the profile is not missing.
pub fn judge(check: &Check<'_>, pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let machine = path.key("machine");
    let image = machine.key("image");
    let has_image = pool.at(&["machine", "image"]).is_some();
    if text(pool, &["machine", "type"]).is_empty() {
        report.error(
            &rules::GDN_WRK_003,
            &machine.key("type"),
            ErrorType::Required,
            "must specify a machine type",
        );
    }
    let name = text(pool, &["machine", "image", "name"]);
    if !name.is_empty() {
        type_labels::judge(check, "operatingsystemconfig", name, &image.key("name"), report);
    }
    let is_whole = ["name", "version"].iter().all(|key| !text(pool, &["machine", "image", key]).is_empty());
    let waits = !is_whole && check.waits_for_profile();
    // Gardener makes a label of the name before it chooses one (GDN-META-023).
    if has_image && name.is_empty() && (!waits || check.request.is_sent() && !check.is_deleted()) {
        let detail = "must specify a machine image name";
        report.error(&rules::GDN_WRK_005, &image.key("name"), ErrorType::Required, detail);
    }
    if waits {
        return;
    }
    if !has_image {
        report.error(&rules::GDN_WRK_004, &image, ErrorType::Required, "must specify a machine image");
        return;
    }
    if text(pool, &["machine", "image", "version"]).is_empty() {
        let detail = "must specify a machine image version";
        report.error(&rules::GDN_WRK_006, &image.key("version"), ErrorType::Required, detail);
    }
}

/// Judges container runtimes, and the architecture of the machines.
pub fn runtime(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let none = Value::Null;
    let cri = path.key("cri");
    let runtime = pool.at(&["cri"]).unwrap_or(&none);
    one_of(&rules::GDN_WRK_048, runtime, "name", &["containerd"], &cri, report);
    if matches!(runtime, Value::Object(_)) && runtime.get("name").is_none() {
        let detail = "supported values: \"containerd\"";
        report
            .error(&rules::GDN_WRK_048, &cri.key("name"), ErrorType::NotSupported, detail)
            .remedy("Set `cri.name` to `containerd`.");
    }
    let all = cri.renamed("containerRuntimes", "containerruntimes");
    let mut seen: Vec<&str> = Vec::new();
    for (index, runtime) in items(pool, &["cri", "containerRuntimes"]).iter().enumerate() {
        let (kind, entry) = (text(runtime, &["type"]), all.index(index));
        let at_type = entry.key("type");
        if kind.is_empty() {
            let detail = "must specify a container runtime type";
            report.error(&rules::GDN_WRK_049, &at_type, ErrorType::Required, detail);
        }
        if seen.contains(&kind) {
            report
                .error(&rules::GDN_WRK_050, &at_type, ErrorType::Duplicate, "")
                .remedy(join(&["Remove one of the container runtimes `", kind, "`."], ""));
        }
        seen.push(kind);
    }
    let machine = pool.at(&["machine"]).unwrap_or(&none);
    one_of(&rules::GDN_WRK_051, machine, "architecture", &ARCHITECTURES, &path.key("machine"), report);
}
