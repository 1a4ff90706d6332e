//! The network of a Shoot that Gardener's core API describes (AZ-SHOOT-011…017).

use crate::document::{Path, Value};
use crate::gardener::shoot::NETWORKING;
use crate::gardener::types::shoot::Networking;
use crate::provider::azure::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const CONFIG: Path<'_> = NETWORKING.key("providerConfig");

/// Judges the network.
pub fn validate(shoot: &Value<'_>, networking: Option<&Networking<'_>>, report: &mut Report<'_>) {
    let Some(networking) = networking else {
        let detail = "networking field can't be empty for Azure shoots";
        report.error(&rules::SHOOT_011, &NETWORKING, ErrorType::Required, detail);
        return;
    };
    if networking.nodes.is_none() {
        let detail = "a nodes CIDR must be provided for Azure shoots";
        report.error(&rules::SHOOT_012, &NETWORKING.key("nodes"), ErrorType::Required, detail);
    }
    if networking.network_type == Some("calico")
        && let Some(config) = shoot.at(&["spec", "networking", "providerConfig"])
    {
        calico(config, report);
    }
    families(shoot, report);
}

/// Calico has no overlay on Azure.
fn calico(config: &Value<'_>, report: &mut Report<'_>) {
    let kind = match config {
        Value::Object(_) | Value::Null => "",
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "bool",
    };
    if !kind.is_empty() {
        let detail = format!("json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}");
        report.error(&rules::SHOOT_013, &CONFIG, ErrorType::Internal, detail);
    }
    let Some(overlay @ Value::Object(_)) = config.member("overlay") else { return };
    let path = CONFIG.key("overlay");
    let path = path.key("enabled");
    match overlay.get("enabled") {
        Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => {
            let detail = "Calico overlay network is not supported on azure";
            report.error(&rules::SHOOT_014, &path, ErrorType::Forbidden, detail).fix_value(&Value::Bool(false));
        }
        other => {
            let found = other.map_or("nothing", Value::kind);
            let detail = format!("expected true or false, found {found}");
            report.error(&rules::SHOOT_015, &path, ErrorType::Invalid, detail).fix_value(&Value::Bool(false));
        }
    }
}

fn families(shoot: &Value<'_>, report: &mut Report<'_>) {
    let families = shoot.at(&["spec", "networking", "ipFamilies"]).map(Value::items).unwrap_or_default();
    let (rule, detail) = match families {
        [only] if only.as_str() == Some("IPv6") => {
            (&rules::SHOOT_016, "IPv6 single-stack networking is not supported")
        }
        [_, _, ..] => (&rules::SHOOT_017, "dual-stack networking is not supported"),
        _ => return,
    };
    report
        .error(rule, &NETWORKING.key("ipFamilies"), ErrorType::Invalid, detail)
        .fix_value(&Value::Array(vec![Value::string("IPv4")]));
}
