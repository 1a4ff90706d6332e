//! What becomes of networks in the course of time. That every layout comes and goes is in `counts`.

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, ACCOUNT, Accounts};

use crate::layout::{Layout, Scene, ZONES, bring_eip, objects};
use crate::site::{REGION, Site, TECHNICAL_ID, settings, shoot, told};

const MAY_DELETE: &str = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";
const CLUSTER_TAG: &str = "kubernetes.io/cluster/shoot--dev--e2e";

/// What is recorded under a key.
fn record(scene: &Scene, key: &str) -> String {
    let recorded: Value = serde_json::from_str(&scene.site.recorded()).unwrap();
    recorded["state"][key].as_str().unwrap_or_default().to_owned()
}

/// The Shoot's objects on its seed, with what the last run said of their status.
fn on_seed(scene: &Scene, annotations: &Value, run: &Value) -> Value {
    let status = json!({
        "providerStatus": run["status"]["providerStatus"],
        "state": run["status"]["state"],
        "egressCIDRs": run["status"]["egressCIDRs"],
    });
    objects(&scene.shoot, None, annotations, &status)
}

/// What a plan says that is refused.
fn refusal(scene: &Scene) -> String {
    let output = scene.site.command(&["plan"], &scene.manifest).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    told(&output)
}

/// Whether an elastic IP is there and serves nothing.
fn is_free(site: &Site, id: &str) -> bool {
    let answer = site.call("vpc", "DescribeEipAddresses", &[("AllocationId", id)]);
    answer["EipAddresses"]["EipAddress"][0]["Status"] == "Available"
}

#[test]
fn the_elastic_ip_of_a_zone_changes_to_ones_own_to_another_one_and_back() {
    let mut scene = Scene::new(Layout::Managed, 2);
    let [first, second] = ["first", "second"].map(|name| bring_eip(&scene.site, name));
    scene.before = scene.site.inventory();
    scene.settle();
    let managed = record(&scene, "Zones/eu-central-1b/NATGatewayElasticIP");
    assert!(managed.starts_with("eip-"), "{managed}");
    for (own, former) in [(Some(&first), &managed), (Some(&second), &first), (None, &second)] {
        scene.edit(|networks| {
            networks["zones"][1]["natGateway"] = own.map_or(Value::Null, |id| json!({ "eipAllocationID": id }));
        });
        let plan = scene.site.plan(&scene.manifest);
        let disrupts =
            |change: &Value| change["id"] == "zones/eu-central-1b/snat" && change["disruption"].is_string();
        assert!(plan["plan"]["changes"].as_array().unwrap().iter().any(disrupts), "{plan:#}");
        scene.settle();
        if former == &managed {
            let there = scene.site.call("vpc", "DescribeEipAddresses", &[("AllocationId", former)]);
            assert_eq!(there["TotalCount"], 0, "the managed elastic IP is released");
        } else {
            assert!(is_free(&scene.site, former), "the former one stays, and serves nothing");
        }
    }
    scene.end();
}

#[test]
fn zones_are_added_and_the_first_ones_stay_as_they_are() {
    let mut scene = Scene::new(Layout::Managed, 1);
    scene.settle();
    let before = record(&scene, "Zones/eu-central-1a/VSwitch");
    let three = shoot(3, &json!({}));
    let zones = three["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"].clone();
    // The new ones come first.
    let reversed: Vec<_> = zones.as_array().unwrap().iter().rev().cloned().collect();
    scene.edit_unjudged(|networks| networks["zones"] = reversed.into());
    scene.settle();
    assert_eq!(record(&scene, "Zones/eu-central-1a/VSwitch"), before);
    assert_eq!(record(&scene, "Zones/eu-central-1a/Suffix"), "z0");
    let gateways =
        scene.site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateNatGateway")).count();
    assert_eq!(gateways, 1);
    scene.end();
}

#[test]
fn a_range_may_be_told_by_its_old_name() {
    let mut scene = Scene::new(Layout::Managed, 1);
    let rename = |from: &'static str, to: &'static str| {
        move |networks: &mut Value| {
            let zone = networks["zones"][0].as_object_mut().unwrap();
            let range = zone.remove(from).unwrap();
            zone.insert(to.to_owned(), range);
        }
    };
    scene.edit(rename("workers", "worker"));
    scene.settle();
    scene.edit(rename("worker", "workers"));
    scene.site.assert_no_changes(&scene.manifest);
    scene.end();
}

/// Takes a zone away: refused, until the annotation allows it.
fn without_zone(gone: usize, layout: Layout) {
    let mut scene = Scene::new(layout, 3);
    let (run, _) = scene.settle();
    scene.edit_unjudged(|networks| _ = networks["zones"].as_array_mut().unwrap().remove(gone));
    scene.shoot["spec"]["provider"]["workers"][0]["zones"] =
        ZONES.iter().enumerate().filter(|(index, _)| *index != gone).map(|(_, zone)| *zone).collect();
    scene.edit(|_| {});
    let refused = refusal(&scene);
    assert!(refused.contains("ALI-PLAN-002") && refused.contains(ZONES[gone]), "{refused}");
    let had = scene.site.inventory();
    let output = scene.site.command(&["apply", "--yes"], &scene.manifest).output().unwrap();
    assert_eq!((output.status.code(), &scene.site.inventory()), (Some(1), &had), "{}", told(&output));

    let allowed = on_seed(&scene, &json!({ MAY_DELETE: "True" }), &run);
    scene.manifest = scene.site.write("infrastructure.json", &allowed);
    scene.settle();
    let recorded = scene.site.recorded();
    assert!(!recorded.contains(&format!("\"Zones/{}/", ZONES[gone])), "{recorded}");
    let without = on_seed(&scene, &json!({}), &run);
    scene.manifest = scene.site.write("infrastructure.json", &without);
    scene.site.assert_no_changes(&scene.manifest);
    scene.end();
}

#[test]
fn a_zone_goes_only_where_the_annotation_allows_it() {
    without_zone(2, Layout::Managed);
}

#[test]
fn the_zone_with_the_nat_gateway_goes_and_another_one_has_it() {
    without_zone(0, Layout::Managed);
}

#[test]
#[ignore = "every layout: make verify"]
fn zones_go_in_every_layout() {
    for layout in Layout::ALL {
        for gone in [0, 1] {
            without_zone(gone, layout);
        }
    }
}

#[test]
fn a_zone_changes_its_range_only_where_the_annotation_allows_it() {
    let mut scene = Scene::new(Layout::Managed, 2);
    scene.settle();
    scene.edit_unjudged(|networks| networks["zones"][1]["workers"] = json!("10.250.128.0/20"));
    let refused = refusal(&scene);
    assert!(refused.contains("ALI-PLAN-002"), "{refused}");
    scene.shoot["metadata"]["annotations"] = json!({ MAY_DELETE: "true" });
    scene.edit(|_| {});
    scene.settle();
    scene.end();
}

/// A CloudProfile with an image.
fn cloud_profile(image: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": { "name": "alicloud" },
        "spec": {
            "type": "alicloud",
            "machineImages": [{ "name": "gardenlinux", "versions": [{ "version": "1592.9.0", "architectures": ["amd64"] }] }],
            "machineTypes": [{ "name": "ecs.g7.large", "architecture": "amd64", "cpu": "2", "gpu": "0", "memory": "8Gi" }],
            "volumeTypes": [{ "name": "cloud_essd", "class": "premium" }],
            "regions": [{ "name": REGION, "zones": ZONES.map(|zone| json!({ "name": zone })) }],
            "providerConfig": {
                "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                "kind": "CloudProfileConfig",
                "machineImages": [{
                    "name": "gardenlinux",
                    "versions": [{ "version": "1592.9.0", "regions": [{ "name": REGION, "id": image }] }],
                }],
            },
        },
    })
}

const OWNER: &str = "1000000000000002";

/// A cloud with an account that owns an image, and the Shoot's.
fn cloud_with_image(owner: &str) -> Site {
    let image = json!([{ "id": "m-shared", "name": "gardenlinux", "region": REGION }]);
    let images = |account: &str| if account == owner { image.clone() } else { json!([]) };
    let accounts: Accounts = serde_json::from_value(json!({ "accounts": [
        { "id": ACCOUNT, "accessKeys": [{ "id": ACCESS_KEY, "secret": ACCESS_KEY_SECRET }], "images": images(ACCOUNT) },
        { "id": OWNER, "accessKeys": [{ "id": "LTAI5tImageOwner", "secret": "of-the-owner" }], "images": images(OWNER) },
    ] }))
    .unwrap();
    let settings = settings(json!({ "delays": { "*": 0 } }));
    Site::of(Options {
        settings,
        accounts: accounts.check().unwrap(),
        region: REGION.to_owned(),
        ..Options::default()
    })
}

#[test]
fn an_encrypted_image_is_copied_once_and_stays() {
    let mut scene = Scene::on(cloud_with_image(ACCOUNT), Layout::Managed, 1);
    scene.shoot["spec"]["provider"]["workers"][0]["volume"]["encrypted"] = json!(true);
    scene.manifest = scene.site.write(
        "both.json",
        &json!({ "apiVersion": "v1", "kind": "List", "items": [scene.shoot, cloud_profile("m-shared")] }),
    );
    let (run, _) = scene.settle();
    let image = &run["status"]["providerStatus"]["machineImages"][0];
    assert_eq!(image["encrypted"], true, "{image}");
    let copy = image["id"].as_str().unwrap();
    assert_ne!(copy, "m-shared");
    scene.site.run("destroy", &[&scene.manifest]);
    let left = scene.site.call("ecs", "DescribeImages", &[("ImageId", copy)]);
    assert_eq!(left["TotalCount"], 1, "{left}");
    // Made again, it takes the copy that is there.
    scene.settle();
    let stacks = scene.site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateStack")).count();
    assert_eq!(stacks, 1);
}

#[test]
fn an_image_of_another_account_is_shared_with_the_shoots() {
    let scene = Scene::on(cloud_with_image(OWNER), Layout::Managed, 1);
    let configuration = json!({
        "apiVersion": "alicloud.provider.extensions.config.gardener.cloud/v1alpha1",
        "kind": "ControllerConfiguration",
        "toBeSharedImageIDs": ["m-shared"],
    });
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "owner", "namespace": "garden" },
        "stringData": { "accessKeyID": "LTAI5tImageOwner", "accessKeySecret": "of-the-owner" },
    });
    let items = json!([scene.shoot, cloud_profile("m-shared"), configuration]);
    let manifest = scene.site.write("all.json", &json!({ "apiVersion": "v1", "kind": "List", "items": items }));
    let owner = format!("imageOwner={}", scene.site.write("owner.json", &secret).display());
    let visible = || scene.site.call("ecs", "DescribeImages", &[("ImageId", "m-shared")])["TotalCount"] == 1;
    assert!(!visible());
    scene.site.run_with("apply", &["--credentials", &owner], &[&manifest]);
    assert!(visible());
    scene.site.assert_no_changes(&manifest);
}

#[test]
fn the_role_that_nat_gateways_need_is_made_once() {
    let site = Site::new();
    let manifest = site.write("shoot.json", &shoot(1, &json!({})));
    let roles =
        || site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateServiceLinkedRole")).count();
    for _ in 0..2 {
        site.apply(&manifest);
        assert_eq!(roles(), 1);
        site.destroy(&manifest);
        site.assert_empty();
    }
}

#[test]
fn what_the_cluster_left_behind_goes_with_its_network_and_what_others_have_stays() {
    let scene = Scene::new(Layout::ManagedNatGateway, 2);
    scene.settle();
    let site = &scene.site;
    let vpc = record(&scene, "VPC");
    let vswitch = record(&scene, "Zones/eu-central-1b/VSwitch");
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
                ("ZoneMappings.2.VSwitchId", &record(&scene, "Zones/eu-central-1a/VSwitch")),
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
    scene.end();
}

#[test]
fn a_network_is_restored_from_its_state_and_without_it() {
    for with_state in [true, false] {
        let mut scene = Scene::new(Layout::DualStackAndRouteTable, 2);
        let (run, _) = scene.settle();
        let had = scene.site.inventory();
        std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
        let mut moved = on_seed(&scene, &json!({ "gardener.cloud/operation": "restore" }), &run);
        if !with_state {
            moved["items"][0]["status"] = json!({});
        }
        scene.manifest = scene.site.write("infrastructure.json", &moved);
        let plan = scene.site.plan(&scene.manifest)["plan"].take();
        let changes = plan["changes"].as_array().unwrap();
        assert_eq!(changes.is_empty(), with_state, "{plan:#}");
        assert!(changes.iter().all(|change| change["action"] == "adopt"), "{plan:#}");
        assert_eq!(plan["steps"], json!([]));
        let (restored, _) = scene.settle();
        assert_eq!(scene.site.inventory(), had, "nothing is made a second time, nothing is changed");
        assert_eq!(restored["status"]["providerStatus"], run["status"]["providerStatus"]);
        assert_eq!(restored["status"]["egressCIDRs"], run["status"]["egressCIDRs"]);
        scene.end();
    }
}

#[test]
fn a_network_whose_control_plane_moves_away_is_left_alone() {
    let mut scene = Scene::new(Layout::Managed, 1);
    let (run, _) = scene.settle();
    let (had, calls) = (scene.site.inventory(), scene.site.calls(0).len());
    let moving = on_seed(&scene, &json!({ "gardener.cloud/operation": "migrate" }), &run);
    let manifest = scene.site.write("moving.json", &moving);
    let moved = scene.site.run("apply", &[&manifest]);
    assert_eq!((scene.site.inventory(), scene.site.calls(0).len()), (had, calls));
    assert_eq!(moved["status"]["providerStatus"], run["status"]["providerStatus"]);
    scene.manifest = scene.site.write("there.json", &on_seed(&scene, &json!({}), &moved));
    scene.site.assert_no_changes(&scene.manifest);
    scene.end();
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
        let (mut run, _) = scene.settle();
        let had = scene.site.inventory();
        std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
        run["status"]["state"]["data"].as_object_mut().unwrap().retain(|key, _| is_theirs(key));
        scene.manifest = scene.site.write("infrastructure.json", &on_seed(&scene, &json!({}), &run));
        scene.site.assert_no_changes(&scene.manifest);
        scene.settle();
        assert_eq!(scene.site.inventory(), had);
        scene.end();
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
    let (mut run, _) = scene.settle();
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
    scene.manifest = scene.site.write("infrastructure.json", &on_seed(&scene, &json!({}), &run));
    scene.settle();
    assert_eq!(scene.site.inventory(), had);
    assert_eq!(record(&scene, "MigratedFromTerraform"), "true");
    scene.end();
}

#[test]
fn a_network_of_terraforms_time_goes_as_it_is() {
    let mut scene = Scene::new(Layout::Managed, 2);
    let (mut run, _) = scene.settle();
    std::fs::remove_dir_all(scene.site.state().join(TECHNICAL_ID)).unwrap();
    let state = run["status"]["state"]["data"].clone();
    run["status"]["state"] = terraform(&state);
    scene.manifest = scene.site.write("infrastructure.json", &on_seed(&scene, &json!({}), &run));
    scene.end();
}

#[test]
fn a_vpc_that_somebody_brings_has_its_ipv6_and_its_gateway() {
    let mut scene = Scene::new(Layout::ManagedNatGateway, 2);
    let vpc = scene.shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"]["id"].clone();
    let vpc = vpc.as_str().unwrap();
    scene.shoot["spec"]["provider"]["infrastructureConfig"]["dualStack"] = json!({ "enabled": true });
    scene.shoot["spec"]["networking"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
    scene.edit(|networks| {
        for (index, zone) in networks["zones"].as_array_mut().unwrap().iter_mut().enumerate() {
            zone["ipv6CidrBlock"] = json!(7 + index);
        }
    });
    let refused = refusal(&scene);
    assert!(refused.contains("enable IPv6"), "{refused}");
    scene.site.call("vpc", "ModifyVpcAttribute", &[("VpcId", vpc), ("EnableIPv6", "true")]);
    let refused = refusal(&scene);
    assert!(refused.contains("does not have an IPv6 Gateway"), "{refused}");
    scene.site.call("vpc", "CreateIpv6Gateway", &[("VpcId", vpc), ("Name", "mine")]);
    scene.before = scene.site.inventory();
    scene.settle();
    scene.end();
}
