use serde_json::{Value, json};

use crate::service::addresses::vswitches;
use crate::settings::Settings;
use crate::testing::TestCloud;

fn attribute(cloud: &TestCloud, id: &str) -> Value {
    cloud.call("slb", "DescribeLoadBalancerAttribute", &[("LoadBalancerId", id)])
}

fn found(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
    let answer = cloud.call("slb", "DescribeLoadBalancers", parameters);
    let rows = answer["LoadBalancers"]["LoadBalancer"].as_array().unwrap().iter();
    rows.map(|row| row["LoadBalancerName"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_intranet_load_balancer_is_in_a_vswitch_and_holds_it() {
    let cloud = TestCloud::new();
    let (vpc, [vswitch, _]) = vswitches(&cloud);
    let create = [("LoadBalancerName", "a1b2"), ("VSwitchId", vswitch.as_str()), ("ClientToken", "t")];
    let answer = cloud.call("slb", "CreateLoadBalancer", &create);
    assert_eq!(answer["Address"], "10.0.0.252");
    assert_eq!((&answer["NetworkType"], &answer["VpcId"]), (&json!("vpc"), &json!(vpc)));
    assert_eq!(cloud.call("slb", "CreateLoadBalancer", &create), answer);
    let id = answer["LoadBalancerId"].as_str().unwrap();
    let reported = attribute(&cloud, id);
    for (field, value) in [
        ("AddressType", json!("intranet")),
        ("VSwitchId", json!(vswitch)),
        ("MasterZoneId", json!("cn-shanghai-a")),
        ("SlaveZoneId", json!("cn-shanghai-b")),
        ("LoadBalancerStatus", json!("active")),
        ("InternetChargeType", json!("paybytraffic")),
        ("DeleteProtection", json!("off")),
        ("CreateTime", json!("2026-01-02T03:04Z")),
        ("ListenerPorts", json!({ "ListenerPort": [] })),
    ] {
        assert_eq!(reported[field], value, "{field}");
    }
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]), "DependencyViolation");
    let vswitches = cloud.call("vpc", "DescribeVSwitches", &[("VSwitchId", &vswitch)]);
    assert_eq!(vswitches.pointer("/VSwitches/VSwitch/0/AvailableIpAddressCount"), Some(&json!(251)));
    cloud.call("slb", "DeleteLoadBalancer", &[("LoadBalancerId", id)]);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]);
}

#[test]
fn a_protected_load_balancer_cannot_be_deleted() {
    let cloud = TestCloud::new();
    let create = [
        ("DeleteProtection", "on"),
        ("ModificationProtectionStatus", "ConsoleProtection"),
        ("ModificationProtectionReason", "managed"),
    ];
    let id = cloud.text("slb", "CreateLoadBalancer", &create, "LoadBalancerId");
    let reported = attribute(&cloud, &id);
    assert_eq!((&reported["DeleteProtection"], &reported["NetworkType"]), (&json!("on"), &json!("classic")));
    assert_eq!(reported["ModificationProtectionReason"], "managed");
    let balancer = ("LoadBalancerId", id.as_str());
    assert_eq!(cloud.refused("slb", "DeleteLoadBalancer", &[balancer]), "OperationDenied.DeleteProtectionIsOn");
    cloud.call("slb", "SetLoadBalancerDeleteProtection", &[balancer, ("DeleteProtection", "off")]);
    cloud.call("slb", "DeleteLoadBalancer", &[balancer]);
    for (action, parameters) in [
        ("DeleteLoadBalancer", &[balancer][..]),
        ("DescribeLoadBalancerAttribute", &[balancer]),
        ("SetLoadBalancerDeleteProtection", &[balancer, ("DeleteProtection", "on")]),
    ] {
        assert_eq!(cloud.refused("slb", action, parameters), "InvalidLoadBalancerId.NotFound", "{action}");
    }
}

#[test]
fn load_balancers_are_found_by_what_they_have() {
    let cloud = TestCloud::new();
    let (vpc, [vswitch, _]) = vswitches(&cloud);
    let create =
        |parameters: &[(&str, &str)]| cloud.text("slb", "CreateLoadBalancer", parameters, "LoadBalancerId");
    let one =
        create(&[("LoadBalancerName", "one"), ("VSwitchId", &vswitch), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
    create(&[("LoadBalancerName", "two"), ("InternetChargeType", "paybybandwidth"), ("Bandwidth", "7")]);
    create(&[("LoadBalancerName", "three"), ("MasterZoneId", "cn-shanghai-c"), ("Tag.1.Key", "k")]);
    for (parameters, names) in [
        (&[][..], &["one", "two", "three"][..]),
        (&[("LoadBalancerId", one.as_str())], &["one"]),
        (&[("LoadBalancerName", "three,one")], &["one", "three"]),
        (&[("AddressType", "internet")], &["two", "three"]),
        (&[("NetworkType", "vpc")], &["one"]),
        (&[("NetworkType", "Classic")], &["two", "three"]),
        (&[("InternetChargeType", "paybybandwidth")], &["two"]),
        (&[("VpcId", &vpc), ("VSwitchId", &vswitch)], &["one"]),
        (&[("Address", "10.0.0.252")], &["one"]),
        (&[("MasterZoneId", "cn-shanghai-c")], &["three"]),
        (&[("SlaveZoneId", "cn-shanghai-a")], &["three"]),
        (&[("LoadBalancerStatus", "inactive")], &[]),
        (&[("AddressIPVersion", "ipv6")], &[]),
        (&[("PayType", "PrePay")], &[]),
        (&[("Tag.1.Key", "k")], &["one", "three"]),
        (&[("Tags", r#"[{"TagKey":"k","TagValue":"v"}]"#)], &["one"]),
        (&[("Tags", r#"[{"TagKey":"k"}]"#)], &["one", "three"]),
        (&[("PageSize", "2"), ("PageNumber", "2")], &["three"]),
    ] {
        assert_eq!(found(&cloud, parameters), names, "{parameters:?}");
    }
    assert_eq!(attribute(&cloud, &one)["Tags"], json!({ "Tag": [{ "TagKey": "k", "TagValue": "v" }] }));
    assert_eq!(cloud.refused("slb", "DescribeLoadBalancers", &[("PageSize", "101")]), "InvalidPageSize");
    assert_eq!(cloud.refused("slb", "DescribeLoadBalancers", &[("Tags", "k=v")]), "InvalidTags");
}

#[test]
fn what_is_wrong_with_a_load_balancer_is_said() {
    let cloud = TestCloud::new();
    let (vpc, [wide, narrow]) = vswitches(&cloud);
    let other = cloud.text("vpc", "CreateVpc", &[("CidrBlock", "10.1.0.0/16")], "VpcId");
    for _ in 0..4 {
        cloud.call("slb", "CreateLoadBalancer", &[("VSwitchId", &narrow)]);
    }
    cloud.call("slb", "CreateLoadBalancer", &[("VSwitchId", &wide), ("Address", "10.0.0.9")]);
    let (wide, narrow) = (("VSwitchId", wide.as_str()), ("VSwitchId", narrow.as_str()));
    for (parameters, code) in [
        (&[("VpcId", "vpc-x")][..], "InvalidVpcId.NotExist"),
        (&[("AddressType", "intranet")], "MissingParam.VSwitchId"),
        (&[("AddressType", "intranet"), ("VpcId", &vpc)], "MissingParam.VSwitchId"),
        (&[("VSwitchId", "vsw-x")], "VSwitchNotExist"),
        (&[wide, ("VpcId", &other)], "InvalidVSwitchId.NotFound"),
        (&[wide, ("AddressType", "internet")], "InvalidVSwitchId"),
        (&[wide, ("Address", "10.0.0.9")], "InvalidParameter"),
        (&[wide, ("Address", "10.0.0.254")], "InvalidParameter"),
        (&[wide, ("Address", "10.0.1.9")], "InvalidParameter"),
        (&[("Address", "10.0.0.8")], "InvalidAddress"),
        (&[narrow], "VSwitchAvailableIpNotExist"),
        (&[wide, ("MasterZoneId", "cn-beijing-a")], "InvalidZoneId.NotFound"),
        (&[wide, ("SlaveZoneId", "cn-beijing-a")], "InvalidZoneId.NotFound"),
        (
            &[("InstanceChargeType", "PayByCLCU"), ("InternetChargeType", "paybybandwidth")],
            "InvalidInternetChargeType",
        ),
        (&[("LoadBalancerName", "-a")], "InvalidLoadBalancerName"),
    ] {
        assert_eq!(cloud.refused("slb", "CreateLoadBalancer", parameters), code, "{parameters:?}");
    }
    let few = Settings { quotas: [("loadBalancers".to_owned(), 0)].into(), ..Settings::default() };
    let refused = TestCloud::with(few).refused("slb", "CreateLoadBalancer", &[]);
    assert_eq!(refused, "OperationForbidden.QuotaLimit");
}

#[test]
fn a_vswitch_that_goes_takes_no_load_balancer() {
    let cloud = TestCloud::new();
    let (_, [vswitch, _]) = vswitches(&cloud);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]);
    assert_eq!(cloud.refused("slb", "CreateLoadBalancer", &[("VSwitchId", &vswitch)]), "VSwitchNotExist");
}
