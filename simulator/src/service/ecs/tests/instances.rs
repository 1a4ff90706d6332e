use serde_json::{Value, json};

use super::{cloud, group, texts, vpc, vswitch};
use crate::settings::Settings;
use crate::testing::TestCloud;

const LIST: &str = "/Instances/Instance";

/// A cloud with a VSwitch and a security group.
struct Site {
    cloud: TestCloud,
    vpc: String,
    vswitch: String,
    group: String,
}

impl Site {
    fn new(settings: Settings) -> Self {
        let cloud = cloud(settings);
        let vpc = vpc(&cloud);
        let (vswitch, group) = (vswitch(&cloud, &vpc), group(&cloud, &vpc));
        Self { cloud, vpc, vswitch, group }
    }

    /// What runs an instance, and what is said otherwise of it.
    fn reported<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let usual = [
            ("ImageId", "m-own"),
            ("InstanceType", "ecs.g7.large"),
            ("VSwitchId", self.vswitch.as_str()),
            ("SecurityGroupId", self.group.as_str()),
        ];
        let reported = |name| more.iter().any(|(other, _)| *other == name);
        usual.into_iter().filter(|(name, _)| !reported(*name)).chain(more.iter().copied()).collect()
    }

    fn run(&self, more: &[(&str, &str)]) -> String {
        let answer = self.cloud.call("ecs", "RunInstances", &self.reported(more));
        answer["InstanceIdSets"]["InstanceIdSet"][0].as_str().unwrap().to_owned()
    }

    fn instance(&self, id: &str) -> Value {
        let ids = format!("[\"{id}\"]");
        self.cloud.call("ecs", "DescribeInstances", &[("InstanceIds", &ids)])["Instances"]["Instance"][0].clone()
    }

    fn status(&self, id: &str) -> Value {
        self.instance(id)["Status"].clone()
    }

    fn ids(&self, parameters: &[(&str, &str)]) -> Vec<String> {
        texts(&self.cloud.call("ecs", "DescribeInstances", parameters), LIST, "InstanceId")
    }
}

#[test]
fn an_instance_starts_stops_and_goes() {
    let site = Site::new(Settings::default());
    let id = site.run(&[
        ("InstanceName", "shoot-bastion"),
        ("ZoneId", "cn-shanghai-a"),
        ("InternetMaxBandwidthOut", "5"),
        ("UserData", "IyEvYmluL3No"),
        ("KeyPairName", "pair"),
        ("Tag.1.Key", "k"),
        ("Tag.1.Value", "v"),
    ]);
    let (cloud, this) = (&site.cloud, ("InstanceId", id.as_str()));
    assert_eq!(site.status(&id), "Pending");
    let early = cloud.refused("ecs", "DeleteInstance", &[this, ("Force", "true")]);
    assert_eq!(early, "IncorrectInstanceStatus.Initializing");
    cloud.step(10);
    assert_eq!(site.status(&id), "Starting");
    cloud.step(20);
    let running = site.instance(&id);
    for (field, value) in [
        ("Status", json!("Running")),
        ("InstanceName", json!("shoot-bastion")),
        ("ZoneId", json!("cn-shanghai-a")),
        ("Cpu", json!(2)),
        ("Memory", json!(8192)),
        ("KeyPairName", json!("pair")),
        ("CreationTime", json!("2026-01-02T03:06Z")),
        ("StartTime", json!("2026-01-02T03:06Z")),
        ("StoppedMode", json!("Not-applicable")),
        ("PublicIpAddress", json!({ "IpAddress": ["198.19.128.1"] })),
        ("SecurityGroupIds", json!({ "SecurityGroupId": [site.group] })),
        ("Tags", json!({ "Tag": [{ "TagKey": "k", "TagValue": "v" }] })),
    ] {
        assert_eq!(running[field], value, "{field}");
    }
    assert_eq!(
        running["VpcAttributes"],
        json!({
            "VpcId": site.vpc, "VSwitchId": site.vswitch, "NatIpAddress": "",
            "PrivateIpAddress": { "IpAddress": ["10.1.0.4"] },
        })
    );
    assert_eq!(cloud.text("ecs", "AllocatePublicIpAddress", &[this], "IpAddress"), "198.19.128.1");

    assert_eq!(cloud.refused("ecs", "StartInstance", &[this]), "IncorrectInstanceStatus");
    assert_eq!(cloud.refused("ecs", "DeleteInstance", &[this]), "IncorrectInstanceStatus");
    cloud.call("ecs", "StopInstance", &[this, ("StoppedMode", "StopCharging")]);
    assert_eq!(site.status(&id), "Stopping");
    cloud.step(20);
    let stopped = site.instance(&id);
    assert_eq!((&stopped["Status"], &stopped["StoppedMode"]), (&json!("Stopped"), &json!("StopCharging")));
    assert_eq!(cloud.refused("ecs", "StopInstance", &[this]), "IncorrectInstanceStatus");
    cloud.call("ecs", "StartInstance", &[this]);
    assert_eq!(site.status(&id), "Starting");
    cloud.step(20);
    cloud.call("ecs", "StopInstance", &[this, ("ForceStop", "true")]);
    assert_eq!(site.status(&id), "Stopped");
    cloud.call("ecs", "DeleteInstance", &[this]);
    assert_eq!(cloud.refused("ecs", "StartInstance", &[this]), "IncorrectInstanceStatus");
    cloud.call("ecs", "DeleteInstance", &[this]);
    cloud.step(5);
    assert_eq!(site.status(&id), Value::Null);
    for action in ["StartInstance", "StopInstance", "DeleteInstance", "AllocatePublicIpAddress"] {
        assert_eq!(cloud.refused("ecs", action, &[this]), "InvalidInstanceId.NotFound", "{action}");
    }
}

#[test]
fn all_instances_of_a_call_are_deleted_or_none() {
    let site = Site::new(Settings::default());
    let (one, two) = (site.run(&[]), site.run(&[("DeletionProtection", "true")]));
    site.cloud.step(30);
    let delete = |ids: [&str; 2], force: &str| {
        let parameters = [("InstanceId.1", ids[0]), ("InstanceId.2", ids[1]), ("Force", force)];
        site.cloud.try_call("ecs", "DeleteInstances", &parameters).map_err(|error| error.error.code)
    };
    assert_eq!(delete([&one, "i-none"], "true"), Err("InvalidInstanceId.NotFound"));
    assert_eq!(delete([&one, &one], "false"), Err("IncorrectInstanceStatus"));
    assert_eq!(delete([&one, &two], "true"), Err("InvalidOperation.DeletionProtection"));
    let three = site.run(&[]);
    assert_eq!(delete([&one, &three], "true"), Err("IncorrectInstanceStatus.Initializing"));
    let protected = [("InstanceId", two.as_str()), ("Force", "true")];
    assert_eq!(site.cloud.refused("ecs", "DeleteInstance", &protected), "InvalidOperation.DeletionProtection");
    site.cloud.step(30);
    delete([&one, &three], "true").unwrap();
    assert_eq!(site.status(&one), "Stopping");
    site.cloud.step(5);
    assert_eq!(site.ids(&[]), [two]);
}

#[test]
fn what_cannot_run_is_refused() {
    let settings = json!({ "quotas": { "instances": 20, "securityGroupInstances": 10 } });
    let site = Site::new(serde_json::from_value(settings).unwrap());
    let far = group(&site.cloud, &vpc(&site.cloud));
    let copy = site.cloud.text("ecs", "CopyImage", &[("ImageId", "m-own")], "ImageId");
    let block = [("VpcId", site.vpc.as_str()), ("CidrBlock", "10.2.0.0/28"), ("ZoneId", "cn-shanghai-a")];
    let pending = site.cloud.text("vpc", "CreateVSwitch", &block, "VSwitchId");
    let long = "A".repeat(44 << 10);
    for (more, code) in [
        (&[("ImageId", "")][..], "MissingParameter"),
        (&[("InstanceType", "")], "MissingParameter"),
        (&[("VSwitchId", "")], "MissingParameter"),
        (&[("SecurityGroupId", "")], "MissingParameter"),
        (&[("ImageId", "m-other")], "InvalidImageId.NotFound"),
        (&[("ImageId", copy.as_str())], "IncorrectImageStatus"),
        (&[("ImageId", "m-arm")], "ImageNotSupportInstanceType"),
        (&[("InstanceType", "ecs.none")], "InvalidInstanceType.ValueNotSupported"),
        (&[("VSwitchId", "vsw-none")], "InvalidVSwitchId.NotFound"),
        (&[("VSwitchId", pending.as_str())], "IncorrectVSwitchStatus"),
        (&[("ZoneId", "cn-shanghai-b")], "InvalidZoneId.Mismatch"),
        (&[("SecurityGroupId", "sg-none")], "InvalidSecurityGroupId"),
        (&[("SecurityGroupId", far.as_str())], "OperationDenied.InconsistentNetwork"),
        (&[("SecurityGroupIds.1", far.as_str())], "InvalidParameter"),
        (&[("Amount", "11")], "SecurityGroupInstanceLimitExceed"),
        (&[("Amount", "10")], "InvalidVSwitchId.IpNotEnough"),
        (&[("Amount", "2"), ("PrivateIpAddress", "10.1.0.5")], "InvalidParameter"),
        (&[("PrivateIpAddress", "10.1.0.3")], "InvalidPrivateIpAddress.NotInVSwitch"),
        (&[("PrivateIpAddress", "10.1.0.13")], "InvalidPrivateIpAddress.NotInVSwitch"),
        (&[("SystemDisk.Category", "tape")], "InvalidDiskCategory.ValueNotSupported"),
        (&[("DataDisk.1.Category", "tape")], "InvalidDiskCategory.ValueNotSupported"),
        (&[("SystemDisk.Size", "19")], "InvalidSystemDiskSize.LessThanImageSize"),
        (&[("UserData", "#!/bin/sh")], "InvalidUserData.Base64FormatInvalid"),
        (&[("UserData", long.as_str())], "InvalidUserData.Base64FormatInvalid"),
        (&[("Tag.1.Key", "a"), ("Tag.2.Key", "a")], "Duplicate.TagKey"),
        (&[("InstanceChargeType", "PrePaid")], "InvalidInstanceChargeType"),
        (&[("DryRun", "true")], "DryRunOperation"),
    ] {
        assert_eq!(site.cloud.refused("ecs", "RunInstances", &site.reported(more)), code, "{more:?}");
    }
    let other = group(&site.cloud, &site.vpc);
    site.cloud.call("ecs", "RunInstances", &site.reported(&[("PrivateIpAddress", "10.1.0.5")]));
    let taken = site.reported(&[("PrivateIpAddress", "10.1.0.5")]);
    assert_eq!(site.cloud.refused("ecs", "RunInstances", &taken), "InvalidPrivateIpAddress.Duplicated");
    let amount = site.reported(&[("SecurityGroupId", other.as_str()), ("Amount", "8")]);
    site.cloud.call("ecs", "RunInstances", &amount);
    let full = site.reported(&[("SecurityGroupId", other.as_str())]);
    assert_eq!(site.cloud.refused("ecs", "RunInstances", &full), "InvalidVSwitchId.IpNotEnough");
}

#[test]
fn instances_have_a_quota() {
    let site = Site::new(serde_json::from_value(json!({ "quotas": { "instances": 1 } })).unwrap());
    site.run(&[]);
    assert_eq!(site.cloud.refused("ecs", "RunInstances", &site.reported(&[])), "QuotaExceed.ElasticQuota");
}

#[test]
fn an_instance_runs_at_once_when_that_is_asked_for() {
    let site = Site::new(serde_json::from_value(json!({ "delays": { "ecs:*": 0 } })).unwrap());
    let id = site.run(&[]);
    assert_eq!(site.status(&id), "Running");
    site.cloud.call("ecs", "DeleteInstance", &[("InstanceId", id.as_str()), ("Force", "true")]);
    assert_eq!(site.status(&id), Value::Null);
}

#[test]
fn a_world_with_an_instance_on_its_way_is_kept_in_full() {
    let site = Site::new(Settings::default());
    site.run(&[("KeyPairName", "pair"), ("InternetMaxBandwidthOut", "1"), ("Tag.1.Key", "k")]);
    let world = site.cloud.cloud.world();
    let text = serde_json::to_string(&world).unwrap();
    assert!(serde_json::from_str::<crate::world::World>(&text).unwrap() == world);
}

#[test]
fn machines_run_as_their_manager_asks() {
    let site = Site::new(Settings::default());
    let asked = site.reported(&[
        ("InstanceName", "shoot--a--b-worker-z1-12345-abcde"),
        ("ClientToken", "8f6c0a4e-3b5f-4d35-9f0f-0d9c1f6b7a11"),
        ("ZoneId", "cn-shanghai-a"),
        ("InstanceChargeType", "PostPaid"),
        ("InternetChargeType", "PayByTraffic"),
        ("InternetMaxBandwidthIn", "5"),
        ("SpotStrategy", "NoSpot"),
        ("IoOptimized", "optimized"),
        ("SystemDisk.Category", "cloud_efficiency"),
        ("SystemDisk.Size", "50"),
        ("DataDisk.1.DiskName", "worker-z1-data-1"),
        ("DataDisk.1.Category", "cloud_essd"),
        ("DataDisk.1.Size", "75"),
        ("DataDisk.1.Encrypted", "true"),
        ("DataDisk.1.DeleteWithInstance", "true"),
    ]);
    let answer = site.cloud.call("ecs", "RunInstances", &asked);
    assert_eq!(site.cloud.call("ecs", "RunInstances", &asked), answer);
    assert_eq!(site.ids(&[]).len(), 1);
}

#[test]
fn instances_are_found_by_filters() {
    let site = Site::new(Settings::default());
    let one = site.run(&[("InstanceName", "shoot-a"), ("KeyPairName", "pair"), ("Tag.1.Key", "k")]);
    let two = site.run(&[
        ("InstanceName", "shoot-b"),
        ("InstanceType", "ecs.c7.large"),
        ("InternetMaxBandwidthOut", "1"),
    ]);
    for (parameters, expected) in [
        (&[("InstanceIds", "[]")][..], vec![]),
        (&[("InstanceIds", format!("[\"{two}\"]").as_str())], vec![&two]),
        (&[("InstanceName", "shoot-a")], vec![&one]),
        (&[("InstanceName", "shoot-*")], vec![&one, &two]),
        (&[("InstanceName", "shoot")], vec![]),
        (&[("VpcId", site.vpc.as_str())], vec![&one, &two]),
        (&[("VpcId", "vpc-none")], vec![]),
        (&[("VSwitchId", site.vswitch.as_str()), ("Status", "Pending")], vec![&one, &two]),
        (&[("Status", "Running")], vec![]),
        (&[("ZoneId", "cn-shanghai-b")], vec![]),
        (&[("SecurityGroupId", site.group.as_str())], vec![&one, &two]),
        (&[("ImageId", "m-arm")], vec![]),
        (&[("InstanceType", "ecs.c7.large")], vec![&two]),
        (&[("InstanceTypeFamily", "ecs.g7")], vec![&one]),
        (&[("KeyPairName", "pair")], vec![&one]),
        (&[("InstanceChargeType", "PrePaid")], vec![]),
        (&[("InstanceNetworkType", "classic")], vec![]),
        (&[("InternetChargeType", "PayByBandwidth")], vec![]),
        (&[("IoOptimized", "false")], vec![]),
        (&[("PrivateIpAddresses", "[\"10.1.0.5\"]")], vec![&two]),
        (&[("PublicIpAddresses", "[\"198.19.128.1\"]")], vec![&two]),
        (&[("EipAddresses", "[\"198.19.0.1\"]")], vec![]),
        (&[("Tag.1.Key", "k")], vec![&one]),
    ] {
        assert_eq!(site.ids(parameters).iter().collect::<Vec<_>>(), expected, "{parameters:?}");
    }
    let page = site.cloud.call("ecs", "DescribeInstances", &[("PageSize", "1"), ("PageNumber", "2")]);
    assert_eq!((texts(&page, LIST, "InstanceId"), &page["TotalCount"]), (vec![two], &json!(2)));
    assert_eq!(site.ids(&[("MaxResults", "1")]).len(), 2, "a page has ten at least");
    let bad = [("NextToken", "x")];
    for action in ["DescribeInstances", "DescribeNetworkInterfaces"] {
        assert_eq!(site.cloud.refused("ecs", action, &bad), "InvalidParameter.NextToken");
    }
}

#[test]
fn key_pairs_are_detached_one_by_one() {
    let site = Site::new(Settings::default());
    let (with, without) = (site.run(&[("KeyPairName", "pair")]), site.run(&[]));
    let ids = format!("[\"{with}\",\"{without}\",\"i-none\"]");
    let answer = site.cloud.call("ecs", "DetachKeyPair", &[("KeyPairName", "pair"), ("InstanceIds", &ids)]);
    assert_eq!((&answer["TotalCount"], &answer["FailCount"]), (&json!("3"), &json!("2")));
    assert_eq!(texts(&answer, "/Results/Result", "Success"), ["true", "false", "false"]);
    assert_eq!(site.instance(&with)["KeyPairName"], "");
    for (pair, ids, code) in [
        ("none", ids.as_str(), "InvalidKeyPairName.NotFound"),
        ("pair", "i-1", "InvalidInstanceIds.ValueNotSupported"),
    ] {
        let parameters = [("KeyPairName", pair), ("InstanceIds", ids)];
        assert_eq!(site.cloud.refused("ecs", "DetachKeyPair", &parameters), code);
    }
}

#[test]
fn a_public_address_needs_bandwidth_and_an_instance_that_is_there() {
    let site = Site::new(Settings::default());
    let id = site.run(&[]);
    let ask = || site.cloud.refused("ecs", "AllocatePublicIpAddress", &[("InstanceId", &id)]);
    assert_eq!(ask(), "IncorrectInstanceStatus");
    site.cloud.step(30);
    assert_eq!(ask(), "AllocateIpInvalidInstanceBandwidth");
}

#[test]
fn each_instance_has_an_interface() {
    let site = Site::new(Settings::default());
    let id = site.run(&[("InternetMaxBandwidthOut", "1")]);
    let other = site.run(&[]);
    let interface = |parameters: &[(&str, &str)]| {
        let answer = site.cloud.call("ecs", "DescribeNetworkInterfaces", parameters);
        texts(&answer, "/NetworkInterfaceSets/NetworkInterfaceSet", "InstanceId")
    };
    let eni = site.instance(&id).pointer("/NetworkInterfaces/NetworkInterface/0/NetworkInterfaceId").cloned();
    let eni = eni.unwrap().as_str().unwrap().to_owned();
    for (parameters, expected) in [
        (&[][..], vec![&id, &other]),
        (&[("InstanceId", id.as_str())], vec![&id]),
        (&[("NetworkInterfaceId.1", eni.as_str())], vec![&id]),
        (&[("PrivateIpAddress.1", "10.1.0.5")], vec![&other]),
        (&[("PrimaryIpAddress", "10.1.0.4")], vec![&id]),
        (&[("VpcId", site.vpc.as_str()), ("VSwitchId", site.vswitch.as_str())], vec![&id, &other]),
        (&[("SecurityGroupId", "sg-none")], vec![]),
        (&[("Type", "Secondary")], vec![]),
        (&[("Status", "Available")], vec![]),
        (&[("ServiceManaged", "true")], vec![]),
    ] {
        assert_eq!(interface(parameters).iter().collect::<Vec<_>>(), expected, "{parameters:?}");
    }
}

#[test]
fn nothing_leads_to_an_instance_that_goes() {
    let site = Site::new(Settings::default());
    let (id, cloud) = (site.run(&[]), &site.cloud);
    cloud.step(60);
    let interface = site.instance(&id)["NetworkInterfaces"]["NetworkInterface"][0]["NetworkInterfaceId"].clone();
    let tables = cloud.call("vpc", "DescribeRouteTableList", &[("VpcId", &site.vpc)]);
    let tables = texts(&tables, "/RouterTableList/RouterTableListType", "RouteTableId");
    let to = |next_hop_type, next_hop_id| {
        let destination = ("DestinationCidrBlock", "0.0.0.0/0");
        [
            ("RouteTableId", tables[0].as_str()),
            destination,
            ("NextHopType", next_hop_type),
            ("NextHopId", next_hop_id),
        ]
    };
    let hops = [to("Instance", id.as_str()), to("NetworkInterface", interface.as_str().unwrap())];
    let delete = [("InstanceId", id.as_str()), ("Force", "true")];
    for hop in &hops {
        let entry = cloud.text("vpc", "CreateRouteEntry", hop, "RouteEntryId");
        cloud.step(60);
        assert_eq!(cloud.refused("ecs", "DeleteInstance", &delete), "DependencyViolation.RouteEntry");
        let some = [("InstanceId.1", id.as_str()), delete[1]];
        assert_eq!(cloud.refused("ecs", "DeleteInstances", &some), "DependencyViolation.RouteEntry");
        cloud.call("vpc", "DeleteRouteEntry", &[("RouteEntryId", &entry)]);
        cloud.step(60);
    }
    cloud.call("ecs", "StopInstance", &delete[..1]);
    cloud.step(60);
    cloud.call("ecs", "DeleteInstance", &delete);
    assert_eq!(site.status(&id), "Stopped");
    for hop in &hops {
        assert_eq!(cloud.refused("vpc", "CreateRouteEntry", hop), "IncorrectInstanceStatus");
    }
    let eip = cloud.text("vpc", "AllocateEipAddress", &[], "AllocationId");
    let bind = [("AllocationId", eip.as_str()), ("InstanceId", &id)];
    assert_eq!(cloud.refused("vpc", "AssociateEipAddress", &bind), "IncorrectInstanceStatus");
}
