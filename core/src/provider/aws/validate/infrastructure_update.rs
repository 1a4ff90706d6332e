//! Changes of a Shoot's network (AWS-INFU).

use super::infrastructure::{NETWORKS, VPC, ZONES};
use crate::document::{PatchOperation, Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::IN_INFRASTRUCTURE;
use crate::provider::aws::api::{InfrastructureConfig, Zone};
use crate::provider::aws::rules::infrastructure_update as rules;
use crate::report::{ErrorType, Report, Severity};

/// Judges a change. `before` is the old Shoot.
pub fn validate(
    new: &InfrastructureConfig<'_>,
    old: &InfrastructureConfig<'_>,
    before: &Value<'_>,
    report: &mut Report<'_>,
) {
    let file_system = old.elastic_file_system.is_some() && new.elastic_file_system != old.elastic_file_system;
    let tenancy = new.enable_dedicated_tenancy_for_vpc != old.enable_dedicated_tenancy_for_vpc;
    let (now, then) = (&new.networks.vpc, &old.networks.vpc);
    let pool = then.ipv6_ipam_pool.is_some() && now.ipv6_ipam_pool != then.ipv6_ipam_pool;
    let security_group = new.networks.nodes_security_group_id != old.networks.nodes_security_group_id;
    for &(rule, path, differs) in &[
        (&rules::INFU_001, IN_INFRASTRUCTURE.key("elasticFileSystem"), file_system),
        (&rules::INFU_002, IN_INFRASTRUCTURE.key("enableDedicatedTenancyForVPC"), tenancy),
        (&rules::INFU_003, VPC.key("id"), now.id != then.id),
        (&rules::INFU_004, VPC.key("cidr"), now.cidr != then.cidr),
        (&rules::INFU_005, VPC.key("ipv6IpamPool"), pool),
        (&rules::INFU_006, NETWORKS.key("nodesSecurityGroupID"), security_group),
    ] {
        if differs {
            restored(rule, &path, before, report);
        }
    }
    if new.networks.zones.len() < old.networks.zones.len() {
        report.error(&rules::INFU_007, &ZONES, ErrorType::Forbidden, "removing zones is not allowed");
        return;
    }
    for (index, (zone, old)) in new.networks.zones.iter().zip(&old.networks.zones).enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        self::zone(zone, old, &ZONES.index(index), before, report);
    }
    let is_on = |config: &InfrastructureConfig<'_>| config.dual_stack.is_some_and(|dual_stack| dual_stack.enabled);
    if is_on(old) && !is_on(new) {
        let path = IN_INFRASTRUCTURE.key("dualStack");
        let detail = "field can't be changed from \"true\" to \"false\"";
        let on = Value::object([("enabled", Value::Bool(true))]);
        report
            .error(&rules::INFU_015, &path.key("enabled"), ErrorType::Forbidden, detail)
            .fix(vec![PatchOperation::add(path.pointer(), &on)]);
    }
}

/// A zone keeps its name and what it has.
fn zone(new: &Zone<'_>, old: &Zone<'_>, path: &Path<'_>, before: &Value<'_>, report: &mut Report<'_>) {
    let lost = |new: Option<&str>, old: Option<&str>| old.is_some() && new != old;
    for &(rule, key, differs) in &[
        (&rules::INFU_008, "name", new.name != old.name),
        (&rules::INFU_009, "public", lost(new.public, old.public)),
        (&rules::INFU_010, "internal", lost(new.internal, old.internal)),
        (&rules::INFU_011, "workers", lost(new.workers, old.workers)),
        (&rules::INFU_012, "workersSubnetID", new.workers_subnet_id != old.workers_subnet_id),
        (&rules::INFU_013, "publicSubnetID", lost(new.public_subnet_id, old.public_subnet_id)),
        (&rules::INFU_014, "internalSubnetID", lost(new.internal_subnet_id, old.internal_subnet_id)),
    ] {
        if differs {
            restored(rule, &path.key(key), before, report);
        }
    }
}
