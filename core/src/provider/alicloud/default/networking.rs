//! Settings of the network plug-in (ALI-DEF-002…006).

use crate::document::Value;
use crate::gardener::shoot::{Manifest, OverlayRules, default_overlay, disabled, is_left_alone, set_setting};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::alicloud::rules::defaults as rules;

const OVERLAY: OverlayRules = OverlayRules {
    config: &rules::DEF_006,
    create: &rules::DEF_003,
    reason: "a new cluster routes pods through the VPC, without an overlay",
    update: &rules::DEF_004,
};

/// Fills in `spec.networking.providerConfig`.
pub fn default<'r>(
    request: &Request<'r>,
    new: &Manifest<'r>,
    old: Option<&Manifest<'r>>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let Some(network_type) = new.shoot.spec.networking.and_then(|networking| networking.network_type) else {
        return Ok(());
    };
    if is_left_alone(request, new, old) {
        return Ok(());
    }
    let (config, overlay) = default_overlay(new, old, disabled(), &OVERLAY, defaulted)?;
    let is_off = overlay.is_some_and(|overlay| overlay.get("enabled") == Some(&Value::Bool(false)));
    if network_type == "calico" && is_off {
        let snat = config.and_then(|config| config.get("snatToUpstreamDNS"));
        if snat.is_none_or(|snat| snat.canonical(false) != disabled()) {
            let reason = "without an overlay, requests to the upstream DNS keep the pod's address";
            set_setting(&rules::DEF_005, "snatToUpstreamDNS", disabled(), reason, defaulted);
        }
    }
    Ok(())
}
