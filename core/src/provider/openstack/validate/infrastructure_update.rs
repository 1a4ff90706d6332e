//! Changes of a Shoot's network (OS-INFU).

use super::infrastructure::NETWORKS;
use crate::document::Value;
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::INFRASTRUCTURE;
use crate::provider::openstack::api::InfrastructureConfig;
use crate::provider::openstack::rules::infrastructure_update as rules;
use crate::report::Report;

/// Judges a change. `before` is the old Shoot.
pub fn validate(
    new: &InfrastructureConfig<'_>,
    old: &InfrastructureConfig<'_>,
    before: &Value<'_>,
    report: &mut Report<'_>,
) {
    let (now, then) = (&new.networks, &old.networks);
    for &(rule, key, differs) in &[
        (&rules::INFU_001, "id", now.id != then.id),
        (&rules::INFU_002, "router", now.router != then.router),
        (&rules::INFU_003, "worker", now.worker != then.worker),
        (&rules::INFU_004, "workers", now.workers != then.workers),
        (&rules::INFU_005, "ipv6", now.ipv6 != then.ipv6),
        (&rules::INFU_006, "subnetPool", now.subnet_pool != then.subnet_pool),
        (&rules::INFU_007, "shareNetwork", then.has_share_network() && now.share_network != then.share_network),
    ] {
        if differs {
            restored(rule, &NETWORKS.key(key), before, report);
        }
    }
    let subnet = new.floating_pool_subnet_name != old.floating_pool_subnet_name;
    for &(rule, key, differs) in &[
        (&rules::INFU_008, "floatingPoolName", new.floating_pool_name != old.floating_pool_name),
        (&rules::INFU_009, "floatingPoolSubnetName", subnet),
    ] {
        if differs {
            restored(rule, &INFRASTRUCTURE.key(key), before, report);
        }
    }
}
