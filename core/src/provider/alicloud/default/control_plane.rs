//! `csi.enableADController` (ALI-DEF-007, 008).

use crate::document::Value;
use crate::document::decode::{Mode, Typed};
use crate::gardener::provider_config::{refuse, set_type};
use crate::gardener::shoot::{CONTROL_PLANE_POINTER as CONFIG, control_plane_config};
use crate::policy::{Defaulted, Refusal, RequestError};
use crate::provider::alicloud::api::{Config, ControlPlaneConfig};
use crate::provider::alicloud::rules::defaults as rules;
use crate::report::{Correction, Rule};

fn read<'v>(shoot: &'v Value<'v>, of: &str) -> Result<ControlPlaneConfig<'v>, RequestError> {
    let Some(config) = control_plane_config(shoot) else {
        return Ok(ControlPlaneConfig::default());
    };
    ControlPlaneConfig::read_typed(config, Mode::Strict, Typed::Loosely).map_err(|error| {
        let message = format!("could not decode providerConfig of controlplane: {of}{error}");
        if of.is_empty() {
            refuse::<ControlPlaneConfig<'_>>(&rules::DEF_007, message, &error, config, CONFIG)
        } else {
            let remedy = "No manifest ends this: the existing extension refuses every change of a Shoot whose stored controlPlaneConfig it \
                          cannot read. Ask the operator of the garden.";
            let correction = Correction { remedy: Some(remedy.into()), ..Correction::default() };
            let (rule, pointer) = (rules::DEF_008.id, CONFIG.to_owned());
            RequestError::Denied(Box::new(Refusal { rule, message, pointer, correction }))
        }
    })
}

/// Switches the controller on in a new Shoot that says nothing of it.
pub fn create<'r>(object: &'r Value<'r>, defaulted: &mut Defaulted<'r>) -> Result<(), RequestError> {
    let config = read(object, "")?;
    set_type::<ControlPlaneConfig<'_>>(CONFIG, control_plane_config(object), &rules::DEF_007, defaulted);
    if config.csi.and_then(|csi| csi.enable_ad_controller).is_none() {
        let reason = "new clusters let the controller attach and detach disks";
        set(object, &rules::DEF_007, Some(true), reason, defaulted);
    }
    Ok(())
}

/// Keeps what an old Shoot had where the new one says nothing.
pub fn update<'r>(
    object: &'r Value<'r>,
    old: &'r Value<'r>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let old = read(old, "in the old Shoot, ");
    let config = match (read(object, ""), &old) {
        // What ends the mistake in the new Shoot does not end that in the old one.
        (Err(RequestError::Denied(new)), Err(RequestError::Denied(old))) => {
            let remedy = old.correction.remedy.clone();
            let correction = Correction { remedy, fix: None, assume: Vec::new(), ..new.correction };
            return Err(RequestError::Denied(Box::new(Refusal { correction, ..*new })));
        }
        (config, _) => config?,
    };
    let Some(before) = old?.csi else { return Ok(()) };
    match config.csi {
        Some(csi) if csi.enable_ad_controller.is_some() || before.enable_ad_controller.is_none() => Ok(()),
        _ => {
            set_type::<ControlPlaneConfig<'_>>(CONFIG, control_plane_config(object), &rules::DEF_008, defaulted);
            let reason = "how disks are attached stays as it was";
            set(object, &rules::DEF_008, before.enable_ad_controller, reason, defaulted);
            Ok(())
        }
    }
}

fn set<'r>(
    object: &'r Value<'r>,
    rule: &'static Rule,
    value: Option<bool>,
    reason: &'static str,
    defaulted: &mut Defaulted<'r>,
) {
    let csi = control_plane_config(object).and_then(|config| config.get("csi"));
    match (csi, value) {
        (Some(_), Some(value)) => {
            defaulted.set(rule, format!("{CONFIG}/csi/enableADController"), Value::Bool(value), reason);
        }
        (Some(_), None) => {}
        (None, value) => {
            let members = value.map(|value| ("enableADController".into(), Value::Bool(value)));
            defaulted.set(rule, format!("{CONFIG}/csi"), Value::Object(members.into_iter().collect()), reason);
        }
    }
}
