//! VPC: networks, their gateways and their addresses.

pub mod deletion_protection;
pub mod eips;
mod errors;
#[cfg(test)]
mod fixture;
pub mod ipv6_gateways;
pub mod nat_gateways;
pub mod private_addresses;
pub mod regions;
pub mod route_entries;
pub mod route_tables;
pub mod snat_entries;
pub mod tags;
pub mod vpcs;
pub mod vswitches;

use ipnet::Ipv4Net;

use crate::action::{Call, Form, Rule, Service};

/// The service.
pub const SERVICE: Service = Service {
    name: "Vpc",
    version: "2016-04-28",
    code: "vpc",
    actions: &[
        regions::ACTIONS,
        vpcs::ACTIONS,
        vpcs::describe::ACTIONS,
        vswitches::ACTIONS,
        vswitches::describe::ACTIONS,
        nat_gateways::ACTIONS,
        nat_gateways::describe::ACTIONS,
        eips::ACTIONS,
        eips::association::ACTIONS,
        snat_entries::ACTIONS,
        route_tables::ACTIONS,
        route_entries::ACTIONS,
        route_entries::describe::ACTIONS,
        ipv6_gateways::ACTIONS,
        deletion_protection::ACTIONS,
        tags::ACTIONS,
    ],
    quotas: &[
        &vpcs::QUOTA,
        &vswitches::QUOTA,
        &nat_gateways::QUOTA,
        &eips::QUOTA,
        &eips::association::NAT_QUOTA,
        &snat_entries::QUOTA,
        &route_tables::QUOTA,
        &route_entries::QUOTA,
    ],
};

/// The name of a resource.
const NAME: Form = Form::Text(&Rule {
    what: "1 to 128 characters, not beginning with http:// or https://",
    check: |text| text.chars().count() <= 128 && !web(text),
});

/// The name of a resource, where the cloud asks for a letter at its beginning.
const LETTERED_NAME: Form = Form::Text(&Rule {
    what: "2 to 128 characters, beginning with a letter, and not with http:// or https://",
    check: |text| (2..=128).contains(&text.chars().count()) && text.starts_with(char::is_alphabetic) && !web(text),
});

/// The description of a resource.
const DESCRIPTION: Form = Form::Text(&Rule {
    what: "1 to 256 characters, not beginning with http:// or https://",
    check: |text| text.chars().count() <= 256 && !web(text),
});

fn web(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// The number of the account, as `OwnerId` is answered.
fn owner(call: &Call<'_>) -> i64 {
    call.caller.account.parse().unwrap_or_default()
}

/// Whether two blocks have addresses in common.
fn overlap(one: Ipv4Net, other: Ipv4Net) -> bool {
    one.contains(&other) || other.contains(&one)
}
