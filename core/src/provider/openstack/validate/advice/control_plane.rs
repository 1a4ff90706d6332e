//! Advice on the control plane and on classes of load balancers.

use crate::document::{Path, Value};
use crate::gardener::checks::feature_gates::warn_of_gates;
use crate::gardener::shoot::{CONTROL_PLANE, control_plane_config};
use crate::provider::openstack::api::{FloatingPool, LoadBalancerClass};
use crate::provider::openstack::rules::advice as rules;
use crate::provider::openstack::validate::control_plane::CLASSES;
use crate::provider::openstack::validate::parts::Parts;
use crate::report::Report;

/// Looks at the control plane of a Shoot.
pub fn control_plane(new: &Parts<'_>, pool: Option<&FloatingPool<'_>>, report: &mut Report<'_>) {
    let Some(config) = &new.control_plane else { return };
    if config.zone.is_some() {
        report.warn(&rules::ADV_003, &CONTROL_PLANE.key("zone"), "has no effect").fix_removal();
    }
    let gates = config.cloud_controller_manager.as_ref().map(|manager| &manager.feature_gates);
    warn_of_gates(&rules::ADV_018, gates, &new.manifest.shoot, report);
    classes(&config.load_balancer_classes, &CLASSES, report);
    // A Shoot without the list has the classes of its pool; one with an empty list has none.
    let raw = control_plane_config(new.manifest.object).and_then(|config| config.get("loadBalancerClasses"));
    if let (Some(Value::Array(classes)), Some(pool)) = (raw, pool)
        && classes.is_empty()
        && !pool.load_balancer_classes.is_empty()
    {
        report.warn(&rules::ADV_005, &CLASSES, format!("hides the classes of floating pool {}", pool.name));
    }
}

/// Looks at the classes in the list at `path`, of a Shoot or of a floating pool.
pub fn classes(classes: &[LoadBalancerClass<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    for (index, class) in classes.iter().enumerate() {
        let floating = [
            class.floating_network_id,
            class.floating_subnet_id,
            class.floating_subnet_name,
            class.floating_subnet_tags,
        ];
        if class.subnet_id.is_some() && floating.iter().any(Option::is_some) {
            let detail = "has no effect next to a floating network or subnet";
            report.warn(&rules::ADV_016, &path.index(index).key("subnetID"), detail);
        }
    }
}
