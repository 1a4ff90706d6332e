//! Rules on the overlay of a network with IPv6.

use crate::document::{PatchOperation, Path, Value};
use crate::gardener::shoot::{NETWORKING, disabled};
use crate::report::{ErrorType, Report, Rule};

const CONFIG: Path<'_> = NETWORKING.key("providerConfig");
const OFF: &str = "overlay must be set to false in conjunction with IPv6";

/// The rules on the overlay.
#[derive(Debug)]
pub struct NoOverlayRules {
    /// The settings of the network plug-in are an object.
    pub object: &'static Rule,
    /// The overlay is not on.
    pub off: &'static Rule,
    /// The settings name the overlay.
    pub named: &'static Rule,
}

/// Checks the settings of the network plug-in of a Shoot with IPv6, whose addresses are routed without an overlay.
/// What is no overlay at all is accepted.
pub fn check_no_overlay(config: Option<&Value<'_>>, rules: &NoOverlayRules, report: &mut Report<'_>) {
    if let Some(config) = config.filter(|config| !matches!(config, Value::Object(_))) {
        let detail =
            format!("failed to decode networking provider config: expected an object, found {}", config.kind());
        report.error(rules.object, &CONFIG, ErrorType::Invalid, detail);
        return;
    }
    match config.and_then(|config| config.member("overlay")) {
        None => {
            let families = NETWORKING.key("ipFamilies");
            let fix = match config {
                Some(_) => PatchOperation::add(CONFIG.key("overlay").pointer(), &disabled()),
                None => PatchOperation::add(CONFIG.pointer(), &Value::object([("overlay", disabled())])),
            };
            report.error(rules.named, &families, ErrorType::Invalid, OFF).fix(vec![fix]);
        }
        Some(overlay) if overlay.get("enabled") == Some(&Value::Bool(true)) => {
            let path = CONFIG.key("overlay");
            report.error(rules.off, &path.key("enabled"), ErrorType::Invalid, OFF).fix_value(&Value::Bool(false));
        }
        Some(_) => {}
    }
}
