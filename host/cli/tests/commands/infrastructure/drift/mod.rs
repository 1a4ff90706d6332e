//! Somebody else changes, renames, tags or deletes what a Shoot has: the plan says so, and brings back what it
//! should.

mod built;
mod resources;
mod tags_and_names;

use serde_json::Value;

use crate::infrastructure::layout::{Layout, bring_nat_gateway_in};
use crate::infrastructure::site::reported;
use built::Built;
use resources::{egress_edits, network_edits, route_edits, rule_edits};
use tags_and_names::{name_edits, tag_edits};
use trellis_testing::points::chosen;

/// A change that somebody makes, and what the plan says of it.
struct Edit {
    what: String,
    make: Box<dyn Fn(&Built)>,
    says: Vec<&'static str>,
}

fn edit(what: &str, says: &[&'static str], make: impl Fn(&Built) + 'static) -> Edit {
    Edit { what: what.to_owned(), make: Box::new(make), says: says.to_vec() }
}

fn all() -> Vec<Edit> {
    [name_edits(), tag_edits(), rule_edits(), network_edits(), egress_edits(), route_edits()]
        .into_iter()
        .flatten()
        .collect()
}

/// A quarter of all edits, with each kind of change and each kind of resource that the plan names.
fn some(test: &str) -> Vec<Edit> {
    chosen(test, all(), |edit| {
        let words = |line: &&str| {
            let (change, resource) = line.split_once(' ').unwrap();
            let resource = resource.split(':').next().unwrap_or_default();
            [change.to_owned(), resource.rsplit('/').next().unwrap_or_default().to_owned()]
        };
        edit.says.iter().flat_map(words).collect()
    })
}

/// The error of Trellis about an edit, if there is one.
fn trouble(built: &Built, edit: &Edit) -> Option<String> {
    built.reset();
    (edit.make)(built);
    let site = &built.scene.site;
    let (edited, said) = (site.inventory(), built.plan());
    if said != edit.says {
        return Some(format!("the plan says {said:#?}"));
    }
    let output = site.command(&["apply", "--yes"], &built.scene.manifest).output().unwrap();
    if said.iter().any(|line| line.starts_with("refused")) {
        let untouched = !output.status.success() && site.inventory() == edited;
        return (!untouched).then(|| format!("refused, but: {}", reported(&output)));
    }
    if !output.status.success() {
        return Some(reported(&output));
    }
    let (notes, changes): (Vec<_>, Vec<_>) = said.into_iter().partition(|line| line.starts_with("note "));
    let left = built.plan();
    if left != notes {
        return Some(format!("afterwards the plan says {left:#?}"));
    }
    if changes.is_empty() {
        return (site.inventory() != edited).then(|| "something was changed".to_owned());
    }
    // Somebody's own things may be there, too.
    let missing = missing(&site.world(), &built.wanted);
    (!missing.is_empty()).then(|| format!("not as it was: {missing:#?}"))
}

/// The parts of a wanted world that another world lacks.
fn missing(world: &Value, wanted: &Value) -> Vec<String> {
    match (world, wanted) {
        (Value::Object(world), Value::Object(wanted)) => {
            wanted.iter().flat_map(|(key, wanted)| missing(&world[key], wanted)).collect()
        }
        (Value::Array(world), Value::Array(wanted)) => {
            wanted.iter().filter(|wanted| !world.contains(wanted)).map(Value::to_string).collect()
        }
        _ if world == wanted => Vec::new(),
        _ => vec![wanted.to_string()],
    }
}

fn fixes(layout: Layout, edits: impl IntoIterator<Item = Edit>) {
    let built = Built::new(layout);
    let troubles: Vec<_> = edits
        .into_iter()
        .filter_map(|edit| trouble(&built, &edit).map(|trouble| format!("{}: {trouble}", edit.what)))
        .collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n\n"));
}

/// The layout with every kind of resource.
const EVERY_KIND: Layout = Layout::DualStackAndRouteTable;

#[test]
fn what_somebody_changes_is_reported_and_fixed() {
    fixes(EVERY_KIND, all().into_iter().step_by(7));
}

#[test]
#[ignore = "a quarter of the changes: make verify"]
fn whatever_somebody_changes_is_reported_and_fixed() {
    fixes(EVERY_KIND, some("what somebody changes"));
}

/// What is left when the network is destroyed after an edit. An edit that puts somebody's own resources into the
/// VPC is left out, because such a VPC cannot be deleted.
fn leftover(built: &Built, edit: &Edit) -> Option<String> {
    built.reset();
    (edit.make)(built);
    let site = &built.scene.site;
    if site.inventory().to_string().contains("\"mine\"") {
        return None;
    }
    let mut output = site.command(&["destroy", "--yes"], &built.scene.manifest).output().unwrap();
    // Where nothing is found, only a person may give the record up.
    if edit.what == "the network is gone" {
        if output.status.success() || !reported(&output).contains("ALI-PLAN-013") {
            return Some(format!("not refused: {}", reported(&output)));
        }
        output = site.command(&["destroy", "--yes", "--forget"], &built.scene.manifest).output().unwrap();
    }
    if !output.status.success() {
        return Some(reported(&output));
    }
    let left = site.inventory();
    (left != built.scene.before).then(|| format!("left: {left}"))
}

#[test]
#[ignore = "a quarter of the changes: make verify"]
fn whatever_somebody_changed_the_network_goes() {
    let built = Built::new(EVERY_KIND);
    let troubles: Vec<_> = some("what goes after a change")
        .into_iter()
        .filter_map(|edit| leftover(&built, &edit).map(|left| format!("{}: {left}", edit.what)))
        .collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n\n"));
}

const ANOTHER_GATEWAY: &[&str] = &[
    "associate zones/a/eip/association",
    "create zones/a/snat",
    "associate zones/b/eip/association",
    "create zones/b/snat",
];

#[test]
fn what_a_person_brings_is_changed_as_the_person_likes() {
    fixes(
        Layout::OwnNatGateway,
        [
            edit("the VPC has another name", &[], |built| {
                built.vpc("ModifyVpcAttribute", &[("VpcId", "@VPC"), ("VpcName", "other")]);
            }),
            edit("the NAT gateway has another name", &[], |built| {
                built.vpc("ModifyNatGatewayAttribute", &[("NatGatewayId", "@NatGateway"), ("Name", "other")]);
            }),
            edit("the NAT gateway has tags", &[], |built| {
                let of = [("ResourceType", "NATGATEWAY"), ("ResourceId.1", "@NatGateway")];
                built.vpc("TagResources", &[of, [("Tag.1.Key", "team"), ("Tag.1.Value", "blue")]].concat());
            }),
            edit("there is another NAT gateway", &["refused ALI-ICV-009"], |built| {
                bring_nat_gateway_in(&built.scene.site, &built.id("VPC"), "10.250.241.0/24");
            }),
            edit("the NAT gateway is gone", &["refused ALI-ICV-008"], |built| {
                built.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
            }),
            edit("the NAT gateway is another one", ANOTHER_GATEWAY, |built| {
                built.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
                bring_nat_gateway_in(&built.scene.site, &built.id("VPC"), "10.250.241.0/24");
            }),
        ],
    );
    let eip = |built: &Built| {
        let zone = &built.scene.shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][1];
        zone["natGateway"]["eipAllocationID"].as_str().unwrap().to_owned()
    };
    fixes(
        Layout::OwnAddresses,
        [
            edit("an elastic IP has another name and bandwidth", &[], move |built| {
                let eip = eip(built);
                let parameters = [("AllocationId", eip.as_str()), ("Name", "other"), ("Bandwidth", "7")];
                built.vpc("ModifyEipAddressAttribute", &parameters);
            }),
            edit(
                "an elastic IP serves nothing any more",
                &["associate zones/b/own-eip/association", "create zones/b/snat"],
                move |built| {
                    built.delete_snat_entry("b");
                    let eip = ("AllocationId", &*eip(built));
                    built.vpc(
                        "UnassociateEipAddress",
                        &[eip, ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")],
                    );
                },
            ),
            edit("an elastic IP is gone", &["refused ALI-ICV-020"], move |built| {
                built.delete_snat_entry("b");
                let eip = ("AllocationId", &*eip(built));
                built.vpc("UnassociateEipAddress", &[eip, ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")]);
                built.vpc("ReleaseEipAddress", &[eip]);
            }),
        ],
    );
}
