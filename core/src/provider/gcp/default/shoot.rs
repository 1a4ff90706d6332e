//! Shoots: the network plug-in (GCP-DEF-010…019).

use crate::gardener::shoot::{
    Manifest, OverlayRules, default_overlay, disabled, is_enabled, is_left_alone, set_setting,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::gcp::rules::defaults as rules;

const OVERLAY: OverlayRules = OverlayRules {
    config: &rules::DEF_013,
    create: &rules::DEF_010,
    reason: "a new cluster routes pods through the VPC, without an overlay",
    update: &rules::DEF_011,
};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let new = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if new.shoot.spec.provider.workers.is_empty()
        || new.shoot.spec.networking.is_none()
        || is_left_alone(request, &new, old.as_ref())
    {
        return Ok(defaulted);
    }
    let (config, overlay) = default_overlay(&new, old.as_ref(), disabled(), &OVERLAY, &mut defaulted)?;
    let is_off = overlay.as_ref().map(|overlay| is_enabled(OVERLAY.config, overlay)).transpose()? == Some(false);
    let snat = config.and_then(|config| config.get("snatToUpstreamDNS"));
    if is_off && snat.is_none_or(|snat| snat.canonical(false) != disabled()) {
        let reason = "without an overlay, requests to the upstream DNS keep the pod's address";
        set_setting(&rules::DEF_012, "snatToUpstreamDNS", disabled(), reason, &mut defaulted);
    }
    Ok(defaulted)
}
