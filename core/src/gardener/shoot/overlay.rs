//! `spec.networking.providerConfig`, the settings of the network plug-in: whether they are left alone, and their
//! overlay.

use super::Manifest;
use crate::document::{PatchOperation, Path, Value, meant};
use crate::gardener::provider_config::misspelt;
use crate::policy::{Defaulted, Refusal, Request, RequestError};
use crate::report::{Correction, Rule};
use crate::text::nearest::nearest;

/// Pointer of the network plug-in's settings.
const CONFIG: &str = "/spec/networking/providerConfig";
/// The member of an overlay that says whether it is on.
const ENABLED: &str = "enabled";

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

/// Whether the defaults leave the network of a Shoot alone: the Shoot moves to another seed, is being deleted, or
/// has the specification that it had.
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

/// Sets the overlay of a Shoot that says nothing of it: a new Shoot gets `default`, an old Shoot keeps what it
/// had. Returns the settings as they were, and the overlay as it is now.
pub fn default_overlay<'r>(
    new: &Manifest<'r>,
    old: Option<&Manifest<'r>>,
    default: Value<'r>,
    rules: &OverlayRules,
    defaulted: &mut Defaulted<'r>,
) -> Result<(Option<&'r Value<'r>>, Option<Value<'r>>), RequestError> {
    let config = settings(rules.config, new.object, "")?;
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
            let before = settings(rules.config, old.object, " of the old Shoot")?;
            (rules.update, overlay(before), "the overlay stays as it was")
        }
    };
    if let Some(value) = &value {
        defaulted.set(rule, format!("{CONFIG}/overlay"), value.clone(), reason);
    }
    Ok((config, value))
}

/// Whether an overlay is on. An overlay that does not say so is refused: the existing extensions crash.
pub fn is_enabled(rule: &'static Rule, overlay: &Value<'_>) -> Result<bool, RequestError> {
    let found = match overlay.get(ENABLED) {
        Some(Value::Bool(enabled)) => return Ok(*enabled),
        other => other.map_or("nothing", Value::kind),
    };
    let message = format!("spec.networking.providerConfig.overlay.enabled: expected true or false, found {found}");
    let (mut pointer, mut correction) = (format!("{CONFIG}/overlay"), Correction::default());
    match overlay.get(ENABLED).map(|found| meant("a boolean", found)) {
        Some(Value::Null) => {}
        Some(value) => {
            pointer = format!("{pointer}/{ENABLED}");
            let replace = vec![PatchOperation::replace(pointer.clone(), &value)];
            correction = Correction { fix: Some(replace.clone()), assume: replace, ..correction };
        }
        None => {
            let Value::Object(members) = overlay else { return Err(RequestError::denied(rule, message, pointer)) };
            let meant = members.iter().find(|(key, _)| nearest(key, [ENABLED].into_iter()).is_some());
            if let Some((key, _)) = meant {
                pointer = Path::root("", &pointer).key(key).pointer();
                correction = misspelt(PatchOperation::rename(pointer.clone(), ENABLED), ENABLED, true);
            }
        }
    }
    Err(RequestError::Denied(Box::new(Refusal { rule: rule.id, message, pointer, correction })))
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
fn settings<'r>(
    rule: &'static Rule,
    object: &'r Value<'r>,
    whose: &str,
) -> Result<Option<&'r Value<'r>>, RequestError> {
    match object.pointer(CONFIG).filter(|config| !matches!(config, Value::Null)) {
        Some(other) if !matches!(other, Value::Object(_)) => {
            let found = other.kind();
            let message = format!("spec.networking.providerConfig{whose}: expected an object, found {found}");
            Err(RequestError::denied(rule, message, CONFIG))
        }
        config => Ok(config),
    }
}
