//! The state of the existing extension's predecessor, which ran Terraform (`alicloud-policy` 5.5).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::names::{NAT_GATEWAY, SECURITY_GROUP, VPC, zone_key};
use crate::document::{Value, parse};
use crate::policy::State;

/// Key that says that the state was Terraform's once.
const MIGRATED: &str = "MigratedFromTerraform";

/// Entries of the recorded state from Terraform's, `{ "data", "encoding" }`. Zones are those of the configuration: their
/// places in it are in the names of Terraform's resources.
pub fn migrate(document: &Value<'_>, config: Option<&Value<'_>>) -> Result<State, String> {
    let member = |key| document.get(key).and_then(Value::as_str).unwrap_or_default();
    let (data, encoding) = (member("data"), member("encoding"));
    let decoded;
    let data = match encoding {
        // Terraform never ran.
        "" | "none" if data.is_empty() => return Ok(State::new()),
        "none" => data,
        "base64" => {
            let bytes = STANDARD.decode(data).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            decoded = bytes.ok_or("could not decode terraform raw state data: it is no base64 of a text")?;
            &decoded
        }
        other => return Err(format!("unknown encoding of Terraformer raw state: {other}")),
    };
    let terraform = parse(data).map_err(|error| format!("could not decode terraform state: {error}"))?;
    let mut state = State::new();
    if terraform.get("outputs").is_none() {
        return Ok(state);
    }
    let mut record = |key: String, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            state.insert(key, value.to_owned());
        }
    };
    for (name, key) in [("vpc_id", VPC), ("sg_id", SECURITY_GROUP)] {
        record(key.to_owned(), terraform.at(&["outputs", name, "value"]).and_then(Value::as_str));
    }
    record(NAT_GATEWAY.to_owned(), id(&terraform, "alicloud_nat_gateway", "nat_gateway"));
    let zones = config.and_then(|config| config.pointer("/networks/zones")).map(Value::items).unwrap_or_default();
    // Of several zones of a name the first one counts: it is recorded last.
    for (index, zone) in zones.iter().enumerate().rev() {
        let zone = zone.get("name").and_then(Value::as_str).unwrap_or_default();
        record(zone_key(zone, "Suffix"), Some(&format!("z{index}")));
        record(
            zone_key(zone, "NATGatewayElasticIP"),
            id(&terraform, "alicloud_eip", &format!("eip_natgw_z{index}")),
        );
        record(zone_key(zone, "VSwitch"), id(&terraform, "alicloud_vswitch", &format!("vsw_z{index}")));
    }
    record(MIGRATED.to_owned(), Some("true"));
    Ok(state)
}

/// The id of a resource that Terraform manages, of which it has one instance.
fn id<'t>(terraform: &'t Value<'_>, kind: &str, name: &str) -> Option<&'t str> {
    let is = |resource: &&Value<'_>, key, text| resource.get(key).and_then(Value::as_str) == Some(text);
    let resources = terraform.get("resources").map(Value::items).unwrap_or_default();
    let resource = resources.iter().find(|resource| {
        is(resource, "mode", "managed") && is(resource, "type", kind) && is(resource, "name", name)
    })?;
    match resource.get("instances").map(Value::items) {
        Some([instance]) => instance.at(&["attributes", "id"])?.as_str(),
        _ => None,
    }
}
