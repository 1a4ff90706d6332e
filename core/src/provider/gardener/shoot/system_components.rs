//! What runs in a Shoot for the Shoot itself (GDN-SYS).

use super::Check;
use crate::document::Path;
use crate::kube::names::subdomain_faults;
use crate::provider::gardener::fields::{items, supported, text, texts};
use crate::provider::gardener::rules::spec as rules;
use crate::report::{ErrorType, Report};

const SYSTEM_COMPONENTS: Path<'_> = Path::root("spec.systemComponents", "/spec/systemComponents");

/// Judges the system components.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(components) = check.shoot.at(&["spec", "systemComponents"]) else { return };
    if check.workers().is_empty() {
        check.forbid_without_workers(&rules::GDN_SYS_001, &SYSTEM_COMPONENTS, report);
        return;
    }
    let dns = SYSTEM_COMPONENTS.key("coreDNS");
    let mode = text(components, &["coreDNS", "autoscaling", "mode"]);
    let modes = ["cluster-proportional", "horizontal"];
    if components.at(&["coreDNS", "autoscaling"]).is_some() && !modes.contains(&mode) {
        let autoscaling = dns.key("autoscaling");
        let detail = supported(modes.into_iter());
        report.error(&rules::GDN_SYS_002, &autoscaling.key("mode"), ErrorType::NotSupported, detail);
    }
    let rewriting = dns.key("rewriting");
    let all = rewriting.key("commonSuffixes");
    let mut seen: Vec<&str> = Vec::new();
    let suffixes = items(components, &["coreDNS", "rewriting", "commonSuffixes"]);
    for (index, suffix) in texts(suffixes).enumerate() {
        let path = all.index(index);
        let bare = suffix.strip_prefix('.').unwrap_or(suffix);
        if !bare.contains('.') {
            let detail = "must contain at least one non-leading dot ('.')";
            report.error(&rules::GDN_SYS_003, &path, ErrorType::Invalid, detail);
        }
        if seen.contains(&bare) {
            report.error(&rules::GDN_SYS_004, &path, ErrorType::Duplicate, "").fix_removal_from(suffixes);
        }
        seen.push(bare);
        if !subdomain_faults(bare.strip_suffix('.').unwrap_or(bare)).is_empty() {
            report.error(&rules::GDN_SYS_005, &path, ErrorType::Invalid, "must be a valid DNS subdomain");
        }
    }
}
