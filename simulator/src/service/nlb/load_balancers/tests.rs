use serde_json::{Value, json};

use crate::service::addresses::vswitches;
use crate::settings::Settings;
use crate::testing::TestCloud;

const ZONES: [&str; 2] = ["cn-shanghai-a", "cn-shanghai-b"];

fn created(cloud: &TestCloud, kind: &str, more: &[(&str, &str)]) -> (String, [String; 2]) {
    let (vpc, vswitches) = vswitches(cloud);
    let create = [
        ("AddressType", kind),
        ("VpcId", &vpc),
        ("ZoneMappings.1.ZoneId", ZONES[0]),
        ("ZoneMappings.1.VSwitchId", &vswitches[0]),
        ("ZoneMappings.2.ZoneId", ZONES[1]),
        ("ZoneMappings.2.VSwitchId", &vswitches[1]),
    ];
    let id = cloud.text("nlb", "CreateLoadBalancer", &[&create, more].concat(), "LoadbalancerId");
    (id, vswitches)
}

fn attribute(cloud: &TestCloud, id: &str) -> Value {
    cloud.call("nlb", "GetLoadBalancerAttribute", &[("LoadBalancerId", id)])
}

#[test]
fn a_load_balancer_comes_is_protected_and_goes() {
    let cloud = TestCloud::new();
    let protection = [("DeletionProtectionConfig.Enabled", "true"), ("DeletionProtectionConfig.Reason", "in-use")];
    let (id, vswitches) = created(&cloud, "Intranet", &[&protection[..], &[("Tag.1.Key", "k")]].concat());
    let balancer = ("LoadBalancerId", id.as_str());
    let reported = attribute(&cloud, &id);
    assert_eq!(reported["LoadBalancerStatus"], "Provisioning");
    assert_eq!(reported["Tags"], json!([{ "TagKey": "k", "TagValue": "" }]));
    assert_eq!(reported["DNSName"], format!("{id}.cn-shanghai.nlb.aliyuncsslb.com"));
    let zone = &reported["ZoneMappings"][1];
    assert_eq!((&zone["ZoneId"], &zone["VSwitchId"]), (&json!(ZONES[1]), &json!(vswitches[1])));
    let addresses = &zone["LoadBalancerAddresses"][0];
    assert_eq!(addresses["PrivateIPv4Address"], "10.0.1.4");
    assert_eq!(addresses["PublicIPv4Address"], Value::Null);
    for action in ["DeleteLoadBalancer", "UpdateLoadBalancerProtection"] {
        assert_eq!(cloud.refused("nlb", action, &[balancer]), "ResourceInCreating.loadbalancer");
    }

    cloud.step(60);
    assert_eq!(attribute(&cloud, &id)["LoadBalancerStatus"], "Active");
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitches[0])]), "DependencyViolation");
    let protected = cloud.refused("nlb", "DeleteLoadBalancer", &[balancer]);
    assert_eq!(protected, "OperationDenied.DeletionProtectionEnabled");
    let update = |more: &[(&str, &str)]| {
        cloud.call("nlb", "UpdateLoadBalancerProtection", &[&[balancer], more].concat());
    };
    update(&[("ModificationProtectionStatus", "ConsoleProtection"), ("ModificationProtectionReason", "managed")]);
    let reported = attribute(&cloud, &id);
    assert_eq!(reported["DeletionProtectionConfig"]["Reason"], "in-use");
    assert_eq!(
        reported["ModificationProtectionConfig"],
        json!({ "Status": "ConsoleProtection", "EnabledTime": "2026-01-02T03:05:14Z", "Reason": "managed" })
    );
    update(&[("DeletionProtectionEnabled", "false")]);
    assert_eq!(attribute(&cloud, &id)["DeletionProtectionConfig"]["Enabled"], false);

    assert!(!cloud.text("nlb", "DeleteLoadBalancer", &[balancer], "JobId").is_empty());
    assert_eq!(attribute(&cloud, &id)["LoadBalancerStatus"], "Deleting");
    for action in ["DeleteLoadBalancer", "UpdateLoadBalancerProtection"] {
        assert_eq!(cloud.refused("nlb", action, &[balancer]), "IncorrectStatus.loadbalancer", "{action}");
    }
    cloud.step(20);
    for action in ["DeleteLoadBalancer", "UpdateLoadBalancerProtection", "GetLoadBalancerAttribute"] {
        assert_eq!(cloud.refused("nlb", action, &[balancer]), "ResourceNotFound.loadBalancer", "{action}");
    }
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitches[0])]);
}

#[test]
fn load_balancers_are_found_by_what_they_have() {
    let cloud = TestCloud::new();
    let (one, _) = created(&cloud, "Intranet", &[("LoadBalancerName", "one"), ("Tag.1.Key", "k")]);
    cloud.step(60);
    let (two, _) = created(&cloud, "Internet", &[("LoadBalancerName", "two")]);
    let found = |parameters: &[(&str, &str)]| -> Vec<String> {
        let answer = cloud.call("nlb", "ListLoadBalancers", parameters);
        let rows = answer["LoadBalancers"].as_array().unwrap().iter();
        rows.map(|row| row["LoadBalancerId"].as_str().unwrap().to_owned()).collect()
    };
    let addresses = attribute(&cloud, &two);
    let public =
        |zone: usize| addresses["ZoneMappings"][zone]["LoadBalancerAddresses"][0]["PublicIPv4Address"].clone();
    assert!(public(0).is_string());
    assert_ne!(public(0), public(1));
    let vpc = attribute(&cloud, &one)["VpcId"].as_str().unwrap().to_owned();
    for (parameters, ids) in [
        (&[][..], &[&one, &two][..]),
        (&[("LoadBalancerIds.1", two.as_str())], &[&two]),
        (&[("LoadBalancerNames.1", "one")], &[&one]),
        (&[("LoadBalancerStatus", "Provisioning")], &[&two]),
        (&[("LoadBalancerBusinessStatus", "Abnormal")], &[]),
        (&[("AddressType", "Internet")], &[&two]),
        (&[("AddressIpVersion", "DualStack")], &[]),
        (&[("Ipv6AddressType", "Internet")], &[]),
        (&[("DNSName", "x")], &[]),
        (&[("VpcIds.1", &vpc)], &[&one]),
        (&[("ZoneId", "cn-shanghai-b")], &[&one, &two]),
        (&[("ZoneId", "cn-shanghai-c")], &[]),
        (&[("Tag.1.Key", "k")], &[&one]),
    ] {
        let ids: Vec<String> = ids.iter().map(|id| (*id).clone()).collect();
        assert_eq!(found(parameters), ids, "{parameters:?}");
    }
    let page = cloud.call("nlb", "ListLoadBalancers", &[("MaxResults", "1")]);
    assert_eq!(page["TotalCount"], 2);
    assert_eq!(page["LoadBalancers"][0]["Tags"], json!([{ "Key": "k", "Value": "" }]));
    let token = ("NextToken", page["NextToken"].as_str().unwrap());
    let page = cloud.call("nlb", "ListLoadBalancers", &[("MaxResults", "1"), token]);
    assert_eq!((&page["LoadBalancers"][0]["LoadBalancerId"], &page["NextToken"]), (&json!(two), &Value::Null));
    assert_eq!(cloud.refused("nlb", "ListLoadBalancers", &[("NextToken", "x")]), "IllegalParam.nextToken");
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
    let refused = |cloud: &TestCloud, vpc: &str, zones: &[(&str, &str, &str)]| {
        let mut parameters = vec![("AddressType".to_owned(), "Intranet"), ("VpcId".to_owned(), vpc)];
        for (number, (zone, vswitch, address)) in (1..).zip(zones) {
            parameters.push((format!("ZoneMappings.{number}.ZoneId"), zone));
            parameters.push((format!("ZoneMappings.{number}.VSwitchId"), vswitch));
            parameters.push((format!("ZoneMappings.{number}.PrivateIPv4Address"), address));
        }
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        cloud.refused("nlb", "CreateLoadBalancer", &parameters)
    };
    let (a, b) = ((ZONES[0], wide.as_str(), ""), (ZONES[1], narrow.as_str(), ""));
    for (vpc, zones, code) in [
        (&vpc, &[][..], "MissingZoneMappings"),
        (&vpc, &[a], "InvalidZones"),
        (&vpc, &[a, a], "OperationFailed.DuplicateZones."),
        (&"vpc-x".to_owned(), &[a, b], "ResourceNotFound.Vpc"),
        (&other, &[a, b], "ResourceNotFound.VSwitch"),
        (&vpc, &[a, (ZONES[1], "vsw-x", "")], "ResourceNotFound.VSwitch"),
        (&vpc, &[a, ("cn-shanghai-c", narrow.as_str(), "")], "Mismatch.ZoneIdAndVswitchId"),
        (&vpc, &[a, b], "ResourceNotEnough.VSwitchIp"),
        (&vpc, &[(ZONES[0], wide.as_str(), "10.0.0.9"), b], "ResourceInUse.IP"),
        (&vpc, &[(ZONES[0], wide.as_str(), "10.0.1.9"), b], "IllegalParam.PrivateIPv4Address"),
    ] {
        assert_eq!(refused(&cloud, vpc, zones), code, "{zones:?}");
    }
    let few = Settings { quotas: [("networkLoadBalancers".to_owned(), 0)].into(), ..Settings::default() };
    assert_eq!(refused(&TestCloud::with(few), &vpc, &[a, b]), "QuotaExceeded.LoadBalancersNum");
}
