use serde_json::json;

use super::*;
use crate::service::vpc::fixture::Network;
use crate::testing::TestCloud;

#[test]
fn an_address_comes_and_goes() {
    let network = Network::new();
    let address = network.address();
    let status = || network.of_address(&address, "Status");
    assert_eq!(status(), Some(json!("Available")));
    let by_id = [("AllocationId", address.id.as_str())];
    network.call("vpc", "ReleaseEipAddress", &by_id);
    assert_eq!(status(), Some(json!("Releasing")));
    assert_eq!(network.refused("vpc", "ReleaseEipAddress", &by_id), "TaskConflict");
    assert_eq!(network.refused("vpc", "ModifyEipAddressAttribute", &by_id), "IncorrectEipStatus");
    network.step(2);
    assert_eq!(status(), None);
    for action in ["ReleaseEipAddress", "ModifyEipAddressAttribute"] {
        assert_eq!(network.refused("vpc", action, &by_id), "InvalidAllocationId.NotFound");
    }
}

#[test]
fn an_address_in_use_is_not_released() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let refused = network.refused("vpc", "ReleaseEipAddress", &[("AllocationId", &address.id)]);
    assert_eq!(refused, "IncorrectEipStatus");
}

#[test]
fn an_address_is_what_was_asked_for() {
    let cloud = TestCloud::new();
    let wanted = [
        ("Bandwidth", "100"),
        ("Name", "one"),
        ("Description", "d"),
        ("InternetChargeType", "PayByTraffic"),
        ("Tag.1.Key", "k"),
        ("Tag.1.Value", "v"),
    ];
    let id = cloud.text("vpc", "AllocateEipAddress", &wanted, "AllocationId");
    let reported = |field: &str| {
        let pointer = format!("/EipAddresses/EipAddress/0/{field}");
        cloud.call("vpc", "DescribeEipAddresses", &[("AllocationId", &id)]).pointer(&pointer).cloned()
    };
    for (field, value) in [
        ("Bandwidth", json!("100")),
        ("Name", json!("one")),
        ("Description", json!("d")),
        ("InternetChargeType", json!("PayByTraffic")),
        ("ChargeType", json!("PostPaid")),
        ("AllocationTime", json!("2026-01-02T03:04:05Z")),
        ("Tags", json!({ "Tag": [{ "Key": "k", "Value": "v" }] })),
        ("InstanceId", json!("")),
    ] {
        assert_eq!(reported(field), Some(value), "{field}");
    }
    let change = |name, value| {
        cloud.try_call("vpc", "ModifyEipAddressAttribute", &[("AllocationId", id.as_str()), (name, value)])
    };
    change("Bandwidth", "200").unwrap();
    change("Name", "two").unwrap();
    change("Description", "e").unwrap();
    assert_eq!(reported("Bandwidth"), Some(json!("200")));
    assert_eq!(reported("EipBandwidth"), Some(json!("200")));
    assert_eq!(reported("Name"), Some(json!("two")));
    assert_eq!(reported("Description"), Some(json!("e")));
    for (name, value, error) in [
        ("Bandwidth", "201", "InvalidBandwidth.Malformed"),
        ("Bandwidth", "501", "InvalidBandwidth.Malformed"),
        ("Name", "http://", "IllegalParam.Name"),
        ("Description", "http://", "IllegalParam.Description"),
    ] {
        assert_eq!(change(name, value).unwrap_err().error.code, error, "{name} {value}");
    }
}

#[test]
fn what_is_no_address_is_refused() {
    let cloud = TestCloud::new();
    for (given, error) in [
        (&[("Bandwidth", "0")][..], "InvalidBandwidth.Malformed"),
        (&[("Bandwidth", "201"), ("InternetChargeType", "PayByTraffic")], "InvalidBandwidth.Malformed"),
        (&[("Name", "http://")], "IllegalParam.Name"),
        (&[("Description", "http://")], "IllegalParam.Description"),
        (&[("ISP", "ChinaTelecom")], "IllegalParam.Isp"),
        (&[("InstanceChargeType", "PrePaid")], "InvalidInstanceChargeType"),
    ] {
        assert_eq!(cloud.refused("vpc", "AllocateEipAddress", given), error, "{given:?}");
    }
}

#[test]
fn the_quota_is_one_for_all_regions() {
    let cloud = TestCloud::with(serde_json::from_str(r#"{ "quotas": { "eips": 2 } }"#).unwrap());
    cloud.call("vpc", "AllocateEipAddress", &[("RegionId", "eu-central-1")]);
    cloud.call("vpc", "AllocateEipAddress", &[]);
    assert_eq!(cloud.refused("vpc", "AllocateEipAddress", &[]), "QuotaExceeded.Eip");
}

#[test]
fn addresses_are_found_by_what_they_are() {
    let network = Network::new();
    let gateway = network.gateway();
    let bound = network.bound_address(&gateway);
    network.call("vpc", "AllocateEipAddress", &[("Name", "free"), ("Tag.1.Key", "k")]);
    let both = format!("{},eip-x", bound.id);
    for (name, value, count) in [
        ("AllocationId", both.as_str(), 1),
        ("EipAddress", &bound.ip, 1),
        ("EipAddress", "192.0.2.1", 0),
        ("EipName", "free", 1),
        ("Status", "InUse", 1),
        ("Status", "Available", 1),
        ("AssociatedInstanceId", &gateway.id, 1),
        ("AssociatedInstanceType", "Nat", 1),
        ("AssociatedInstanceType", "EcsInstance", 0),
        ("ChargeType", "PostPaid", 2),
        ("ChargeType", "PrePaid", 0),
        ("ISP", "BGP", 2),
        ("Tag.1.Key", "k", 1),
        ("PageSize", "100", 2),
    ] {
        let found = network.get("DescribeEipAddresses", &[(name, value)], "/TotalCount");
        assert_eq!(found, Some(json!(count)), "{name} {value}");
    }
}

#[test]
fn addresses_go_round_until_all_are_taken() {
    let all: BTreeSet<Ipv4Addr> =
        (0..u64::from(BLOCK_SIZE)).filter_map(|number| address(number, &BTreeSet::new())).collect();
    assert_eq!(all.len(), BLOCK_SIZE as usize);
    assert_eq!(address(7, &all), None);
    let mut taken = all.clone();
    taken.remove(&Ipv4Addr::new(198, 18, 0, 3));
    assert_eq!(address(7, &taken), Some(Ipv4Addr::new(198, 18, 0, 3)));
}
