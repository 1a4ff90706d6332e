//! A person edits a Shoot: the network follows, and what must not go without consent stays.

use serde_json::{Value, json};

use crate::infrastructure::layout::{Layout, Scene, ZONES, bring_eip};
use crate::infrastructure::site::{Site, reported, shoot};
use trellis_testing::points::chosen;

const MAY_DELETE: &str = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";

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
    scene.apply_twice();
    let managed = scene.record("Zones/eu-central-1b/NATGatewayElasticIP");
    assert!(managed.starts_with("eip-"), "{managed}");
    for (own, former) in [(Some(&first), &managed), (Some(&second), &first), (None, &second)] {
        scene.edit(|networks| {
            networks["zones"][1]["natGateway"] = own.map_or(Value::Null, |id| json!({ "eipAllocationID": id }));
        });
        let plan = scene.site.plan(&scene.manifest);
        let disrupts =
            |change: &Value| change["id"] == "zones/eu-central-1b/snat" && change["disruption"].is_string();
        assert!(plan["plan"]["changes"].as_array().unwrap().iter().any(disrupts), "{plan:#}");
        scene.apply_twice();
        if former == &managed {
            let there = scene.site.call("vpc", "DescribeEipAddresses", &[("AllocationId", former)]);
            assert_eq!(there["TotalCount"], 0, "the managed elastic IP is released");
        } else {
            assert!(is_free(&scene.site, former), "the former one stays, and serves nothing");
        }
    }
    scene.destroy();
}

#[test]
fn zones_are_added_and_the_first_ones_stay_as_they_are() {
    let mut scene = Scene::new(Layout::Managed, 1);
    scene.apply_twice();
    let before = scene.record("Zones/eu-central-1a/VSwitch");
    let three = shoot(3, &json!({}));
    let zones = three["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"].clone();
    // The new ones come first.
    let reversed: Vec<_> = zones.as_array().unwrap().iter().rev().cloned().collect();
    scene.edit_unjudged(|networks| networks["zones"] = reversed.into());
    scene.apply_twice();
    assert_eq!(scene.record("Zones/eu-central-1a/VSwitch"), before);
    assert_eq!(scene.record("Zones/eu-central-1a/Suffix"), "z0");
    let gateways =
        scene.site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateNatGateway")).count();
    assert_eq!(gateways, 1);
    scene.destroy();
}

#[test]
fn a_range_may_be_written_by_its_old_name() {
    let mut scene = Scene::new(Layout::Managed, 1);
    let rename = |from: &'static str, to: &'static str| {
        move |networks: &mut Value| {
            let zone = networks["zones"][0].as_object_mut().unwrap();
            let range = zone.remove(from).unwrap();
            zone.insert(to.to_owned(), range);
        }
    };
    scene.edit(rename("workers", "worker"));
    scene.apply_twice();
    scene.edit(rename("worker", "workers"));
    scene.site.assert_no_changes(&scene.manifest);
    scene.destroy();
}

/// Takes a zone away: refused, until the annotation allows it.
fn without_zone(gone: usize, layout: Layout) {
    let mut scene = Scene::new(layout, 3);
    let (run, _) = scene.apply_twice();
    scene.edit_unjudged(|networks| _ = networks["zones"].as_array_mut().unwrap().remove(gone));
    scene.shoot["spec"]["provider"]["workers"][0]["zones"] =
        ZONES.iter().enumerate().filter(|(index, _)| *index != gone).map(|(_, zone)| *zone).collect();
    scene.edit(|_| {});
    let refused = scene.refusal();
    assert!(refused.contains("ALI-PLAN-002") && refused.contains(ZONES[gone]), "{refused}");
    let had = scene.site.inventory();
    let output = scene.site.command(&["apply", "--yes"], &scene.manifest).output().unwrap();
    assert_eq!((output.status.code(), &scene.site.inventory()), (Some(1), &had), "{}", reported(&output));

    let allowed = scene.on_seed(&json!({ MAY_DELETE: "True" }), &run);
    scene.manifest = scene.site.write("infrastructure.json", &allowed);
    scene.apply_twice();
    let recorded = scene.site.recorded();
    assert!(!recorded.contains(&format!("\"Zones/{}/", ZONES[gone])), "{recorded}");
    let without = scene.on_seed(&json!({}), &run);
    scene.manifest = scene.site.write("infrastructure.json", &without);
    scene.site.assert_no_changes(&scene.manifest);
    scene.destroy();
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
#[ignore = "every layout, and some of their zones: make verify"]
fn zones_go_in_every_layout() {
    let points = Layout::ALL.into_iter().flat_map(|layout| [0, 1].map(|gone| (layout, gone)));
    let kinds = |(layout, gone): &(Layout, usize)| vec![layout.name().to_owned(), gone.to_string()];
    for (layout, gone) in chosen("zones that go", points.collect(), kinds) {
        without_zone(gone, layout);
    }
}

#[test]
fn a_zone_changes_its_range_only_where_the_annotation_allows_it() {
    let mut scene = Scene::new(Layout::Managed, 2);
    scene.apply_twice();
    scene.edit_unjudged(|networks| networks["zones"][1]["workers"] = json!("10.250.128.0/20"));
    let refused = scene.refusal();
    assert!(refused.contains("ALI-PLAN-002"), "{refused}");
    scene.shoot["metadata"]["annotations"] = json!({ MAY_DELETE: "true" });
    scene.edit(|_| {});
    scene.apply_twice();
    scene.destroy();
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
    let refused = scene.refusal();
    assert!(refused.contains("enable IPv6"), "{refused}");
    scene.site.call("vpc", "ModifyVpcAttribute", &[("VpcId", vpc), ("EnableIPv6", "true")]);
    let refused = scene.refusal();
    assert!(refused.contains("does not have an IPv6 Gateway"), "{refused}");
    scene.site.call("vpc", "CreateIpv6Gateway", &[("VpcId", vpc), ("Name", "mine")]);
    scene.before = scene.site.inventory();
    scene.apply_twice();
    scene.destroy();
}
