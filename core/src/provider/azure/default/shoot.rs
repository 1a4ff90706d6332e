//! Shoots: the network plug-in and the node-local DNS (AZ-DEF-010…015).

use crate::document::Value;
use crate::gardener::shoot::{
    Manifest, OverlayRules, default_node_local_dns, default_overlay, disabled, has_same_spec, is_moving,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::azure::rules::defaults as rules;

const OVERLAY: OverlayRules = OverlayRules {
    config: &rules::DEF_014,
    create: &rules::DEF_012,
    reason: "a new cluster routes pods through the virtual network, without an overlay",
    update: &rules::DEF_013,
};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let new = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if new.shoot.spec.provider.workers.is_empty() || is_moving(&new, old.as_ref()) {
        return Ok(defaulted);
    }
    let is_same = !request.is_itself() && old.as_ref().is_some_and(|old| has_same_spec(&new, old));
    if is_same && old.as_ref().is_some_and(|old| annotations(old) == annotations(&new)) {
        return Ok(defaulted);
    }
    let networking = new.shoot.spec.networking;
    // The API server chooses the plug-in of a Shoot that names none later.
    if !is_same && networking.is_some_and(|networking| networking.network_type.is_none_or(|name| name == "cilium"))
    {
        default_overlay(&new, old.as_ref(), disabled(), &OVERLAY, &mut defaulted)?;
    }
    default_node_local_dns(&rules::DEF_015, new.object, &mut defaulted);
    Ok(defaulted)
}

fn annotations(shoot: &Manifest<'_>) -> Option<String> {
    let annotations =
        shoot.object.at(&["metadata", "annotations"]).filter(|annotations| **annotations != Value::Null);
    annotations.map(|annotations| annotations.canonical(false).to_string())
}
