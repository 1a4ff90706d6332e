//! The addons of a Shoot (GDN-ADD).

use super::{Check, one_of};
use crate::document::{Path, Value};
use crate::kube::names::{config_key_faults, entries};
use crate::kube::ranges;
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{flag, items};
use crate::provider::gardener::rules::extensions as rules;
use crate::report::{ErrorType, Report};

const ADDONS: Path<'_> = Path::root("spec.addons", "/spec/addons");
const ENABLED: &[&str] = &["spec", "addons", "nginxIngress", "enabled"];

/// The most bytes that the values of the ingress controller's configuration may have.
const MOST_OF_CONFIGURATION: usize = 1 << 20;

/// Judges the addons.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(addons) = check.shoot.at(&["spec", "addons"]) else { return };
    if check.workers().is_empty() {
        let detail = "addons cannot be enabled for Workerless Shoot clusters";
        check.fix_workers(report.error(&rules::GDN_ADD_001, &ADDONS, ErrorType::Forbidden, detail));
        return;
    }
    if is_at_least(check.version(), 35) {
        let detail = "for Kubernetes versions >= 1.35, addons field is no longer supported";
        report.error(&rules::GDN_ADD_002, &ADDONS, ErrorType::Forbidden, detail).fix_removal();
        return;
    }
    let is_enabled = |addon: &&Value<'_>| flag(addon, &["enabled"]) == Some(true);
    let ingress = addons.get("nginxIngress").filter(is_enabled);
    let dashboard = addons.get("kubernetesDashboard").filter(is_enabled);
    let purpose = check.shoot.at(&["spec", "purpose"]).and_then(Value::as_str);
    if (ingress.is_some() || dashboard.is_some()) && purpose.is_some_and(|purpose| purpose != "evaluation") {
        let detail = "addons can only be enabled on shoots with .spec.purpose=evaluation";
        report.error(&rules::GDN_ADD_003, &ADDONS, ErrorType::Forbidden, detail);
    }
    if let Some(ingress) = ingress {
        ingress_controller(check, ingress, &ADDONS.key("nginxIngress"), report);
    }
    if let Some(dashboard) = dashboard {
        let path = ADDONS.key("kubernetesDashboard");
        one_of(&rules::GDN_ADD_009, dashboard, "authenticationMode", &["token"], &path, report);
    }
}

fn ingress_controller(check: &Check<'_>, ingress: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let was_enabled = check.old.is_some_and(|old| flag(old, ENABLED) == Some(true));
    if check.is_gate_on("DisableNginxIngressInShoot") && !was_enabled {
        let detail = "nginx ingress addon disallowed by landscape operator";
        let entry = report.error(&rules::GDN_ADD_004, &path.key("enabled"), ErrorType::Forbidden, detail);
        entry.fix_value(&Value::Bool(false));
    }
    let ranges_path = path.key("loadBalancerSourceRanges");
    for (index, range) in items(ingress, &["loadBalancerSourceRanges"]).iter().enumerate() {
        if let Some(fault) = ranges::fault(range.as_str().unwrap_or_default()) {
            let place = ranges_path.index(index);
            let entry = report.error(&rules::GDN_ADD_005, &place, ErrorType::Invalid, fault.detail);
            if let Some(meant) = fault.meant {
                entry.remedy(["Write `", &meant, "`."].concat()).fix_value(&Value::string(meant));
            }
        }
    }
    let configuration = entries(ingress.get("config"));
    let config_path = path.key("config");
    for (key, _) in &configuration {
        for fault in config_key_faults(key) {
            report.error(&rules::GDN_ADD_006, &config_path.entry(key), ErrorType::Invalid, fault).at_key();
        }
    }
    let size = |(_, value): &(&str, &Value<'_>)| value.as_str().map_or(0, str::len);
    if configuration.iter().map(size).sum::<usize>() > MOST_OF_CONFIGURATION {
        let detail = "may not be more than 1048576 bytes";
        report.error(&rules::GDN_ADD_007, &config_path, ErrorType::TooLong, detail);
    }
    one_of(&rules::GDN_ADD_008, ingress, "externalTrafficPolicy", &["Cluster", "Local"], path, report);
}
