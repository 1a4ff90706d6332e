//! Shoots: the network plug-in, the control plane, the node-local DNS and the MTU (AWS-DEF-001…029).

use crate::document::Value;
use crate::document::decode::{Mode, Typed};
use crate::gardener::provider_config::{refuse, set_type};
use crate::gardener::shoot::{
    CONTROL_PLANE_POINTER, INFRASTRUCTURE_POINTER, Manifest, OverlayRules, control_plane_config,
    default_node_local_dns, default_overlay, disabled, infrastructure_config, is_enabled, is_left_alone,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::aws::api::{Config, ControlPlaneConfig, InfrastructureConfig};
use crate::provider::aws::rules::defaults as rules;
use crate::report::Rule;

const OVERLAY: OverlayRules = OverlayRules {
    config: &rules::DEF_022,
    create: &rules::DEF_020,
    reason: "a new cluster routes pods through the VPC, without an overlay",
    update: &rules::DEF_021,
};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let new = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if new.shoot.spec.provider.workers.is_empty() || is_left_alone(request, &new, old.as_ref()) {
        return Ok(defaulted);
    }
    let mut is_overlay_off = false;
    if new.shoot.spec.networking.is_some() {
        let (_, overlay) = default_overlay(&new, old.as_ref(), disabled(), &OVERLAY, &mut defaulted)?;
        if let Some(overlay) = overlay.filter(|overlay| matches!(overlay, Value::Object(_))) {
            is_overlay_off = !is_enabled(OVERLAY.config, &overlay)?;
        }
    }
    control_plane(new.object, is_overlay_off, &mut defaulted)?;
    default_node_local_dns(&rules::DEF_028, new.object, &mut defaulted);
    infrastructure(new.object, old.is_none(), &mut defaulted)?;
    Ok(defaulted)
}

/// Reads a configuration that need not say what it is. The existing extension refuses a Shoot with one that nobody
/// can read.
fn read<'r, C: Config<'r>>(
    config: Option<&'r Value<'r>>,
    pointer: &str,
    rule: &'static Rule,
) -> Result<Option<C>, RequestError> {
    let Some(config) = config else { return Ok(None) };
    let read = C::read_typed(config, Mode::Strict, Typed::Loosely);
    read.map(Some).map_err(|error| refuse::<C>(rule, error.to_string(), &error, config, pointer))
}

fn control_plane<'r>(
    shoot: &'r Value<'r>,
    is_overlay_off: bool,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let written = control_plane_config(shoot);
    let config: Option<ControlPlaneConfig<'r>> = read(written, CONTROL_PLANE_POINTER, &rules::DEF_027)?;
    set_type::<ControlPlaneConfig<'r>>(CONTROL_PLANE_POINTER, written, &rules::DEF_027, defaulted);
    let mut set = |rule, keys, value, reason| {
        set(rule, (CONTROL_PLANE_POINTER, written), keys, value, reason, defaulted);
    };
    if let Some(config) = &config
        && config.storage.and_then(|storage| storage.managed_default_class).is_none()
    {
        let reason = "Gardener's storage class is the default one";
        set(&rules::DEF_002, ["storage", "managedDefaultClass"], true, reason);
    }
    let manager = config.as_ref().and_then(|config| config.cloud_controller_manager.as_ref());
    if manager.and_then(|manager| manager.use_custom_route_controller) != Some(is_overlay_off) {
        let reason = if is_overlay_off {
            "without an overlay, nodes need routes to their pods"
        } else {
            "with an overlay, nodes need no routes to their pods"
        };
        set(&rules::DEF_025, ["cloudControllerManager", "useCustomRouteController"], is_overlay_off, reason);
    }
    let families = shoot.at(&["spec", "networking", "ipFamilies"]).map(Value::items).unwrap_or_default();
    let needs_controller = match families {
        [only] => only.as_str() == Some("IPv6"),
        several => !several.is_empty(),
    };
    let controller = config.as_ref().and_then(|config| config.load_balancer_controller);
    if needs_controller && !controller.is_some_and(|controller| controller.enabled) {
        let reason = "load balancers with IPv6 need the AWS Load Balancer Controller";
        set(&rules::DEF_026, ["loadBalancerController", "enabled"], true, reason);
    } else {
        let config = (CONTROL_PLANE_POINTER, written);
        write_switches(&rules::DEF_027, config, &["loadBalancerController"], defaulted);
    }
    Ok(())
}

/// Sets a switch in a part of a configuration, which is given with its pointer. A part that is not there is made.
fn set<'r>(
    rule: &'static Rule,
    (pointer, config): (&str, Option<&'r Value<'r>>),
    [part, switch]: [&'static str; 2],
    value: bool,
    reason: &'static str,
    defaulted: &mut Defaulted<'r>,
) {
    let pointer = format!("{pointer}/{part}");
    if config.and_then(|config| config.get(part)).is_some() {
        defaulted.set(rule, format!("{pointer}/{switch}"), Value::Bool(value), reason);
    } else {
        defaulted.set(rule, pointer, Value::object([(switch, Value::Bool(value))]), reason);
    }
}

/// Writes the switches of parts that are there without them: they are off.
fn write_switches<'r>(
    rule: &'static Rule,
    (pointer, config): (&str, Option<&'r Value<'r>>),
    parts: &[&'static str],
    defaulted: &mut Defaulted<'r>,
) {
    for part in parts {
        if config.and_then(|config| config.get(part)).is_some_and(|part| part.get("enabled").is_none()) {
            let reason = "what is not switched on is off";
            set(rule, (pointer, config), [part, "enabled"], false, reason, defaulted);
        }
    }
}

fn infrastructure<'r>(
    shoot: &'r Value<'r>,
    create: bool,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let written = infrastructure_config(shoot);
    let config: Option<InfrastructureConfig<'r>> = read(written, INFRASTRUCTURE_POINTER, &rules::DEF_029)?;
    if create && config.and_then(|config| config.enable_mtu_customizer).is_none() {
        set_type::<InfrastructureConfig<'r>>(INFRASTRUCTURE_POINTER, written, &rules::DEF_029, defaulted);
        let reason = "nodes of a new cluster use the MTU of the VPC";
        let pointer = format!("{INFRASTRUCTURE_POINTER}/enableMTUCustomizer");
        defaulted.set(&rules::DEF_029, pointer, Value::Bool(false), reason);
        let config = (INFRASTRUCTURE_POINTER, written);
        write_switches(&rules::DEF_029, config, &["dualStack", "elasticFileSystem"], defaulted);
    }
    Ok(())
}
