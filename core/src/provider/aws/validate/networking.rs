//! The network of a Shoot that Gardener's core API describes (AWS-SHOOT-009…013).

use crate::document::Value;
use crate::gardener::checks::overlay::{NoOverlayRules, check_no_overlay};
use crate::gardener::shoot::{Families, NETWORKING};
use crate::gardener::types::shoot::Networking;
use crate::provider::aws::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const OVERLAY: NoOverlayRules =
    NoOverlayRules { object: &rules::SHOOT_010, off: &rules::SHOOT_011, named: &rules::SHOOT_012 };

/// Judges the network of a Shoot that has `spec.networking`.
pub fn validate(shoot: &Value<'_>, networking: &Networking<'_>, families: Families, report: &mut Report<'_>) {
    if networking.nodes.is_none() && families.has_ipv4 {
        let detail = "a nodes CIDR must be provided for AWS shoots";
        report.error(&rules::SHOOT_009, &NETWORKING.key("nodes"), ErrorType::Required, detail);
    }
    if families.has_ipv6 {
        check_no_overlay(shoot.at(&["spec", "networking", "providerConfig"]), &OVERLAY, report);
    }
}
