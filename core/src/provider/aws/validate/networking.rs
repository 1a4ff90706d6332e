//! The network of a Shoot that Gardener's core API describes (AWS-SHOOT-009…013).

use super::families::Families;
use crate::document::{Path, Value};
use crate::gardener::shoot::NETWORKING;
use crate::gardener::types::shoot::Networking;
use crate::provider::aws::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const CONFIG: Path<'_> = NETWORKING.key("providerConfig");
const OVERLAY: &str = "overlay must be set to false in conjunction with IPv6";

/// Judges the network of a Shoot that has `spec.networking`.
pub fn validate(shoot: &Value<'_>, networking: &Networking<'_>, families: Families, report: &mut Report<'_>) {
    if networking.nodes.is_none() && families.has_ipv4 {
        let detail = "a nodes CIDR must be provided for AWS shoots";
        report.error(&rules::SHOOT_009, &NETWORKING.key("nodes"), ErrorType::Required, detail);
    }
    if families.has_ipv6 {
        overlay(shoot.at(&["spec", "networking", "providerConfig"]), report);
    }
}

/// Addresses of IPv6 are routed without an overlay. What is no overlay at all is accepted.
fn overlay(config: Option<&Value<'_>>, report: &mut Report<'_>) {
    let Some(config) = config else { return };
    if !matches!(config, Value::Object(_)) {
        let detail =
            format!("failed to decode networking provider config: expected an object, found {}", config.kind());
        report.error(&rules::SHOOT_010, &CONFIG, ErrorType::Invalid, detail);
        return;
    }
    match config.member("overlay") {
        None => {
            let families = NETWORKING.key("ipFamilies");
            report.error(&rules::SHOOT_012, &families, ErrorType::Invalid, OVERLAY);
        }
        Some(overlay) if overlay.get("enabled") == Some(&Value::Bool(true)) => {
            let path = CONFIG.key("overlay");
            report
                .error(&rules::SHOOT_011, &path.key("enabled"), ErrorType::Invalid, OVERLAY)
                .fix_value(&Value::Bool(false));
        }
        Some(_) => {}
    }
}
