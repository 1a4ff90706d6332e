//! NAT gateways (AZ-INF-080…101).

use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::provider::azure::api::{NatGateway, PublicIp, ZoneNatGateway};
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::validate::names::{PUBLIC_IP, RESOURCE_GROUP};
use crate::report::{ErrorType, Report, Rule, Severity};

/// The SKU of a gateway that names none.
pub const STANDARD: &str = "Standard";
const STANDARD_V2: &str = "StandardV2";
const SKUS: &[&str] = &[STANDARD, STANDARD_V2];

/// The SKU that counts.
pub fn sku(written: Option<&str>) -> &str {
    written.unwrap_or(STANDARD)
}

const DISABLED: &str = "NatGateway is disabled but additional NatGateway config is passed";

fn idle_timeout(rule: &'static Rule, minutes: Option<i32>, path: &Path<'_>, report: &mut Report<'_>) {
    if minutes.is_some_and(|minutes| !(4..=120).contains(&minutes)) {
        let detail = "idleConnectionTimeoutMinutes values must range between 4 and 120";
        report.error(rule, &path.key("idleConnectionTimeoutMinutes"), ErrorType::Invalid, detail);
    }
}

/// Judges the NAT gateway of the one subnet.
pub fn of_subnet(gateway: &NatGateway<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let minutes = gateway.idle_connection_timeout_minutes;
    if !gateway.enabled {
        if gateway.zone.is_some() || minutes.is_some() || gateway.ip_addresses.is_some() || gateway.sku.is_some() {
            report.error(&rules::INF_080, path, ErrorType::Invalid, DISABLED);
        }
        return;
    }
    idle_timeout(&rules::INF_081, minutes, path, report);
    let addresses = gateway.ip_addresses.as_deref().unwrap_or_default();
    let (zone, places) = (path.key("zone"), path.key("ipAddresses"));
    match (sku(gateway.sku), gateway.zone) {
        (STANDARD, None) if addresses.is_empty() => {}
        (STANDARD, None) => {
            let detail = "Public IPs can only be selected for zonal NatGateways";
            report.error(&rules::INF_083, &zone, ErrorType::Invalid, detail);
        }
        (STANDARD, Some(zone)) => in_zone(addresses, zone, &places, report),
        (STANDARD_V2, of_gateway) => {
            if of_gateway.is_some() {
                let detail = "zone cannot be specified when using StandardV2 SKU (StandardV2 is zone-redundant)";
                report.error(&rules::INF_087, &zone, ErrorType::Forbidden, detail).fix_removal();
            }
            for (index, _) in addresses.iter().enumerate().filter(|(_, address)| address.zone.is_some()) {
                let detail = "zone cannot be specified for IP addresses when using StandardV2 SKU (StandardV2 NAT \
                              Gateway and its IPs must be zone-redundant)";
                let path = places.index(index);
                report.error(&rules::INF_088, &path.key("zone"), ErrorType::Forbidden, detail).fix_removal();
            }
        }
        (other, _) => {
            check_one_of(&rules::INF_082, other, SKUS, &path.key("sku"), report);
        }
    }
}

/// Judges the public addresses of a gateway in a zone.
fn in_zone(addresses: &[PublicIp<'_>], zone: i32, path: &Path<'_>, report: &mut Report<'_>) {
    for (index, address) in addresses.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        report.text(&rules::INF_084, &path.key("resourceGroup"), address.resource_group, &RESOURCE_GROUP);
        report.text(&rules::INF_085, &path.key("name"), address.name, &PUBLIC_IP);
        if address.zone.is_some_and(|own| own != zone) {
            let detail =
                format!("Public IP can't be used as it is not in the same zone as the NatGateway (zone {zone})");
            report.error(&rules::INF_086, &path.key("zone"), ErrorType::Invalid, detail);
        }
    }
}

/// Judges the NAT gateway of a zone's subnet.
pub fn of_zone(gateway: &ZoneNatGateway<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let minutes = gateway.idle_connection_timeout_minutes;
    idle_timeout(&rules::INF_096, minutes, path, report);
    if !gateway.enabled {
        if minutes.is_some() || gateway.ip_addresses.is_some() || gateway.sku.is_some() {
            report.error(&rules::INF_097, path, ErrorType::Invalid, DISABLED);
        }
        return;
    }
    let places = path.key("ipAddresses");
    for (index, address) in gateway.ip_addresses.iter().flatten().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = places.index(index);
        report.text(&rules::INF_098, &path.key("resourceGroup"), address.resource_group, &RESOURCE_GROUP);
        report.text(&rules::INF_099, &path.key("name"), address.name, &PUBLIC_IP);
    }
    let place = path.key("sku");
    if let Some(sku) = gateway.sku {
        check_one_of(&rules::INF_100, sku, SKUS, &place, report);
        if sku != STANDARD {
            let detail = "Only Standard SKU can be configured for multi-subnet layout";
            report.error(&rules::INF_101, &place, ErrorType::Forbidden, detail).fix_removal();
        }
    }
}
