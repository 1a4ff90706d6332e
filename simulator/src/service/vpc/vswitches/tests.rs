use serde_json::{Value, json};

use crate::settings::Settings;
use crate::testing::TestCloud;

const ZONE: &str = "cn-shanghai-a";

fn vpc(cloud: &TestCloud, parameters: &[(&str, &str)]) -> String {
    let id = cloud.text("vpc", "CreateVpc", &[&[("CidrBlock", "10.0.0.0/12")], parameters].concat(), "VpcId");
    cloud.step(3);
    id
}

fn vswitch(cloud: &TestCloud, vpc: &str, block: &str) -> String {
    let parameters = [("VpcId", vpc), ("ZoneId", ZONE), ("CidrBlock", block)];
    let id = cloud.text("vpc", "CreateVSwitch", &parameters, "VSwitchId");
    cloud.step(3);
    id
}

fn described(cloud: &TestCloud, id: &str) -> Value {
    cloud.call("vpc", "DescribeVSwitches", &[("VSwitchId", id)])["VSwitches"]["VSwitch"][0].clone()
}

#[test]
fn a_vswitch_comes_and_goes_with_its_route() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    let create = [("VpcId", vpc.as_str()), ("ZoneId", ZONE), ("CidrBlock", "10.0.0.0/24"), ("VSwitchName", "one")];
    let id = cloud.text("vpc", "CreateVSwitch", &create, "VSwitchId");
    let reported = described(&cloud, &id);
    assert_eq!(reported["Status"], "Pending");
    assert_eq!(reported["AvailableIpAddressCount"], 252);
    assert_eq!(reported["RouteTable"]["RouteTableType"], "System");
    let table = reported["RouteTable"]["RouteTableId"].as_str().unwrap();
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]), "IncorrectVSwitchStatus");
    let rename = [("VSwitchId", id.as_str()), ("VSwitchName", "two")];
    assert_eq!(cloud.refused("vpc", "ModifyVSwitchAttribute", &rename), "IncorrectVSwitchStatus");
    cloud.step(3);
    cloud.call("vpc", "ModifyVSwitchAttribute", &rename);
    let reported = cloud.call("vpc", "DescribeVSwitchAttributes", &[("VSwitchId", &id)]);
    assert_eq!([&reported["VSwitchName"], &reported["Status"], &reported["ZoneId"]], ["two", "Available", ZONE]);

    let local = || {
        let entries =
            cloud.call("vpc", "DescribeRouteEntryList", &[("RouteTableId", table), ("NextHopType", "local")]);
        entries["RouteEntrys"]["RouteEntry"].as_array().unwrap().clone()
    };
    assert_eq!(local()[0]["DestinationCidrBlock"], "10.0.0.0/24");
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]);
    assert_eq!(described(&cloud, &id)["Status"], "Pending");
    cloud.step(3);
    assert_eq!(described(&cloud, &id), Value::Null);
    assert_eq!(local(), Vec::<Value>::new());
    for action in ["DeleteVSwitch", "ModifyVSwitchAttribute", "DescribeVSwitchAttributes"] {
        assert_eq!(cloud.refused("vpc", action, &[("VSwitchId", &id)]), "InvalidVSwitchId.NotFound", "{action}");
    }
}

#[test]
fn what_no_vswitch_may_have_is_refused() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    vswitch(&cloud, &vpc, "10.1.0.0/24");
    let good = [("VpcId", vpc.as_str()), ("ZoneId", ZONE), ("CidrBlock", "10.2.0.0/24")];
    for (parameter, value, code) in [
        ("VpcId", "vpc-none", "InvalidVpcId.NotFound"),
        ("ZoneId", "eu-central-1a", "InvalidZoneId.NotFound"),
        ("CidrBlock", "", "MissingParam.CidrOrCidrMask"),
        ("CidrBlock", "10.2.0.1/24", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "10.0.0.0/15", "InvalidCirdrBlock.MaskLength"),
        ("CidrBlock", "10.2.0.0/30", "InvalidCirdrBlock.MaskLength"),
        ("CidrBlock", "192.168.0.0/24", "InvalidParameter"),
        ("CidrBlock", "10.1.0.0/16", "InvalidCidrBlock.Overlapped"),
        ("CidrBlock", "10.1.0.128/25", "InvalidCidrBlock.Overlapped"),
        ("VSwitchName", "http://name", "InvalidVSwitchName.Malformed"),
        ("Description", "http://text", "InvalidVSwitchDiscription.Malformed"),
        ("Ipv6CidrBlock", "1", "OperationFailed.VpcIpv6Disabled"),
        ("Ipv6CidrBlock", "256", "InvalidIpv6CidrBlock"),
        ("Ipv6CidrMask", "64", "MissingParameter"),
        ("Ipv6CidrMask", "65", "InvalidIpv6CidrMask"),
        ("VpcIpv6CidrBlock", "2001:db8::/56", "MissingParameter"),
    ] {
        let mut parameters = good.to_vec();
        parameters.retain(|(name, _)| *name != parameter);
        parameters.push((parameter, value));
        assert_eq!(cloud.refused("vpc", "CreateVSwitch", &parameters), code, "{parameter} {value}");
    }
    let leaving = self::vpc(&cloud, &[]);
    cloud.call("vpc", "DeleteVpc", &[("VpcId", &leaving)]);
    let parameters = [("VpcId", leaving.as_str()), ("ZoneId", ZONE), ("CidrBlock", "10.2.0.0/24")];
    assert_eq!(cloud.refused("vpc", "CreateVSwitch", &parameters), "IncorrectVpcStatus");
}

#[test]
fn vswitches_and_routes_mind_each_other() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    let first = vswitch(&cloud, &vpc, "10.1.0.0/24");
    let table = described(&cloud, &first)["RouteTable"]["RouteTableId"].clone();
    let gateway = [("VpcId", vpc.as_str()), ("VSwitchId", first.as_str()), ("NatType", "Enhanced")];
    let gateway = cloud.text("vpc", "CreateNatGateway", &gateway, "NatGatewayId");
    cloud.step(60);
    let second = vswitch(&cloud, &vpc, "10.2.0.0/24");
    let route = [
        ("RouteTableId", table.as_str().unwrap()),
        ("DestinationCidrBlock", "10.3.0.0/24"),
        ("NextHopType", "NatGateway"),
        ("NextHopId", gateway.as_str()),
    ];
    cloud.call("vpc", "CreateRouteEntry", &route);
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &second)]), "IncorrectRouteEntryStatus");
    cloud.step(3);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &second)]);
    let create = |block: &str| {
        let parameters = [("VpcId", vpc.as_str()), ("ZoneId", ZONE), ("CidrBlock", block)];
        cloud.try_call("vpc", "CreateVSwitch", &parameters).map(|_| ()).map_err(|refused| refused.error.code)
    };
    assert_eq!(create("10.3.0.0/24"), Err("InvalidCidrBlock.Overlapped"));
    assert_eq!(create("10.3.0.0/25"), Ok(()));
    let mut route = route;
    route[1].1 = "10.1.0.0/24";
    assert_eq!(cloud.refused("vpc", "CreateRouteEntry", &route), "InvalidCIDRBlock.Duplicate");
}

#[test]
fn a_vswitch_is_kept_while_it_holds_something() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    let (one, two) = (vswitch(&cloud, &vpc, "10.1.0.0/24"), vswitch(&cloud, &vpc, "10.2.0.0/24"));
    let refused = |id: &str| cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", id)]);
    let gateway = [("VpcId", vpc.as_str()), ("VSwitchId", one.as_str()), ("NatType", "Enhanced")];
    let gateway = cloud.call("vpc", "CreateNatGateway", &gateway);
    assert_eq!(refused(&one), "DependencyViolation.EnhancedNatgw");
    assert_eq!(cloud.refused("vpc", "DeleteVpc", &[("VpcId", &vpc)]), "DependencyViolation.NatGateway");
    assert_eq!(described(&cloud, &one)["AvailableIpAddressCount"], 251);
    cloud.step(60);

    let eip = cloud.call("vpc", "AllocateEipAddress", &[]);
    let id = gateway["NatGatewayId"].as_str().unwrap();
    let pair =
        [("AllocationId", eip["AllocationId"].as_str().unwrap()), ("InstanceId", id), ("InstanceType", "Nat")];
    cloud.call("vpc", "AssociateEipAddress", &pair);
    cloud.step(10);
    let snat = [
        ("SnatTableId", gateway["SnatTableIds"]["SnatTableId"][0].as_str().unwrap()),
        ("SourceVSwitchId", two.as_str()),
        ("SnatIp", eip["EipAddress"].as_str().unwrap()),
    ];
    cloud.call("vpc", "CreateSnatEntry", &snat);
    cloud.step(10);
    assert_eq!(refused(&two), "DependencyViolation.Snat");

    cloud.call("vpc", "DeleteNatGateway", &[("NatGatewayId", id), ("Force", "true")]);
    assert_eq!(refused(&one), "DependencyViolation.EnhancedNatgw");
    cloud.step(60);
    for id in [&one, &two] {
        cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", id)]);
    }
    cloud.step(3);
    cloud.call("vpc", "DeleteVpc", &[("VpcId", &vpc)]);
}

#[test]
fn instances_hold_vswitches_and_are_next_hops() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    let vpc = vpc.as_str();
    let group = cloud.text("ecs", "CreateSecurityGroup", &[("VpcId", vpc)], "SecurityGroupId");
    let id = vswitch(&cloud, vpc, "10.1.0.0/28");
    let images = cloud.call("ecs", "DescribeImages", &[("Architecture", "x86_64")]);
    let run = [
        ("ImageId", images["Images"]["Image"][0]["ImageId"].as_str().unwrap()),
        ("InstanceType", "ecs.g6.large"),
        ("SecurityGroupId", group.as_str()),
        ("VSwitchId", id.as_str()),
    ];
    let instance = cloud.call("ecs", "RunInstances", &run)["InstanceIdSets"]["InstanceIdSet"][0].clone();
    let instance = instance.as_str().unwrap();
    cloud.step(60);
    assert_eq!(described(&cloud, &id)["AvailableIpAddressCount"], 16 - 4 - 1);
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]), "DependencyViolation");

    let interfaces = cloud.call("ecs", "DescribeNetworkInterfaces", &[("VSwitchId", &id)]);
    let interface = interfaces["NetworkInterfaceSets"]["NetworkInterfaceSet"][0]["NetworkInterfaceId"].clone();
    let interface = interface.as_str().unwrap();
    let table = described(&cloud, &id)["RouteTable"]["RouteTableId"].clone();
    let table = table.as_str().unwrap();
    for (block, kind, hop) in [("1.0.0.0/8", "Instance", instance), ("2.0.0.0/8", "NetworkInterface", interface)] {
        let route =
            [("RouteTableId", table), ("DestinationCidrBlock", block), ("NextHopType", kind), ("NextHopId", hop)];
        cloud.call("vpc", "CreateRouteEntry", &route);
        cloud.step(3);
        cloud.call("vpc", "DeleteRouteEntry", &[route[0], route[1], route[3]]);
        cloud.step(3);
    }

    cloud.call("ecs", "DeleteInstance", &[("InstanceId", instance), ("Force", "true")]);
    cloud.step(60);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]);
    cloud.step(3);
    assert_eq!(cloud.refused("vpc", "DeleteVpc", &[("VpcId", vpc)]), "DependencyViolation.SecurityGroup");
    cloud.call("ecs", "DeleteSecurityGroup", &[("SecurityGroupId", &group)]);
    cloud.call("vpc", "DeleteVpc", &[("VpcId", vpc)]);
}

#[test]
fn load_balancers_hold_vswitches() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[]);
    let id = vswitch(&cloud, &vpc, "10.1.0.0/28");
    let create = [("AddressType", "intranet"), ("VpcId", vpc.as_str()), ("VSwitchId", id.as_str())];
    let balancer = cloud.text("slb", "CreateLoadBalancer", &create, "LoadBalancerId");
    assert_eq!(described(&cloud, &id)["AvailableIpAddressCount"], 16 - 4 - 1);
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]), "DependencyViolation");
    cloud.call("slb", "DeleteLoadBalancer", &[("LoadBalancerId", &balancer)]);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &id)]);
}

#[test]
fn vswitches_have_a_quota_in_each_vpc() {
    let settings: Settings = serde_json::from_str(r#"{ "quotas": { "vswitches": 1 } }"#).unwrap();
    let cloud = TestCloud::with(settings);
    let (one, two) = (vpc(&cloud, &[]), vpc(&cloud, &[]));
    vswitch(&cloud, &one, "10.0.0.0/24");
    vswitch(&cloud, &two, "10.0.0.0/24");
    let parameters = [("VpcId", one.as_str()), ("ZoneId", ZONE), ("CidrBlock", "10.0.1.0/24")];
    assert_eq!(cloud.refused("vpc", "CreateVSwitch", &parameters), "QuotaExceeded.VSwitch");
}

#[test]
fn writes_side_by_side_conflict_only_when_asked() {
    for conflicts in [false, true] {
        let cloud = TestCloud::with(Settings { vswitch_conflicts: conflicts, ..Settings::default() });
        let (one, two) = (vpc(&cloud, &[]), vpc(&cloud, &[]));
        let kept = vswitch(&cloud, &one, "10.0.0.0/24");
        let create = |vpc: &str, block: &str| {
            let parameters = [("VpcId", vpc), ("ZoneId", ZONE), ("CidrBlock", block)];
            cloud.try_call("vpc", "CreateVSwitch", &parameters).map(|_| ()).map_err(|refused| refused.error.code)
        };
        let expected = if conflicts { Err("IncorrectVSwitchStatus") } else { Ok(()) };
        assert_eq!(create(&one, "10.0.1.0/24"), Ok(()));
        assert_eq!(create(&one, "10.0.2.0/24"), expected);
        assert_eq!(create(&two, "10.0.2.0/24"), Ok(()));
        let deleted = cloud.try_call("vpc", "DeleteVSwitch", &[("VSwitchId", &kept)]);
        assert_eq!(deleted.map(|_| ()).map_err(|refused| refused.error.code), expected);
        cloud.step(3);
        assert_eq!(create(&one, "10.0.3.0/24"), Ok(()));
    }
}

#[test]
fn a_vswitch_gets_one_ipv6_block_of_its_vpc() {
    let cloud = TestCloud::new();
    let vpc = vpc(&cloud, &[("EnableIpv6", "true")]);
    let whole = cloud.call("vpc", "DescribeVpcs", &[("VpcId", &vpc)])["Vpcs"]["Vpc"][0]["Ipv6CidrBlock"].clone();
    let whole = whole.as_str().unwrap();
    let one = vswitch(&cloud, &vpc, "10.0.0.0/24");
    let modify = |id: &str, parameters: &[(&str, &str)]| {
        let parameters = [&[("VSwitchId", id)], parameters].concat();
        cloud
            .try_call("vpc", "ModifyVSwitchAttribute", &parameters)
            .map(|_| ())
            .map_err(|refused| refused.error.code)
    };
    assert_eq!(modify(&one, &[("EnableIPv6", "true")]), Err("MissingParameter"));
    assert_eq!(modify(&one, &[("EnableIPv6", "false"), ("Ipv6CidrBlock", "1")]), Err("InvalidParameter"));
    let other = [("Ipv6CidrBlock", "17"), ("VpcIpv6CidrBlock", "2001:db9::/56")];
    assert_eq!(modify(&one, &other), Err("InvalidParameter"));
    modify(&one, &[("Ipv6CidrBlock", "17"), ("VpcIpv6CidrBlock", whole)]).unwrap();
    assert_eq!(described(&cloud, &one)["Status"], "Pending");
    cloud.step(3);
    let reported = described(&cloud, &one);
    assert_eq!(reported["Ipv6CidrBlock"].as_str().unwrap(), whole.replace("00::/56", "11::/64"));
    assert_eq!(reported["EnabledIpv6"], true);

    assert_eq!(modify(&one, &[("Ipv6CidrBlock", "18")]), Err("OperationDenied.Ipv6CidrBlockAllocated"));
    let two = vswitch(&cloud, &vpc, "10.0.2.0/24");
    assert_eq!(modify(&two, &[("Ipv6CidrBlock", "17")]), Err("InvalidIpv6CidrBlock.Overlapped"));
    let without = vswitch(&cloud, &self::vpc(&cloud, &[]), "10.0.2.0/24");
    assert_eq!(modify(&without, &[("Ipv6CidrBlock", "17")]), Err("OperationFailed.VpcIpv6Disabled"));
    assert_eq!(modify(&one, &[("VSwitchName", "http://name")]), Err("InvalidVSwitchName.Malformed"));
    assert_eq!(modify(&one, &[("Description", "http://text")]), Err("InvalidVSwitchDiscription.Malformed"));
    modify(&one, &[("Ipv6CidrBlock", "17")]).unwrap();
    let create =
        [("VpcId", vpc.as_str()), ("ZoneId", ZONE), ("CidrBlock", "10.0.1.0/24"), ("Ipv6CidrBlock", "17")];
    assert_eq!(cloud.refused("vpc", "CreateVSwitch", &create), "InvalidIpv6CidrBlock.Overlapped");

    let table =
        [("RouteTableId", reported["RouteTable"]["RouteTableId"].as_str().unwrap()), ("IpVersion", "ipv6")];
    assert_eq!(cloud.call("vpc", "DescribeRouteEntryList", &table)["TotalCount"], 1);
    modify(&one, &[("EnableIPv6", "false")]).unwrap();
    cloud.step(3);
    assert_eq!(described(&cloud, &one)["Ipv6CidrBlock"], "");
    assert_eq!(cloud.call("vpc", "DescribeRouteEntryList", &table)["TotalCount"], 0);
    cloud.call("vpc", "CreateVSwitch", &create);
}

#[test]
fn vswitches_are_found_by_filters() {
    let cloud = TestCloud::new();
    let (first, second) = (vpc(&cloud, &[("EnableIpv6", "true")]), vpc(&cloud, &[]));
    let one = vswitch(&cloud, &first, "10.0.0.0/24");
    let create = [
        ("VpcId", second.as_str()),
        ("ZoneId", "cn-shanghai-b"),
        ("CidrBlock", "10.0.0.0/24"),
        ("VSwitchName", "two"),
        ("Tag.1.Key", "k"),
    ];
    let two = cloud.text("vpc", "CreateVSwitch", &create, "VSwitchId");
    cloud.step(3);
    cloud.call("vpc", "ModifyVSwitchAttribute", &[("VSwitchId", &one), ("Ipv6CidrBlock", "0")]);
    let reported = described(&cloud, &two);
    let table = reported["RouteTable"]["RouteTableId"].as_str().unwrap();
    let both = format!("{one},{two}");
    for (filter, found) in [
        (&[][..], vec![&one, &two]),
        (&[("VSwitchId", both.as_str())], vec![&one, &two]),
        (&[("VpcId", second.as_str())], vec![&two]),
        (&[("VSwitchName", "two")], vec![&two]),
        (&[("ZoneId", ZONE)], vec![&one]),
        (&[("RouteTableId", table)], vec![&two]),
        (&[("EnableIpv6", "true")], vec![&one]),
        (&[("IsDefault", "true")], vec![]),
        (&[("VSwitchOwnerId", "1")], vec![]),
        (&[("Tag.1.Key", "k")], vec![&two]),
        (&[("PageSize", "1"), ("PageNumber", "2")], vec![&two]),
    ] {
        let answer = cloud.call("vpc", "DescribeVSwitches", filter);
        let rows = answer["VSwitches"]["VSwitch"].as_array().unwrap();
        assert_eq!(rows.iter().map(|row| &row["VSwitchId"]).collect::<Vec<_>>(), found, "{filter:?}");
    }
    assert_eq!(cloud.call("vpc", "DescribeVSwitches", &[("VpcId", "vpc-none")])["TotalCount"], json!(0));
}
