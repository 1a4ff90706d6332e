//! Changes of a Shoot's network (GCP-INFU).

use super::infrastructure::NETWORKS;
use crate::cidr::Cidr;
use crate::document::Value;
use crate::gardener::checks::immutable::restored;
use crate::provider::gcp::api::InfrastructureConfig;
use crate::provider::gcp::rules::infrastructure_update as rules;
use crate::report::{ErrorType, Report};

/// Judges a change. `before` is the old Shoot.
pub fn validate(
    new: &InfrastructureConfig<'_>,
    old: &InfrastructureConfig<'_>,
    before: &Value<'_>,
    report: &mut Report<'_>,
) {
    let (now, then) = (&new.networks, &old.networks);
    let vpc = NETWORKS.key("vpc");
    match (now.vpc, then.vpc) {
        (None, Some(_)) => restored(&rules::INFU_001, &vpc, before, report),
        (Some(to), Some(from)) => {
            for &(rule, path, differs) in &[
                (&rules::INFU_002, vpc.key("name"), to.name != from.name),
                (&rules::INFU_003, vpc.key("cloudRouter"), to.cloud_router != from.cloud_router),
                (
                    &rules::INFU_004,
                    NETWORKS.key("internal"),
                    then.internal.is_some() && now.internal != then.internal,
                ),
            ] {
                if differs {
                    restored(rule, &path, before, report);
                }
            }
        }
        (_, None) => {}
    }
    if let (Some((key, range)), Some((_, old_range))) = (now.range(), then.range())
        && let (Some(range), Some(narrower)) = (Cidr::parse(range), Cidr::parse(old_range))
        && !range.contains(&narrower)
    {
        report
            .error(
                &rules::INFU_005,
                &NETWORKS.key(key),
                ErrorType::Invalid,
                "worker CIDR blocks can only be expanded",
            )
            .remedy(format!("Write `{old_range}`, or a range that holds it."))
            .fix_value(&Value::string(old_range));
    }
    if now.mtu != then.mtu {
        restored(&rules::INFU_006, &NETWORKS.key("mtu"), before, report);
    }
}
