//! The address space of Alibaba Cloud's Shoots: it shows the conflicts that `validate` complains about, and zones that
//! are added cause none.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::BTreeSet;

use json_patch::Patch;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use trellis_core::cidr::Cidr;
use trellis_tests::{corpus, vectors};

const PROVIDER: &str = "alicloud";

/// Rules about two ranges.
const RULES: [&str; 12] = [
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
];

fn call(function: &str, request: &Value) -> Value {
    serde_json::from_str(&trellis_core::call(PROVIDER, function, &request.to_string())).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Rules that complain about a pair of ranges, with the place and the words.
fn findings(request: &Value) -> BTreeSet<(String, String, String)> {
    let answer = call("validate", request);
    let findings = answer["findings"].as_array().into_iter().flatten();
    let about_ranges = findings.filter(|finding| RULES.contains(&finding["rule"].as_str().unwrap()));
    about_ranges
        .map(|finding| (text(&finding["rule"]), text(&finding["pointer"]), text(&finding["detail"])))
        .collect()
}

/// The range of which another one with this text is not a part, as they are of different protocols; or what is no
/// range at all.
fn is_beyond_a_picture(object: &Value, rule: &str, pointer: &str) -> bool {
    let outer = match rule {
        "ALI-INF-007" => "/spec/networking/nodes",
        "ALI-INF-014" | "ALI-INF-015" => "/spec/provider/infrastructureConfig/networks/vpc/cidr",
        _ => pointer,
    };
    let cidr = |pointer| object.pointer(pointer).and_then(Value::as_str).and_then(Cidr::parse);
    match (cidr(outer), cidr(pointer)) {
        (Some(outer), Some(inner)) => outer.family() != inner.family(),
        // Blocks are numbers, or not written.
        _ => !matches!(rule, "ALI-INF-024" | "ALI-INF-025"),
    }
}

/// Compares conflicts with findings; returns how many there are.
fn compare(object: &Value) -> usize {
    let request = json!({ "object": object });
    let found: BTreeSet<_> = findings(&request).into_iter().map(|(rule, pointer, _)| (rule, pointer)).collect();
    let answer = call("addresses", &request);
    let mut shown = BTreeSet::new();
    for space in answer["spaces"].as_array().into_iter().flatten() {
        for conflict in space["conflicts"].as_array().unwrap() {
            let second = usize::try_from(conflict["ranges"][1].as_u64().unwrap()).unwrap();
            let mut pointer = text(&space["ranges"][second]["pointer"]);
            if conflict["rule"] == "ALI-INF-024" {
                pointer.push_str("/ipv6CidrBlock");
            }
            if !conflict["rule"].is_null() {
                shown.insert((text(&conflict["rule"]), pointer));
            }
        }
    }
    let told: BTreeSet<_> =
        found.into_iter().filter(|(rule, pointer)| !is_beyond_a_picture(object, rule, pointer)).collect();
    assert_eq!(shown, told, "{object}\n{answer}");
    shown.len()
}

#[test]
fn conflicts_are_those_that_validate_complains_about() {
    let corpus = corpus::cases().into_iter().filter(|case| case.provider == PROVIDER);
    let requests = corpus.filter_map(|case| serde_json::from_str::<Value>(&case.request).ok());
    let vectors = vectors::admissions();
    let vectors = vectors.iter().filter(|admission| admission.provider == PROVIDER);
    let objects = requests.map(|request| request["object"].clone());
    let objects =
        objects.chain(vectors.flat_map(|admission| &admission.cases).map(|case| case.field("new").clone()));
    let shoots = objects.filter(|object| object["kind"] == "Shoot" && !is_malformed(object));
    let counts: Vec<usize> = shoots.map(|object| compare(&object)).collect();
    let conflicts: usize = counts.iter().sum();
    assert!(counts.len() > 800 && conflicts > 100, "{conflicts} conflicts in {} Shoots", counts.len());
}

fn is_malformed(object: &Value) -> bool {
    !call("validate", &json!({ "object": object }))["error"].is_null()
}

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

fn patched(object: &Value, answer: &Value) -> Value {
    let patch: Patch = serde_json::from_value(answer["patch"].clone()).unwrap();
    let mut object = object.clone();
    json_patch::patch(&mut object, &patch).unwrap();
    object
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn conflicts_of_any_network_are_those_that_validate_complains_about(object in shoot()) {
        compare(&object);
    }

    #[test]
    fn zones_that_are_added_cause_no_finding(object in shoot(), lengths in vec(proptest::option::of(15_u8..=30), 1..4)) {
        let add: Vec<Value> = lengths.iter().enumerate().map(|(index, length)| json!({ "name": format!("new-{index}"), "prefixLength": length })).collect();
        let answer = call("zones", &json!({ "object": object, "add": add }));
        if answer["error"].is_null() {
            let wider = patched(&object, &answer);
            let (before, after) = (findings(&json!({ "object": object })), findings(&json!({ "object": wider })));
            prop_assert!(after.is_subset(&before), "{answer}: {:?}", after.difference(&before));
            for zone in answer["zones"].as_array().unwrap() {
                prop_assert_eq!(wider.pointer(zone["pointer"].as_str().unwrap()), Some(&zone["cidr"]));
                prop_assert_eq!(&call("addresses", &json!({ "object": wider }))["error"], &Value::Null);
            }
            // One after the other is the same as all at once.
            let one_by_one = add.iter().fold(object.clone(), |object, zone| {
                patched(&object, &call("zones", &json!({ "object": object, "add": [zone] })))
            });
            prop_assert_eq!(one_by_one, wider);
        } else {
            prop_assert_eq!(&answer["error"]["code"], "Impossible", "{}", answer);
        }
    }

    #[test]
    fn a_zone_has_room_exactly_where_the_address_space_says_so(object in shoot(), length in 16_u8..=29) {
        let space = call("addresses", &json!({ "object": object }));
        let choice = &space["zones"];
        let add = |zone: Value| call("zones", &json!({ "object": object, "add": [zone] }));
        let has_room = choice["shortest"].as_u64().is_some_and(|shortest| u64::from(length) >= shortest);
        let answer = add(json!({ "name": "new", "prefixLength": length }));
        prop_assert_eq!(answer["error"].is_null(), has_room, "{} {}", space, answer);
        if has_room {
            let answer = add(json!({ "name": "new" }));
            let suffix = format!("/{}", choice["prefixLength"]);
            prop_assert!(answer["zones"][0]["cidr"].as_str().unwrap().ends_with(&suffix), "{} {}", choice, answer);
        }
    }
}
