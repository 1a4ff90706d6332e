//! Shoots: the network plug-in and the node-local DNS (OS-DEF-001…012).

use crate::document::Value;
use crate::gardener::shoot::{
    Manifest, OverlayRules, default_node_local_dns, default_overlay, is_enabled, is_left_alone, set_setting,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::openstack::rules::defaults as rules;

const OVERLAY: OverlayRules = OverlayRules {
    config: &rules::DEF_009,
    create: &rules::DEF_006,
    reason: "the network plug-in of a new cluster has the overlay that this landscape chose",
    update: &rules::DEF_007,
};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let new = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if new.shoot.spec.provider.workers.is_empty() || is_left_alone(request, &new, old.as_ref()) {
        return Ok(defaulted);
    }
    if let Some(network_type) = new.shoot.spec.networking.and_then(|networking| networking.network_type) {
        let enabled = has_overlay(request, network_type);
        networking(&new, old.as_ref(), enabled, &mut defaulted)?;
    }
    default_node_local_dns(&rules::DEF_012, new.object, &mut defaulted);
    Ok(defaulted)
}

/// Whether a network plug-in gets an overlay by default. The operator of the extension decides for Calico and
/// Cilium.
fn has_overlay(request: &Request<'_>, network_type: &str) -> bool {
    let flags = request.context("overlayDefaults");
    let flag = || flags.and_then(|flags| flags.get(network_type)) != Some(&Value::Bool(false));
    matches!(network_type, "calico" | "cilium") && flag()
}

fn networking<'r>(
    new: &Manifest<'r>,
    old: Option<&Manifest<'r>>,
    enabled: bool,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let default = || Value::object([("enabled", Value::Bool(enabled))]);
    let (_, overlay) = default_overlay(new, old, default(), &OVERLAY, defaulted)?;
    let written = overlay.filter(|overlay| matches!(overlay, Value::Object(_)));
    let is_written = written.is_some();
    let overlay = written.unwrap_or_else(default);
    if is_enabled(OVERLAY.config, &overlay)? || overlay.get("createPodRoutes").is_some() {
        return Ok(());
    }
    let reason = "without an overlay, each pod needs a route";
    if is_written {
        set_setting(&rules::DEF_008, "overlay/createPodRoutes", Value::Bool(true), reason, defaulted);
    } else {
        let overlay = Value::object([("createPodRoutes", Value::Bool(true)), ("enabled", Value::Bool(false))]);
        set_setting(&rules::DEF_008, "overlay", overlay, reason, defaulted);
    }
    Ok(())
}
