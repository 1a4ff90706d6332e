//! Cloud NAT: its addresses and the ports of nodes (GCP-INF-023…029).

use super::RESOURCE_NAME;
use crate::document::Path;
use crate::provider::gcp::api::CloudNat;
use crate::provider::gcp::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule, Severity};

/// Judges Cloud NAT.
pub fn validate(nat: &CloudNat<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(names) = &nat.nat_ip_names {
        let path = path.key("natIPNames");
        if names.is_empty() {
            report
                .error(&rules::INF_023, &path, ErrorType::Invalid, "nat IP names cannot be empty.")
                .fix_removal();
        }
        for (index, address) in names.iter().enumerate() {
            if report.is_full(Severity::Error) {
                return;
            }
            report.text(&rules::INF_024, &path.index(index).key("name"), address.name, &RESOURCE_NAME);
        }
    }
    ports(nat, path, report);
}

fn ports(nat: &CloudNat<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (least, most) = (path.key("minPortsPerVM"), path.key("maxPortsPerVM"));
    if !nat.enable_dynamic_port_allocation {
        if nat.max_ports_per_vm.is_some() {
            let detail = "maxPortsPerVM are only configurable if dynamic port allocation is enabled.";
            report.error(&rules::INF_029, &most, ErrorType::Invalid, detail);
        }
        return;
    }
    if nat.endpoint_independent_mapping.is_some_and(|mapping| mapping.enabled) {
        let detail =
            "dynamic port allocation may not be enabled at the same time as endpoint independent mapping.";
        let path = path.key("enableDynamicPortAllocation");
        report.error(&rules::INF_025, &path, ErrorType::Invalid, detail);
    }
    let mut power = |rule: &'static Rule, ports: Option<i32>, path: &Path<'_>, detail: &'static str| {
        let Some(ports) = ports.filter(|ports| ports & ports.wrapping_sub(1) != 0) else { return };
        let entry = report.error(rule, path, ErrorType::Invalid, detail);
        // Node ports up to 65536 alone are of use; beyond, and below 1, nobody knows what was meant.
        if let Some(next) = u32::try_from(ports).ok().map(u32::next_power_of_two).filter(|next| *next <= 65_536) {
            entry.remedy(format!("Set a power of two, such as {} or {next}.", next / 2));
        }
    };
    power(&rules::INF_026, nat.max_ports_per_vm, &most, "maxPortsPerVM must be a power of two.");
    let detail = "minPortsPerVM must be a power of two if dynamic port allocation is enabled.";
    power(&rules::INF_027, nat.min_ports_per_vm, &least, detail);
    if let (Some(fewest), Some(limit)) = (nat.min_ports_per_vm, nat.max_ports_per_vm)
        && fewest > limit
    {
        let detail = "minPortsPerVM may not be greater than maxPortsPerVM.";
        report.error(&rules::INF_028, &least, ErrorType::Invalid, detail);
    }
}
