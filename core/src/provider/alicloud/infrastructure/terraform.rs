//! The state of the predecessor of the existing extension, which ran Terraform (`alicloud-policy` 5.5).

use super::names::{NAT_GATEWAY, SECURITY_GROUP, VPC};
use crate::document::Value;
use crate::gardener::infrastructure::terraform::{Terraform, text};
use crate::gardener::planning::state_form::zone_key;
use crate::policy::State;

/// Key that says that the state was once one of Terraform.
const MIGRATED: &str = "MigratedFromTerraform";

/// The recorded state from one of Terraform. The names of the resources of Terraform have the positions of zones
/// in the configuration.
pub fn migrate(document: &Value<'_>, config: Option<&Value<'_>>) -> Result<State, String> {
    let mut state = State::new();
    let Some(text) = text(document)? else { return Ok(state) };
    let terraform = Terraform::read(&text)?;
    if !terraform.has_outputs() {
        return Ok(state);
    }
    let mut record = |key: String, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            state.insert(key, value.to_owned());
        }
    };
    for &(name, key) in &[("vpc_id", VPC), ("sg_id", SECURITY_GROUP)] {
        record(key.to_owned(), terraform.output(name));
    }
    record(NAT_GATEWAY.to_owned(), terraform.resource_id("alicloud_nat_gateway", "nat_gateway"));
    let zones = config.and_then(|config| config.pointer("/networks/zones")).map(Value::items).unwrap_or_default();
    // Of several zones of a name the first one counts: it is recorded last.
    for (index, zone) in zones.iter().enumerate().rev() {
        let zone = zone.get("name").and_then(Value::as_str).unwrap_or_default();
        let id = |kind, name: &str| terraform.resource_id(kind, &format!("{name}_z{index}"));
        record(zone_key(zone, "Suffix"), Some(&format!("z{index}")));
        record(zone_key(zone, "NATGatewayElasticIP"), id("alicloud_eip", "eip_natgw"));
        record(zone_key(zone, "VSwitch"), id("alicloud_vswitch", "vsw"));
    }
    record(MIGRATED.to_owned(), Some("true"));
    Ok(state)
}
