//! The network of a Shoot that Gardener's core API describes (GCP-SHOOT-001…005).

use crate::document::Value;
use crate::gardener::checks::overlay::{NoOverlayRules, check_no_overlay};
use crate::gardener::shoot::{Families, NETWORKING};
use crate::gardener::types::shoot::Networking;
use crate::provider::gcp::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const OVERLAY: NoOverlayRules =
    NoOverlayRules { object: &rules::SHOOT_003, off: &rules::SHOOT_004, named: &rules::SHOOT_005 };

/// Judges the network of a Shoot that has `spec.networking`.
pub fn validate(shoot: &Value<'_>, networking: &Networking<'_>, report: &mut Report<'_>) {
    if networking.nodes.is_none() {
        let detail = "a nodes CIDR must be provided for GCP shoots";
        report.error(&rules::SHOOT_001, &NETWORKING.key("nodes"), ErrorType::Required, detail);
    }
    if !Families::of(shoot).has_ipv6 {
        return;
    }
    let families = shoot.at(&["spec", "networking", "ipFamilies"]).map(Value::items).unwrap_or_default();
    if families.len() == 1 {
        let detail = "IPv6 single-stack networking is not supported";
        report.error(&rules::SHOOT_002, &NETWORKING.key("ipFamilies"), ErrorType::Invalid, detail);
    }
    check_no_overlay(shoot.at(&["spec", "networking", "providerConfig"]), &OVERLAY, report);
}
