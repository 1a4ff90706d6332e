//! One subnet, or zones with a range each, in a virtual network.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Cloud, compare};

pub const CLOUD: Cloud = Cloud {
    provider: "azure",
    rules: &[
        "AZ-INF-051",
        "AZ-INF-052",
        "AZ-INF-062",
        "AZ-INF-063",
        "AZ-INF-064",
        "AZ-INF-065",
        "AZ-INF-072",
        "AZ-INF-103",
        "AZ-INF-104",
        "AZ-INF-105",
        "AZ-INF-106",
    ],
    outer: |rule| match rule {
        "AZ-INF-051" | "AZ-INF-052" => Some("/spec/provider/infrastructureConfig/networks/workers"),
        "AZ-INF-062" | "AZ-INF-063" | "AZ-INF-064" | "AZ-INF-065" => {
            Some("/spec/provider/infrastructureConfig/networks/vnet/cidr")
        }
        "AZ-INF-072" | "AZ-INF-103" => Some("/spec/networking/nodes"),
        _ => None,
    },
    by_position: None,
    of_numbers: &[],
    name: |index| (index + 7).to_string(),
    longest: 29,
};

/// Ranges that often have to do with each other.
fn range() -> impl Strategy<Value = String> {
    let ipv4 = (select(vec!["10.250", "10.251"]), 0_u8..16, 12_u8..=25)
        .prop_map(|(start, block, length)| format!("{start}.{}.0/{length}", block * 16));
    let other =
        select(vec!["fd00::/64", "fd00::/8", "0.0.0.0/0", "no range", "10.250.0.0/33", "::ffff:10.250.0.0/112"]);
    prop_oneof![20 => ipv4, 1 => other.prop_map(str::to_owned)]
}

/// A Shoot with so many zones.
fn shoot(zones: Range<usize>) -> impl Strategy<Value = Value> {
    let maybe = |weight| proptest::option::weighted(weight, range());
    let vnet = prop_oneof![
        4 => range().prop_map(|cidr| json!({ "cidr": cidr })),
        2 => Just(json!({})),
        2 => Just(json!({ "name": "vnet-1", "resourceGroup": "landing" })),
        1 => range().prop_map(|cidr| json!({ "cidr": cidr, "ddosProtectionPlanID": "plan" })),
    ];
    let zones = vec(range(), zones);
    (maybe(0.9), maybe(0.9), maybe(0.9), vnet, maybe(0.3), zones, select(vec![true, true, false])).prop_map(
        |(nodes, pods, services, vnet, workers, zones, zoned)| {
            let zones = zones.into_iter().enumerate().map(|(index, cidr)| json!({ "name": index, "cidr": cidr }));
            json!({
                "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
                "spec": {
                    "region": "westeurope",
                    "networking": { "nodes": nodes, "pods": pods, "services": services },
                    "provider": {
                        "workers": [{ "name": "w" }],
                        "infrastructureConfig": {
                            "apiVersion": "azure.provider.extensions.gardener.cloud/v1alpha1",
                            "kind": "InfrastructureConfig",
                            "zoned": zoned,
                            "networks": { "vnet": vnet, "workers": workers, "zones": zones.collect::<Vec<_>>() },
                        },
                    },
                },
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn conflicts_of_any_network_are_those_that_validate_complains_about(object in shoot(0..5)) {
        compare(&CLOUD, &object);
    }

    /// Of a Shoot without any subnet, nothing is compared before.
    #[test]
    fn zones_that_are_added_cause_no_finding(object in shoot(1..5), lengths in vec(proptest::option::of(15_u8..=30), 1..4)) {
        CLOUD.added_zones_cause_no_finding(&object, &lengths)?;
    }

    #[test]
    fn a_zone_has_room_exactly_where_the_address_space_says_so(object in shoot(0..5), length in 16_u8..=29) {
        CLOUD.a_zone_has_room_where_the_address_space_says_so(&object, length)?;
    }
}
