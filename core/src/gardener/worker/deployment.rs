//! Machine deployments.

use std::borrow::Cow;

use super::share::{NotPercent, Zone, share, share_of};
use super::{CountOrPercentText, Pool};
use crate::collections::NameMap;
use crate::document::{JsonText, Value};
use crate::kube::duration::Duration;
use crate::policy::{
    AtOnce, CountOrPercent, InPlaceUpdate, MachineConfiguration, MachineDeployment, UpdateStrategy,
};
use crate::text::join;

/// What a provider says of the machines of a pool in a zone.
#[derive(Debug)]
pub struct Machines<'r> {
    /// The name of the machine deployment.
    pub name: String,
    /// The name of the machine class and of its Secret.
    pub class: String,
    /// The zone among those of the pool.
    pub zone: Zone,
    /// A label by which the provider shows the zone of nodes.
    pub label: (&'static str, &'r str),
}

/// The machine deployment of a pool in a zone. `raw` is the pool as JSON.
pub fn machine_deployment<'r>(
    pool: &Pool<'r>,
    raw: &Value<'_>,
    machines: Machines<'r>,
) -> Result<MachineDeployment<'r>, NotPercent> {
    let Machines { name, class, zone, label: (label, value) } = machines;
    let mut labels = pool.labels.clone();
    labels.insert(label, value);
    Ok(MachineDeployment {
        name,
        pool_name: pool.name,
        class_name: class.clone(),
        secret_name: class,
        minimum: share(pool.minimum, zone),
        maximum: share(pool.maximum, zone),
        priority: pool.priority,
        auto_preserve_failed_machine_max: pool
            .machine_controller_manager
            .auto_preserve_failed_machine_max
            .map(|most| share(most, zone)),
        strategy: strategy(pool, zone)?,
        labels,
        annotations: pool.annotations.clone(),
        taints: raw.get("taints").map(Value::items).unwrap_or_default().iter().map(JsonText::from).collect(),
        machine_configuration: configuration(pool),
        cluster_autoscaler_annotations: autoscaler(pool),
    })
}

fn strategy(pool: &Pool<'_>, zone: Zone) -> Result<UpdateStrategy, NotPercent> {
    let at_once = at_once(pool, zone)?;
    let orchestration_type = match pool.update_strategy {
        Some("AutoInPlaceUpdate") => "Auto",
        Some("ManualInPlaceUpdate") => "Manual",
        _ => return Ok(UpdateStrategy::RollingUpdate { rolling_update: at_once }),
    };
    let AtOnce { max_unavailable, max_surge } = at_once;
    let in_place_update = InPlaceUpdate { max_unavailable, max_surge, orchestration_type };
    Ok(UpdateStrategy::InPlaceUpdate { in_place_update })
}

/// How many nodes of a zone change at once. A percentage of surge is of the largest number of nodes, one of
/// missing nodes of the smallest.
fn at_once(pool: &Pool<'_>, zone: Zone) -> Result<AtOnce, NotPercent> {
    Ok(AtOnce {
        max_unavailable: share_of(pool.max_unavailable, zone, pool.minimum)?,
        max_surge: share_of(pool.max_surge, zone, pool.maximum)?,
    })
}

/// How many of so many nodes of a zone change at once, as the machine controller manager counts: it rounds surge
/// up, and missing nodes down; and it changes one at least.
pub fn changed_at_once(
    surge: CountOrPercentText<'_>,
    unavailable: CountOrPercentText<'_>,
    (minimum, maximum): (i32, i32),
    zone: Zone,
    nodes: i32,
) -> Result<i32, NotPercent> {
    let surge = match share_of(surge, zone, maximum)? {
        CountOrPercent::Count(count) => i64::from(count),
        CountOrPercent::Percent(percent) => (i64::from(nodes) * i64::from(percent) + 99).div_euclid(100),
    };
    let unavailable = match share_of(unavailable, zone, minimum)? {
        CountOrPercent::Count(count) => i64::from(count),
        CountOrPercent::Percent(percent) => (i64::from(nodes) * i64::from(percent)).div_euclid(100),
    };
    let changed = (surge.max(0) + unavailable.max(0)).max(1).min(i64::from(nodes.max(0)));
    Ok(i32::try_from(changed).unwrap_or(nodes))
}

fn configuration(pool: &Pool<'_>) -> MachineConfiguration {
    let settings = &pool.machine_controller_manager;
    let text = |duration: Option<Duration>| duration.map(|duration| duration.to_string());
    let conditions = join(&settings.node_conditions, ",");
    MachineConfiguration {
        drain_timeout: text(settings.machine_drain_timeout),
        health_timeout: text(settings.machine_health_timeout),
        creation_timeout: text(settings.machine_creation_timeout),
        in_place_update_timeout: text(settings.in_place_update_timeout),
        machine_preserve_timeout: text(settings.machine_preserve_timeout),
        disable_health_timeout: settings.disable_health_timeout,
        max_evict_retries: settings.max_evict_retries,
        node_conditions: Some(conditions).filter(|_| !settings.node_conditions.is_empty()),
    }
}

fn autoscaler<'r>(pool: &Pool<'r>) -> NameMap<'static, Cow<'r, str>> {
    let settings = &pool.cluster_autoscaler;
    let time =
        |duration: Option<Duration>| Cow::Owned(duration.map(|duration| duration.to_string()).unwrap_or_default());
    NameMap::from([
        ("autoscaler.gardener.cloud/max-node-provision-time", time(settings.max_node_provision_time)),
        (
            "autoscaler.gardener.cloud/scale-down-gpu-utilization-threshold",
            settings.scale_down_gpu_utilization_threshold.into(),
        ),
        ("autoscaler.gardener.cloud/scale-down-unneeded-time", time(settings.scale_down_unneeded_time)),
        ("autoscaler.gardener.cloud/scale-down-unready-time", time(settings.scale_down_unready_time)),
        (
            "autoscaler.gardener.cloud/scale-down-utilization-threshold",
            settings.scale_down_utilization_threshold.into(),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_node_of_a_zone_changes_at_least_and_surge_is_rounded_up() {
        use CountOrPercentText::{Count, Text};
        for (surge, unavailable, nodes, expected) in [
            (Count(1), Count(0), 3, 1),
            (Count(0), Count(0), 3, 1),
            (Count(2), Count(1), 9, 3),
            (Count(2), Count(1), 2, 2),
            (Count(1), Count(1), 0, 0),
            (Text("25%"), Text("0%"), 3, 1),
            (Text("0%"), Text("34%"), 5, 1),
            (Text("50%"), Text("50%"), 5, 5),
        ] {
            let zone = Zone { index: 0, of: 1 };
            let changed = changed_at_once(surge, unavailable, (nodes, nodes), zone, nodes);
            assert_eq!(changed, Ok(expected), "{surge:?} {unavailable:?} of {nodes}");
        }
    }
}
