//! A network that something else made or moved: another seed, the existing extension, Terraform, the cluster
//! itself.

use serde_json::{Value, json};

use crate::infrastructure::layout::{Layout, Scene, ZONES};
use crate::infrastructure::site::{CLUSTER_TAG, TECHNICAL_ID};

#[test]
fn a_network_is_restored_from_its_state_and_without_it() {
    for with_state in [true, false] {
        let mut scene = Scene::new(Layout::DualStackAndRouteTable, 2);
        let (run, _) = scene.apply_twice();
        let had = scene.site.inventory();
        std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
        let mut moved = scene.on_seed(&json!({ "gardener.cloud/operation": "restore" }), &run);
        if !with_state {
            moved["items"][0]["status"] = json!({});
        }
        scene.manifest = scene.site.write("infrastructure.json", &moved);
        let plan = scene.site.plan(&scene.manifest)["plan"].take();
        let changes = plan["changes"].as_array().unwrap();
        assert_eq!(changes.is_empty(), with_state, "{plan:#}");
        assert!(changes.iter().all(|change| change["action"] == "adopt"), "{plan:#}");
        assert_eq!(plan["steps"], json!([]));
        let (restored, _) = scene.apply_twice();
        assert_eq!(scene.site.inventory(), had, "nothing is made a second time, nothing is changed");
        assert_eq!(restored["status"]["providerStatus"], run["status"]["providerStatus"]);
        assert_eq!(restored["status"]["egressCIDRs"], run["status"]["egressCIDRs"]);
        scene.destroy();
    }
}

#[test]
fn a_network_whose_control_plane_moves_away_is_left_alone() {
    let mut scene = Scene::new(Layout::Managed, 1);
    let (run, _) = scene.apply_twice();
    let (had, calls) = (scene.site.inventory(), scene.site.calls(0).len());
    let moving = scene.on_seed(&json!({ "gardener.cloud/operation": "migrate" }), &run);
    let manifest = scene.site.write("moving.json", &moving);
    let moved = scene.site.run("apply", &[&manifest]);
    assert_eq!((scene.site.inventory(), scene.site.calls(0).len()), (had, calls));
    assert_eq!(moved["status"]["providerStatus"], run["status"]["providerStatus"]);
    scene.manifest = scene.site.write("there.json", &scene.on_seed(&json!({}), &moved));
    scene.site.assert_no_changes(&scene.manifest);
    scene.destroy();
}

/// Keys that the existing extension has.
fn is_theirs(key: &str) -> bool {
    let known = ["VPC", "NatGateway", "NodesSecurityGroup", "IPV6Gateway", "RouteTable"];
    let of_zone = ["Suffix", "VSwitch", "NATGatewayElasticIP", "NATGatewayElasticIPAddress"];
    known.contains(&key)
        || (key.starts_with("Zones/") && of_zone.iter().any(|last| key.ends_with(&format!("/{last}"))))
}

#[test]
fn a_network_of_the_existing_extension_is_taken_over_without_a_change() {
    for layout in [Layout::DualStackAndRouteTable, Layout::OwnAddresses] {
        let mut scene = Scene::new(layout, 2);
        let (mut run, _) = scene.apply_twice();
        let had = scene.site.inventory();
        std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
        run["status"]["state"]["data"].as_object_mut().unwrap().retain(|key, _| is_theirs(key));
        scene.manifest = scene.site.write("infrastructure.json", &scene.on_seed(&json!({}), &run));
        scene.site.assert_no_changes(&scene.manifest);
        scene.apply_twice();
        assert_eq!(scene.site.inventory(), had);
        scene.destroy();
    }
}

/// What Terraform had recorded of a network with these ids.
fn terraform(state: &Value) -> Value {
    let managed = |kind: &str, name: &str, id: &Value| json!({ "mode": "managed", "type": kind, "name": name, "instances": [{ "attributes": { "id": id } }] });
    let of_zone = |zone: usize, last: &str| &state[format!("Zones/{}/{last}", ZONES[zone])];
    let mut resources = vec![managed("alicloud_nat_gateway", "nat_gateway", &state["NatGateway"])];
    for zone in 0..2 {
        let vswitch = of_zone(zone, "VSwitch");
        resources.push(managed("alicloud_vswitch", &format!("vsw_z{zone}"), vswitch));
        let eip = of_zone(zone, "NATGatewayElasticIP");
        resources.push(managed("alicloud_eip", &format!("eip_natgw_z{zone}"), eip));
    }
    let outputs = json!({
        "vpc_id": { "value": state["VPC"], "type": "string" },
        "sg_id": { "value": state["NodesSecurityGroup"], "type": "string" },
    });
    let data = json!({ "version": 4, "outputs": outputs, "resources": resources }).to_string();
    json!({ "data": data, "encoding": "none" })
}

#[test]
fn a_network_of_terraforms_time_gets_tags_and_nothing_else() {
    let mut scene = Scene::new(Layout::Managed, 2);
    let (mut run, _) = scene.apply_twice();
    let site = &scene.site;
    let had = site.inventory();
    let state = run["status"]["state"]["data"].clone();
    std::fs::remove_dir_all(site.state().join(TECHNICAL_ID)).unwrap();
    for (kind, keys) in [
        ("VPC", vec!["VPC".to_owned()]),
        ("NATGATEWAY", vec!["NatGateway".to_owned()]),
        ("VSWITCH", ZONES[..2].iter().map(|zone| format!("Zones/{zone}/VSwitch")).collect()),
        ("EIP", ZONES[..2].iter().map(|zone| format!("Zones/{zone}/NATGatewayElasticIP")).collect()),
    ] {
        for key in keys {
            let id = state[&key].as_str().unwrap();
            site.call("vpc", "UnTagResources", &[("ResourceType", kind), ("ResourceId.1", id), ("All", "true")]);
        }
    }
    let id = state["NodesSecurityGroup"].as_str().unwrap();
    site.call(
        "ecs",
        "UntagResources",
        &[("ResourceType", "securitygroup"), ("ResourceId.1", id), ("All", "true")],
    );
    assert_ne!(site.inventory(), had);
    run["status"]["state"] = terraform(&state);
    scene.manifest = scene.site.write("infrastructure.json", &scene.on_seed(&json!({}), &run));
    scene.apply_twice();
    assert_eq!(scene.site.inventory(), had);
    assert_eq!(scene.record("MigratedFromTerraform"), "true");
    scene.destroy();
}

#[test]
fn a_network_of_terraforms_time_goes_as_it_is() {
    let mut scene = Scene::new(Layout::Managed, 2);
    let (mut run, _) = scene.apply_twice();
    std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
    let state = run["status"]["state"]["data"].clone();
    run["status"]["state"] = terraform(&state);
    scene.manifest = scene.site.write("infrastructure.json", &scene.on_seed(&json!({}), &run));
    scene.destroy();
}

#[test]
fn what_the_cluster_left_behind_goes_with_its_network_and_what_others_have_stays() {
    let scene = Scene::new(Layout::ManagedNatGateway, 2);
    scene.apply_twice();
    let site = &scene.site;
    let vpc = scene.record("VPC");
    let vswitch = scene.record("Zones/eu-central-1b/VSwitch");
    let slb = |name: &str, of: &str, protection: &str, tag: Option<&str>| {
        let mut parameters = vec![("LoadBalancerName", name), ("VpcId", &vpc), ("VSwitchId", &vswitch)];
        parameters.extend([("AddressType", "intranet"), ("DeleteProtection", protection)]);
        if let Some(value) = tag {
            parameters.extend([("Tag.1.Key", "ack.aliyun.com"), ("Tag.1.Value", value)]);
        }
        let balancer = site.call("slb", "CreateLoadBalancer", &parameters);
        let id = balancer["LoadBalancerId"].as_str().unwrap();
        let group = format!("k8s/30080/http/default/{of}");
        site.call("slb", "CreateVServerGroup", &[("LoadBalancerId", id), ("VServerGroupName", &group)]);
    };
    slb("tagged", "any", "off", Some(TECHNICAL_ID));
    slb("grouped", TECHNICAL_ID, "on", None);
    let nlb = |name: &str, tag: &str, protected: &str| {
        site.call(
            "nlb",
            "CreateLoadBalancer",
            &[
                ("AddressType", "Intranet"),
                ("VpcId", &vpc),
                ("LoadBalancerName", name),
                ("ZoneMappings.1.ZoneId", ZONES[1]),
                ("ZoneMappings.1.VSwitchId", &vswitch),
                ("ZoneMappings.2.ZoneId", ZONES[0]),
                ("ZoneMappings.2.VSwitchId", &scene.record("Zones/eu-central-1a/VSwitch")),
                ("DeletionProtectionConfig.Enabled", protected),
                ("Tag.1.Key", "ack.aliyun.com"),
                ("Tag.1.Value", tag),
            ],
        );
    };
    nlb("of-the-cluster", TECHNICAL_ID, "true");
    let group =
        [("VpcId", vpc.as_str()), ("SecurityGroupName", "left"), ("Tag.1.Key", CLUSTER_TAG), ("Tag.1.Value", "1")];
    site.call("ecs", "CreateSecurityGroup", &group);
    scene.destroy();
}
