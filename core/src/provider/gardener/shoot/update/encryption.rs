//! How the encryption of what etcd keeps may change (GDN-UPD-070 to 073).

use super::Change;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::control_plane::encryption;
use crate::report::{ErrorType, Report};

const CONFIG: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "encryptionConfig"];
const PATH: Path<'_> = Path::root(
    "spec.kubernetes.kubeAPIServer.encryptionConfig",
    "/spec/kubernetes/kubeAPIServer/encryptionConfig",
);

/// Judges the change of the encryption.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let (before, after) = change.at(CONFIG);
    let provider = |config: Option<&'_ Value<'_>>| {
        config.map(|config| text(config, &["provider", "type"])).unwrap_or_default().to_owned()
    };
    if resources(before) != resources(after) {
        judge_resources(change, before, &provider(before), report);
    }
    if provider(before) != provider(after) {
        if change.check.garden.is_from(144) {
            judge_type(change, (before, after), report);
        } else {
            let path = PATH.key("provider");
            restored(&rules::GDN_UPD_073, &path.key("type"), change.old, report);
        }
    }
}

/// Judges other resources than `before`.
fn judge_resources(change: &Change<'_>, before: Option<&Value<'_>>, provider: &str, report: &mut Report<'_>) {
    let path = PATH.key("resources");
    let credentials = change.check.status().and_then(|status| status.get("credentials"));
    let phase = credentials.map(|credentials| text(credentials, &["rotation", "etcdEncryptionKey", "phase"]));
    if !matches!(phase.unwrap_or_default(), "" | "Completed") {
        let detail = "resources cannot be changed when .status.credentials.rotation.etcdEncryptionKey.phase is not \
                      \"Completed\"";
        report.error(&rules::GDN_UPD_070, &path, ErrorType::Forbidden, detail);
    }
    let current = credentials.and_then(|credentials| credentials.get("encryptionAtRest"));
    let of_current = current.map(|current| text(current, &["provider", "type"])).unwrap_or_default();
    if change.check.is_update_of_manifest() && current.is_none() {
        let why = "the old manifest does not say what is encrypted now, and Gardener refuses another change until it is done with one";
        report.undecided(&rules::GDN_UPD_071, why, None);
    } else if resources(before) != resources(current) || provider != of_current {
        let detail = "resources cannot be changed because a previous encryption configuration change is currently being \
                      rolled out";
        report.error(&rules::GDN_UPD_071, &path, ErrorType::Forbidden, detail);
    }
    if flag(change.new, &["spec", "hibernation", "enabled"]) == Some(true) {
        let detail = "resources cannot be changed when shoot is in hibernation";
        report.error(&rules::GDN_UPD_072, &path, ErrorType::Forbidden, detail);
    }
}

/// Judges another type of encryption.
fn judge_type(
    change: &Change<'_>,
    (before, after): (Option<&Value<'_>>, Option<&Value<'_>>),
    report: &mut Report<'_>,
) {
    let path = PATH.key("provider");
    let path = path.key("type");
    let mut forbid = |rule, detail| {
        report.error(rule, &path, ErrorType::Forbidden, detail);
    };
    let status = change.check.status();
    if change.check.lacks_status() {
        let why = "the old manifest does not say whether Gardener is done with the last change, before which it refuses another one";
        report.undecided(&rules::GDN_UPD_074, why, None);
        return;
    }
    if !change.check.is_ready() {
        forbid(
            &rules::GDN_UPD_074,
            "provider type cannot be changed if resource was not yet created successfully or is not ready for reconciliation",
        );
    }
    let credentials = status.and_then(|status| status.get("credentials"));
    let phase = credentials.map(|credentials| text(credentials, &["rotation", "etcdEncryptionKey", "phase"]));
    if !matches!(phase.unwrap_or_default(), "" | "Completed") {
        forbid(
            &rules::GDN_UPD_075,
            "provider type cannot be changed when .status.credentials.rotation.etcdEncryptionKey.phase is not \"Completed\"",
        );
    }
    let current = credentials.and_then(|credentials| credentials.get("encryptionAtRest"));
    let type_of = |config: Option<&Value<'_>>| {
        config.map(|config| text(config, &["provider", "type"])).unwrap_or_default().to_owned()
    };
    if resources(before) != resources(current) || type_of(before) != type_of(current) {
        forbid(
            &rules::GDN_UPD_076,
            "provider type cannot be changed because a previous encryption configuration change is currently being rolled out",
        );
    }
    if flag(change.new, &["spec", "hibernation", "enabled"]) == Some(true) {
        forbid(&rules::GDN_UPD_077, "provider type cannot be changed when shoot is in hibernation");
    }
    if resources(before) != resources(after) {
        forbid(&rules::GDN_UPD_078, "provider type and resources cannot be changed simultaneously");
    }
}

/// The resources that a configuration names.
fn resources<'v>(config: Option<&'v Value<'_>>) -> Vec<&'v str> {
    encryption::resources(config.map(|config| items(config, &["resources"])).unwrap_or_default())
}
