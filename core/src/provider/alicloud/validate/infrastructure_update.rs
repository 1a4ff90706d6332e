//! Changes of a Shoot's network (ALI-INFU).

use super::infrastructure::{DUAL_STACK, NETWORKS};
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::changed;
use crate::provider::alicloud::api::{InfrastructureConfig, Vpc, Zone};
use crate::provider::alicloud::rules::infrastructure_update as rules;
use crate::report::{ErrorType, Report};

/// Judges a change. ALI-INFU-009 and 010 have no code here: they forbid what ALI-INF-004 and 005 forbid.
pub fn validate(new: &InfrastructureConfig<'_>, old: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("vpc");
    let (new_vpc, old_vpc) = (&new.networks.vpc, &old.networks.vpc);
    let fixed =
        |vpc: &Vpc<'_>| (vpc.id.map(str::to_owned), vpc.cidr.map(str::to_owned), vpc.gardener_managed_nat_gateway);
    if fixed(new_vpc) != fixed(old_vpc) {
        changed(&rules::INFU_001, &path, report);
    }
    if new_vpc.use_custom_route_table.unwrap_or_default() != old_vpc.use_custom_route_table.unwrap_or_default() {
        let detail = "useCustomRouteTable can only be set at shoot creation time and cannot be changed afterwards";
        report
            .error(&rules::INFU_002, &path.key("useCustomRouteTable"), ErrorType::Forbidden, detail)
            .fix_value(&Value::Bool(old_vpc.use_custom_route_table.unwrap_or_default()));
    }
    let zones = NETWORKS.key("zones");
    if new.networks.zones.len() < old.networks.zones.len() {
        report.error(&rules::INFU_003, &zones, ErrorType::Forbidden, "zones cannot be removed");
    } else {
        for (index, (new, old)) in new.networks.zones.iter().zip(&old.networks.zones).enumerate() {
            zone(new, old, &zones.index(index), report);
        }
    }
    if old.is_dual_stack() && !new.is_dual_stack() {
        let detail = "dualStack cannot be disabled once enabled";
        report.error(&rules::INFU_011, &DUAL_STACK, ErrorType::Forbidden, detail);
    }
}

fn zone(new: &Zone<'_>, old: &Zone<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let remedy = || {
        let ranges = [("worker", old.worker), ("workers", old.workers)];
        let mut members = format!("`name: {}`", old.name);
        for (key, text) in ranges {
            if !text.is_empty() {
                members = format!("{members}, `{key}: {text}`");
            }
        }
        format!("Restore {members}; add further zones behind the existing ones.")
    };
    let mut immutable = |rule, key, differs: bool| {
        if differs {
            changed(rule, &path.hidden(key), report).remedy(remedy());
        }
    };
    immutable(&rules::INFU_004, "name", new.name != old.name);
    let migrates =
        !old.worker.is_empty() && old.workers.is_empty() && new.worker.is_empty() && !new.workers.is_empty();
    if migrates {
        immutable(&rules::INFU_005, "workers", old.worker != new.workers);
    } else {
        immutable(&rules::INFU_006, "workers", old.workers != new.workers);
        immutable(&rules::INFU_007, "worker", old.worker != new.worker);
    }
    if let (Some(block), None) = (old.ipv6_cidr_block, new.ipv6_cidr_block) {
        report
            .error(
                &rules::INFU_008,
                &path.key("ipv6CidrBlock"),
                ErrorType::Invalid,
                "ipv6CidrBlock cannot be removed once set",
            )
            .fix_value(&Value::Number(block.to_string().into()));
    }
}
