//! `spec.networking.providerConfig`, the settings of the network plug-in: whether they are left alone, and their overlay.

use super::Manifest;
use crate::document::Value;
use crate::policy::{Defaulted, Request, RequestError};
use crate::report::Rule;

/// Pointer of the network plug-in's settings.
const CONFIG: &str = "/spec/networking/providerConfig";

/// The rules by which the settings get an overlay.
#[derive(Debug)]
pub struct OverlayRules {
    /// Makes the settings an object.
    pub config: &'static Rule,
    /// Sets the overlay of a new Shoot.
    pub create: &'static Rule,
    /// Why a new Shoot gets that overlay.
    pub reason: &'static str,
    /// Keeps the overlay of an old Shoot.
    pub update: &'static Rule,
}

/// Whether the defaults leave the network of a Shoot alone: the Shoot moves to another seed, is being deleted, or has the
/// specification that it had.
pub fn is_left_alone(request: &Request<'_>, new: &Manifest<'_>, old: Option<&Manifest<'_>>) -> bool {
    is_moving(new, old) || !request.is_itself() && old.is_some_and(|old| has_same_spec(new, old))
}

/// Whether a Shoot has the specification that it had.
pub fn has_same_spec(new: &Manifest<'_>, old: &Manifest<'_>) -> bool {
    let spec = |object: &Value<'_>| object.get("spec").map(|spec| spec.canonical(false).to_string());
    spec(new.object) == spec(old.object)
}

/// Whether a Shoot moves to another seed, or is being deleted.
pub fn is_moving(new: &Manifest<'_>, old: Option<&Manifest<'_>>) -> bool {
    let shoot = &new.shoot;
    let operation = shoot.status.last_operation;
    let moves = operation.is_some_and(|operation| operation.operation != "Migrate")
        && shoot.spec.seed_name.is_some()
        && shoot.status.seed_name.is_some()
        && shoot.spec.seed_name != shoot.status.seed_name;
    if moves || shoot.metadata.deletion_timestamp.is_some() {
        return true;
    }
    let Some(old) = old else { return false };
    let migrates = operation.is_some_and(|operation| match operation.operation {
        "Restore" => operation.state != "Succeeded",
        other => other == "Migrate",
    });
    migrates || old.shoot.metadata.deletion_timestamp.is_some()
}

/// The settings of a feature that is off.
pub fn disabled<'r>() -> Value<'r> {
    Value::object([("enabled", Value::Bool(false))])
}

/// Sets the overlay of a Shoot that says nothing of it: a new Shoot gets `default`, an old Shoot keeps what it had. Returns the
/// settings as they were, and the overlay as it is now.
pub fn default_overlay<'r>(
    new: &Manifest<'r>,
    old: Option<&Manifest<'r>>,
    default: Value<'r>,
    rules: &OverlayRules,
    defaulted: &mut Defaulted<'r>,
) -> Result<(Option<&'r Value<'r>>, Option<Value<'r>>), RequestError> {
    let config = settings(new.object, "")?;
    if config.is_none() {
        let reason = "the network plug-in's settings start out empty";
        defaulted.set(rules.config, CONFIG.to_owned(), Value::Object(Vec::new()), reason);
    }
    let overlay = |config: Option<&'r Value<'r>>| config.and_then(|config| config.get("overlay")).cloned();
    if let Some(overlay) = overlay(config) {
        return Ok((config, Some(overlay)));
    }
    let (rule, value, reason) = match old {
        None => (rules.create, Some(default), rules.reason),
        Some(old) => {
            let before = settings(old.object, " of the old Shoot")?;
            (rules.update, overlay(before), "the overlay stays as it was")
        }
    };
    if let Some(value) = &value {
        defaulted.set(rule, format!("{CONFIG}/overlay"), value.clone(), reason);
    }
    Ok((config, value))
}

/// Whether an overlay is on. An overlay that does not say so is refused: the existing extensions crash.
pub fn is_enabled(overlay: &Value<'_>) -> Result<bool, RequestError> {
    match overlay.get("enabled") {
        Some(Value::Bool(enabled)) => Ok(*enabled),
        other => Err(RequestError::Denied {
            message: format!(
                "spec.networking.providerConfig.overlay.enabled: expected true or false, found {}",
                other.map_or("nothing", Value::kind)
            ),
            pointer: format!("{CONFIG}/overlay"),
            is_surplus: false,
        }),
    }
}

/// Sets a member of the settings.
pub fn set_setting<'r>(
    rule: &'static Rule,
    key: &str,
    value: Value<'r>,
    reason: &'static str,
    defaulted: &mut Defaulted<'r>,
) {
    defaulted.set(rule, format!("{CONFIG}/{key}"), value, reason);
}

/// The settings, which are an object where there are any.
fn settings<'r>(object: &'r Value<'r>, whose: &str) -> Result<Option<&'r Value<'r>>, RequestError> {
    match object.pointer(CONFIG).filter(|config| !matches!(config, Value::Null)) {
        Some(other) if !matches!(other, Value::Object(_)) => Err(RequestError::Denied {
            message: format!("spec.networking.providerConfig{whose}: expected an object, found {}", other.kind()),
            pointer: CONFIG.to_owned(),
            is_surplus: false,
        }),
        config => Ok(config),
    }
}
