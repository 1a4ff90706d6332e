//! Zones with a range each, in VPCs with IPv6 blocks.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Cloud, compare};

pub const CLOUD: Cloud = Cloud {
    provider: "alicloud",
    rules: &[
        "ALI-INF-007",
        "ALI-INF-014",
        "ALI-INF-015",
        "ALI-INF-016",
        "ALI-INF-018",
        "ALI-INF-019",
        "ALI-INF-020",
        "ALI-INF-024",
        "ALI-INF-025",
        "ALI-NET-003",
        "ALI-NET-004",
        "ALI-NET-005",
    ],
    outer: |rule| match rule {
        "ALI-INF-007" => Some("/spec/networking/nodes"),
        "ALI-INF-014" | "ALI-INF-015" => Some("/spec/provider/infrastructureConfig/networks/vpc/cidr"),
        _ => None,
    },
    by_position: Some(("ALI-INF-024", "/ipv6CidrBlock")),
    // Blocks are numbers, or not written.
    of_numbers: &["ALI-INF-024", "ALI-INF-025"],
    name: |index| format!("new-{index}"),
    longest: 29,
};

/// Ranges that often have to do with each other.
fn range() -> impl Strategy<Value = String> {
    let ipv4 = (select(vec!["10.250", "10.251", "100.64"]), 0_u8..8, 11_u8..=24)
        .prop_map(|(start, block, length)| format!("{start}.{}.0/{length}", block * 32));
    let other =
        select(vec!["fd00::/64", "fd00::/8", "0.0.0.0/0", "no range", "10.250.0.0/33", "::ffff:10.250.0.0/112"]);
    prop_oneof![20 => ipv4, 1 => other.prop_map(str::to_owned)]
}

fn shoot() -> impl Strategy<Value = Value> {
    let zone = (
        range(),
        proptest::option::weighted(0.1, range()),
        proptest::option::weighted(0.3, prop_oneof![0_i64..4, Just(256)]),
    )
        .prop_map(
            |(workers, worker, block)| json!({ "workers": workers, "worker": worker, "ipv6CidrBlock": block }),
        );
    let vpc = prop_oneof![
        4 => range().prop_map(|cidr| json!({ "cidr": cidr })),
        2 => Just(json!({ "id": "vpc-1" })),
        1 => range().prop_map(|cidr| json!({ "cidr": cidr, "id": "vpc-1" })),
    ];
    let maybe = || proptest::option::weighted(0.9, range());
    (maybe(), maybe(), maybe(), vpc, vec(zone, 0..6), any::<bool>()).prop_map(
        |(nodes, pods, services, vpc, mut zones, dual_stack)| {
            for (index, zone) in zones.iter_mut().enumerate() {
                zone["name"] = format!("zone-{index}").into();
            }
            json!({
                "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
                "spec": {
                    "region": "eu-central-1",
                    "networking": { "nodes": nodes, "pods": pods, "services": services },
                    "provider": {
                        "workers": [{ "name": "w" }],
                        "infrastructureConfig": {
                            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                            "kind": "InfrastructureConfig",
                            "dualStack": { "enabled": dual_stack },
                            "networks": { "vpc": vpc, "zones": zones },
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
    fn conflicts_of_any_network_are_those_that_validate_complains_about(object in shoot()) {
        compare(&CLOUD, &object);
    }

    #[test]
    fn zones_that_are_added_cause_no_finding(object in shoot(), lengths in vec(proptest::option::of(15_u8..=30), 1..4)) {
        CLOUD.added_zones_cause_no_finding(&object, &lengths)?;
    }

    #[test]
    fn a_zone_has_room_exactly_where_the_address_space_says_so(object in shoot(), length in 16_u8..=29) {
        CLOUD.a_zone_has_room_where_the_address_space_says_so(&object, length)?;
    }
}
