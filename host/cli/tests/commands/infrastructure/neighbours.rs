//! What others have, in the same account and in the same VPC, stays as it is, whatever becomes of a Shoot's
//! network.

use std::fs;

use serde_json::{Value, json};

use crate::infrastructure::layout::{
    Layout, Scene, ZONES, bring_eip, bring_nat_gateway_in, bring_vpc, bring_vswitch,
};
use crate::infrastructure::site::{Site, TECHNICAL_ID, reported, settings, shoot};

const MAY_DELETE: &str = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";

/// What of a world is not in another one as it is, byte for byte.
fn lost(world: &Value, had: &Value) -> Vec<String> {
    match (world, had) {
        (Value::Object(world), Value::Object(had)) => had
            .iter()
            .flat_map(|(key, had)| world.get(key).map_or_else(|| vec![had.to_string()], |value| lost(value, had)))
            .collect(),
        (Value::Array(world), Value::Array(had)) => {
            had.iter().filter(|thing| !world.contains(thing)).map(Value::to_string).collect()
        }
        _ if world == had => Vec::new(),
        _ => vec![had.to_string()],
    }
}

/// What a world has that another one had not. Local routes come and go with VSwitches in every table of a VPC.
fn added(world: &Value, before: &Value) -> Value {
    match (world, before) {
        (Value::Object(world), Value::Object(before)) => {
            let rest = |(key, value): (&String, &Value)| {
                let rest = before.get(key).map_or(value.clone(), |before| added(value, before));
                (rest != json!([])).then(|| (key.clone(), rest))
            };
            Value::Object(world.iter().filter_map(rest).collect())
        }
        (Value::Array(world), Value::Array(before)) => {
            let is_added = |thing: &&Value| thing["EntryType"] != "System" && !before.contains(thing);
            world.iter().filter(is_added).cloned().collect()
        }
        _ => world.clone(),
    }
}

fn zones(own: &mut Value) -> &mut Vec<Value> {
    own["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"].as_array_mut().unwrap()
}

/// The Shoot's own life: it is made, gets a zone, loses the first one, changes an elastic IP, is fixed, loses its
/// record, and goes. What others have is looked at after each.
fn lives_next_to(site: &Site, mut own: Value, theirs: &Value) {
    let eip = bring_eip(site, "mine");
    let before = site.inventory();
    own["metadata"]["annotations"] = json!({ MAY_DELETE: "true" });
    let apply = |own: &Value, what: &str| {
        let manifest = site.write("own.json", own);
        site.apply(&manifest);
        site.assert_no_changes(&manifest);
        let lost = lost(&site.inventory(), theirs);
        assert!(lost.is_empty(), "{what}, and others have no longer: {lost:#?}");
        manifest
    };
    let workers = |own: &mut Value| {
        let names: Vec<_> = zones(own).iter().map(|zone| zone["name"].clone()).collect();
        own["spec"]["provider"]["workers"][0]["zones"] = names.into();
    };
    apply(&own, "it is made");
    let third = json!({ "name": ZONES[2], "workers": "10.250.64.0/19" });
    zones(&mut own).push(third);
    workers(&mut own);
    apply(&own, "it gets a zone");
    site.forget_manifest();
    zones(&mut own).remove(0);
    workers(&mut own);
    apply(&own, "it loses a zone");
    zones(&mut own)[0]["natGateway"] = json!({ "eipAllocationID": eip });
    apply(&own, "it gets another elastic IP");

    let recorded: Value = serde_json::from_str(&site.recorded()).unwrap();
    let id = |key: &str| recorded["state"][key].as_str().unwrap().to_owned();
    let entry = [("SnatTableId", &*id("SnatTable")), ("SnatEntryId", &*id("Zones/eu-central-1c/SnatEntry"))];
    site.call("vpc", "DeleteSnatEntry", &entry);
    for (kind, key) in
        [("VSWITCH", "Zones/eu-central-1b/VSwitch"), ("EIP", "Zones/eu-central-1c/NATGatewayElasticIP")]
    {
        site.call("vpc", "UnTagResources", &[("ResourceType", kind), ("ResourceId.1", &id(key)), ("All", "true")]);
    }
    let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22")];
    let of = [("SecurityGroupId", &*id("NodesSecurityGroup")), ("Permissions.1.SourceCidrIp", "0.0.0.0/0")];
    site.call("ecs", "AuthorizeSecurityGroup", &[of, rule].concat());
    apply(&own, "it is fixed");

    fs::remove_dir_all(site.state().join(TECHNICAL_ID)).unwrap();
    let manifest = site.write("own.json", &own);
    site.adopting("apply", &manifest);
    apply(&own, "its record is lost");
    fs::remove_dir_all(site.state().join(TECHNICAL_ID)).unwrap();
    site.adopting("destroy", &manifest);
    assert_eq!(site.inventory(), before, "it is gone");
}

/// The manifest of a Shoot whose name begins like the other's.
fn neighbour(vpc: Option<&Value>) -> Value {
    let mut neighbour = shoot(2, &json!({}));
    neighbour["metadata"]["name"] = json!("e2e-2");
    let networks = &mut neighbour["spec"]["provider"]["infrastructureConfig"]["networks"];
    if let Some(vpc) = vpc {
        networks["vpc"] = vpc.clone();
    }
    networks["zones"][0]["workers"] = json!("10.250.128.0/19");
    networks["zones"][1]["workers"] = json!("10.250.160.0/19");
    neighbour
}

fn in_vpc(vpc: Option<&Value>) -> Value {
    let mut own = shoot(2, &json!({}));
    if let Some(vpc) = vpc {
        own["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"] = vpc.clone();
    }
    own
}

/// A VPC for several Shoots.
fn shared_vpc(site: &Site) -> Value {
    json!({ "id": bring_vpc(site, "shared"), "gardenerManagedNATGateway": true, "useCustomRouteTable": true })
}

#[test]
fn a_shoot_whose_name_begins_alike_is_left_alone_in_its_own_vpc() {
    let site = Site::new();
    site.apply(&site.write("neighbour.json", &neighbour(None)));
    lives_next_to(&site, in_vpc(None), &site.inventory());
}

#[test]
fn a_shoot_whose_name_begins_alike_is_left_alone_in_the_same_vpc() {
    let site = Site::new();
    let vpc = shared_vpc(&site);
    site.apply(&site.write("neighbour.json", &neighbour(Some(&vpc))));
    lives_next_to(&site, in_vpc(Some(&vpc)), &site.inventory());
}

#[test]
fn a_shoot_that_came_later_is_left_alone() {
    for shared in [false, true] {
        let site = Site::new();
        let vpc = shared.then(|| shared_vpc(&site));
        let own = site.write("own.json", &in_vpc(vpc.as_ref()));
        site.apply(&own);
        let before = site.inventory();
        let manifest = site.write("neighbour.json", &neighbour(vpc.as_ref()));
        site.apply(&manifest);
        let theirs = added(&site.inventory(), &before);
        assert_eq!(lost(&site.inventory(), &before), [""; 0], "the first one stays as it was");
        fs::remove_dir_all(site.state().join(TECHNICAL_ID)).unwrap();
        site.adopting("destroy", &own);
        assert_eq!(lost(&site.inventory(), &theirs), [""; 0]);
        site.assert_no_changes(&manifest);
        // And the other way round.
        site.apply(&own);
        let own_things = added(&site.inventory(), &theirs);
        site.destroy(&manifest);
        assert_eq!(lost(&site.inventory(), &own_things), [""; 0]);
        site.assert_no_changes(&own);
    }
}

/// What somebody has in a VPC, with names that begin like the Shoot's: the NAT gateway.
fn crowd(site: &Site, vpc: &str) -> String {
    let named = |suffix: &str| format!("{TECHNICAL_ID}-{suffix}-2");
    let vswitch = bring_vswitch(site, vpc, &named("eu-central-1a-vsw"), "10.250.224.0/24");
    let gateway = bring_nat_gateway_in(site, vpc, "10.250.225.0/24");
    let rename = [("NatGatewayId", gateway.as_str()), ("Name", &named("natgw"))];
    site.call("vpc", "ModifyNatGatewayAttribute", &rename);
    bring_eip(site, &named("eip-natgw-z0"));
    let eip = bring_eip(site, &named("eip-natgw-z1"));
    let of = [("AllocationId", eip.as_str()), ("InstanceId", &gateway), ("InstanceType", "Nat")];
    site.call("vpc", "AssociateEipAddress", &of);
    let text = |answer: &Value, pointer: &str| answer.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    let address = site.call("vpc", "DescribeEipAddresses", &[("AllocationId", &eip)]);
    let address = text(&address, "/EipAddresses/EipAddress/0/IpAddress");
    let table = site.call("vpc", "DescribeNatGateways", &[("NatGatewayId", &gateway)]);
    let table = text(&table, "/NatGateways/NatGateway/0/SnatTableIds/SnatTableId/0");
    let of = [("SnatTableId", table.as_str()), ("SourceVSwitchId", &vswitch), ("SnatIp", &address)];
    site.call("vpc", "CreateSnatEntry", &[of.as_slice(), &[("SnatEntryName", &named("snat-z0"))]].concat());

    let tag = [("Tag.1.Key", "kubernetes.io/cluster/shoot--dev--e2e-2"), ("Tag.1.Value", "1")];
    let group = [("VpcId", vpc), ("SecurityGroupName", &named("sg"))];
    let group = text(&site.call("ecs", "CreateSecurityGroup", &[group, tag].concat()), "/SecurityGroupId");
    let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22")];
    let of = [("SecurityGroupId", group.as_str()), ("Permissions.1.SourceCidrIp", "0.0.0.0/0")];
    site.call("ecs", "AuthorizeSecurityGroup", &[of, rule].concat());

    let table = site.call("vpc", "CreateRouteTable", &[("VpcId", vpc), ("RouteTableName", &named("rt"))]);
    let table = text(&table, "/RouteTableId");
    let of = ("RouteTableId", table.as_str());
    let hop = [("NextHopType", "NatGateway"), ("NextHopId", gateway.as_str())];
    for destination in ["0.0.0.0/0", "172.30.0.0/16"] {
        site.call(
            "vpc",
            "CreateRouteEntry",
            &[&[of, ("DestinationCidrBlock", destination)], hop.as_slice()].concat(),
        );
    }
    site.call("vpc", "AssociateRouteTable", &[of, ("VSwitchId", &vswitch)]);

    let balancer =
        [("LoadBalancerName", "theirs"), ("VpcId", vpc), ("VSwitchId", &vswitch), ("AddressType", "intranet")];
    let balancer = text(&site.call("slb", "CreateLoadBalancer", &balancer), "/LoadBalancerId");
    let servers = format!("k8s/30080/http/default/{TECHNICAL_ID}-2");
    site.call("slb", "CreateVServerGroup", &[("LoadBalancerId", &balancer), ("VServerGroupName", &servers)]);
    gateway
}

#[test]
fn what_somebody_has_in_the_same_vpc_is_left_alone() {
    let site = Site::new();
    let vpc = bring_vpc(&site, "theirs");
    crowd(&site, &vpc);
    let own = json!({ "id": vpc, "gardenerManagedNATGateway": true });
    lives_next_to(&site, in_vpc(Some(&own)), &site.inventory());
}

#[test]
fn what_somebody_has_on_a_nat_gateway_is_left_alone() {
    let site = Site::new();
    let vpc = bring_vpc(&site, "theirs");
    crowd(&site, &vpc);
    lives_next_to(&site, in_vpc(Some(&json!({ "id": vpc }))), &site.inventory());
}

#[test]
fn an_elastic_ip_that_somebody_uses_too_stays_associated() {
    let site = Site::new();
    let vpc = bring_vpc(&site, "theirs");
    crowd(&site, &vpc);
    let eips = site.call("vpc", "DescribeEipAddresses", &[("EipName", &format!("{TECHNICAL_ID}-eip-natgw-z1-2"))]);
    let eip = &eips["EipAddresses"]["EipAddress"][0]["AllocationId"];
    let theirs = site.inventory();
    let mut own = in_vpc(Some(&json!({ "id": vpc })));
    own["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][1]["natGateway"] =
        json!({ "eipAllocationID": eip });
    let manifest = site.write("own.json", &own);
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
    assert_eq!(lost(&site.inventory(), &theirs), [""; 0]);
    site.destroy(&manifest);
    assert_eq!(site.inventory(), theirs);
}

#[test]
#[ignore = "takes as long as the VPC is tried to be deleted: make verify"]
fn a_vpc_that_somebody_moved_into_stays_until_they_leave() {
    let scene = Scene::new(Layout::Managed, 1);
    let Scene { site, manifest, .. } = &scene;
    site.apply(manifest);
    let before = site.inventory();
    let recorded: Value = serde_json::from_str(&site.recorded()).unwrap();
    let vpc = recorded["state"]["VPC"].as_str().unwrap();
    let vswitch = bring_vswitch(site, vpc, "theirs", "10.250.240.0/24");
    let theirs = added(&site.inventory(), &before);
    let output = site.command(&["destroy", "--yes"], manifest).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
    assert!(reported(&output).contains("ERR_INFRA_DEPENDENCIES"), "{}", reported(&output));
    assert_eq!(lost(&site.inventory(), &theirs), [""; 0]);
    site.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]);
    scene.destroy();
}

/// What somebody has in a VPC of theirs with the very names of what the Shoot gets, and a network load balancer of
/// another cluster's.
fn namesakes(site: &Site) {
    let named = |suffix: &str| format!("{TECHNICAL_ID}-{suffix}");
    let vpc = bring_vpc(site, &named("vpc"));
    let vswitch = bring_vswitch(site, &vpc, &named("eu-central-1a-vsw"), "10.250.0.0/19");
    let of =
        [("VpcId", vpc.as_str()), ("VSwitchId", &vswitch), ("NatType", "Enhanced"), ("Name", &named("natgw"))];
    site.call("vpc", "CreateNatGateway", &of);
    bring_eip(site, &named("eip-natgw-z0"));
    site.call("ecs", "CreateSecurityGroup", &[("VpcId", vpc.as_str()), ("SecurityGroupName", &named("sg"))]);
    site.call("vpc", "CreateRouteTable", &[("VpcId", vpc.as_str()), ("RouteTableName", &named("rt"))]);
    let second = [("VpcId", vpc.as_str()), ("ZoneId", ZONES[1]), ("CidrBlock", "10.250.32.0/19")];
    let second = site.call("vpc", "CreateVSwitch", &second);
    let second = second["VSwitchId"].as_str().unwrap();
    balancer(site, &vpc, [&vswitch, second], &format!("{TECHNICAL_ID}-2"));
}

/// A network load balancer that a cluster's cloud controller manager made.
fn balancer(site: &Site, vpc: &str, vswitches: [&str; 2], cluster: &str) {
    let parameters = [
        ("AddressType", "Intranet"),
        ("VpcId", vpc),
        ("ZoneMappings.1.ZoneId", ZONES[0]),
        ("ZoneMappings.1.VSwitchId", vswitches[0]),
        ("ZoneMappings.2.ZoneId", ZONES[1]),
        ("ZoneMappings.2.VSwitchId", vswitches[1]),
        ("Tag.1.Key", "ack.aliyun.com"),
        ("Tag.1.Value", cluster),
    ];
    site.call("nlb", "CreateLoadBalancer", &parameters);
}

#[test]
fn what_others_have_is_left_alone_by_a_cloud_that_takes_no_notice_of_filters() {
    for vpc in
        [json!({ "cidr": "10.250.0.0/16" }), json!({ "cidr": "10.250.0.0/16", "useCustomRouteTable": true })]
    {
        let site = Site::new();
        let neighbours = site.write("neighbour.json", &neighbour(None));
        site.apply(&neighbours);
        namesakes(&site);
        let theirs = site.inventory();
        // Of SNAT entries a table has to be named.
        let ignored = json!({ "*": true, "vpc:DescribeSnatTableEntries": false });
        site.cloud().set_settings(settings(json!({ "delays": { "*": 0 }, "ignoreFilters": ignored }))).unwrap();
        let manifest = site.write("own.json", &in_vpc(Some(&vpc)));
        for what in ["it is made", "its record is lost"] {
            site.adopting("apply", &manifest);
            site.assert_no_changes(&manifest);
            assert_eq!(lost(&site.inventory(), &theirs), [""; 0], "{what}");
            if what == "it is made" {
                fs::remove_dir_all(site.state().join(TECHNICAL_ID)).unwrap();
            }
        }
        let recorded: Value = serde_json::from_str(&site.recorded()).unwrap();
        let id = |key: &str| recorded["state"][key].as_str().unwrap();
        let vswitches = ["Zones/eu-central-1a/VSwitch", "Zones/eu-central-1b/VSwitch"].map(id);
        balancer(&site, id("VPC"), vswitches, TECHNICAL_ID);
        site.destroy(&manifest);
        assert_eq!(site.inventory(), theirs, "it is gone");
        site.assert_no_changes(&neighbours);
    }
}
