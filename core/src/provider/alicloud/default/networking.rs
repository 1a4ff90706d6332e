//! Settings of the network plug-in (ALI-DEF-002…006).

use crate::document::Value;
use crate::gardener::shoot::Shoot;
use crate::policy::{Defaulted, RequestError};
use crate::provider::alicloud::rules::defaults as rules;

const CONFIG: &str = "/spec/networking/providerConfig";

/// Fills in `spec.networking.providerConfig`.
pub fn default<'r>(
    object: &'r Value<'r>,
    shoot: &Shoot<'_>,
    old: Option<(&'r Value<'r>, &Shoot<'_>)>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let Some(network_type) = shoot.spec.networking.and_then(|networking| networking.network_type) else {
        return Ok(());
    };
    if is_left_alone(object, shoot, old) {
        return Ok(());
    }
    let config = object.pointer(CONFIG).filter(|config| !matches!(config, Value::Null));
    match config {
        Some(Value::Object(_)) => {}
        None => {
            let reason = "the network plug-in's settings start out empty";
            defaulted.set(&rules::DEF_006, CONFIG.to_owned(), Value::Object(Vec::new()), reason);
        }
        Some(other) => {
            return Err(RequestError::Denied {
                message: format!("spec.networking.providerConfig: expected an object, found {}", other.kind()),
                pointer: CONFIG.to_owned(),
            });
        }
    }
    let disabled = || Value::object([("enabled", Value::Bool(false))]);
    let mut overlay = config.and_then(|config| config.get("overlay")).cloned();
    if overlay.is_none() {
        let (rule, value, reason) = match old {
            None => (
                &rules::DEF_003,
                Some(disabled()),
                "a new cluster routes pods through the VPC, without an overlay",
            ),
            Some((old, _)) => {
                let config = old.pointer(CONFIG).filter(|config| !matches!(config, Value::Null));
                if let Some(other) = config.filter(|config| !matches!(config, Value::Object(_))) {
                    let found = other.kind();
                    return Err(RequestError::Denied {
                        message: format!(
                            "spec.networking.providerConfig of the old Shoot: expected an object, found {found}"
                        ),
                        pointer: CONFIG.to_owned(),
                    });
                }
                let before = config.and_then(|config| config.get("overlay")).cloned();
                (&rules::DEF_004, before, "the overlay stays as it was")
            }
        };
        if let Some(value) = value {
            defaulted.set(rule, format!("{CONFIG}/overlay"), value.clone(), reason);
            overlay = Some(value);
        }
    }
    let off = overlay.is_some_and(|overlay| overlay.get("enabled") == Some(&Value::Bool(false)));
    if network_type == "calico" && off {
        let snat = config.and_then(|config| config.get("snatToUpstreamDNS"));
        if snat.is_none_or(|snat| snat.canonical(false) != disabled()) {
            let reason = "without an overlay, requests to the upstream DNS keep the pod's address";
            defaulted.set(&rules::DEF_005, format!("{CONFIG}/snatToUpstreamDNS"), disabled(), reason);
        }
    }
    Ok(())
}

/// Whether the Shoot is moving to another seed, being deleted, or not changed.
fn is_left_alone(object: &Value<'_>, shoot: &Shoot<'_>, old: Option<(&Value<'_>, &Shoot<'_>)>) -> bool {
    let operation = shoot.status.last_operation;
    let moves = operation.is_some_and(|operation| operation.operation != "Migrate")
        && shoot.spec.seed_name.is_some()
        && shoot.status.seed_name.is_some()
        && shoot.spec.seed_name != shoot.status.seed_name;
    if moves || shoot.metadata.deletion_timestamp.is_some() {
        return true;
    }
    let Some((old_object, old)) = old else { return false };
    let migrates = operation.is_some_and(|operation| match operation.operation {
        "Restore" => operation.state != "Succeeded",
        other => other == "Migrate",
    });
    let spec = |object: &Value<'_>| object.get("spec").map(|spec| spec.canonical(false).to_string());
    migrates || old.metadata.deletion_timestamp.is_some() || spec(object) == spec(old_object)
}
