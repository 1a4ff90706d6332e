//! Zones with up to three ranges each.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Cloud, compare};

pub const CLOUD: Cloud = Cloud {
    provider: "aws",
    rules: &["AWS-INF-029", "AWS-INF-032", "AWS-INF-034", "AWS-INF-035", "AWS-INF-036"],
    outer: |rule| match rule {
        "AWS-INF-029" => Some("/spec/networking/nodes"),
        "AWS-INF-032" => Some("/spec/provider/infrastructureConfig/networks/vpc/cidr"),
        _ => None,
    },
    by_position: None,
    of_numbers: &[],
    name: |index| format!("new-{index}"),
    longest: 28,
};

/// Ranges that often have to do with each other.
fn range() -> impl Strategy<Value = String> {
    let ipv4 = (select(vec!["10.250", "10.251"]), 0_u8..16, 12_u8..=25)
        .prop_map(|(start, block, length)| format!("{start}.{}.0/{length}", block * 16));
    let other =
        select(vec!["fd00::/64", "fd00::/8", "0.0.0.0/0", "no range", "10.250.0.0/33", "::ffff:10.250.0.0/112"]);
    prop_oneof![20 => ipv4, 1 => other.prop_map(str::to_owned)]
}

fn shoot() -> impl Strategy<Value = Value> {
    let maybe = |weight| proptest::option::weighted(weight, range());
    let zone = (maybe(0.9), maybe(0.7), maybe(0.7)).prop_map(
        |(workers, public, internal)| json!({ "workers": workers, "public": public, "internal": internal }),
    );
    let vpc = prop_oneof![
        4 => range().prop_map(|cidr| json!({ "cidr": cidr })),
        2 => Just(json!({ "id": "vpc-1" })),
        1 => range().prop_map(|cidr| json!({ "cidr": cidr, "id": "vpc-1" })),
    ];
    let families = select(vec![json!(null), json!(["IPv4"]), json!(["IPv6"]), json!(["IPv4", "IPv6"])]);
    (maybe(0.9), maybe(0.9), maybe(0.9), vpc, vec(zone, 0..5), families).prop_map(
        |(nodes, pods, services, vpc, mut zones, families)| {
            for (index, zone) in zones.iter_mut().enumerate() {
                zone["name"] = format!("zone-{index}").into();
            }
            json!({
                "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
                "spec": {
                    "region": "eu-central-1",
                    "networking": { "nodes": nodes, "pods": pods, "services": services, "ipFamilies": families },
                    "provider": {
                        "workers": [{ "name": "w" }],
                        "infrastructureConfig": {
                            "apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1",
                            "kind": "InfrastructureConfig",
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
    fn zones_that_are_added_cause_no_finding(object in shoot(), lengths in vec(proptest::option::of(15_u8..=29), 1..4)) {
        CLOUD.added_zones_cause_no_finding(&object, &lengths)?;
    }

    #[test]
    fn a_zone_has_room_exactly_where_the_address_space_says_so(object in shoot(), length in 16_u8..=28) {
        CLOUD.a_zone_has_room_where_the_address_space_says_so(&object, length)?;
    }
}
