//! Each rule, with a world that it accepts and one that it rejects.

use serde_json::{Value, json};

use super::check;
use crate::gardener::planning::errors::Errors;
use crate::policy::PlanRequest;
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::infrastructure::input::Input;
use crate::provider::alicloud::infrastructure::testing::{NS, managed, recorded, request, with_input};
use crate::provider::alicloud::infrastructure::world::{Eip, Ipv6Gateway, NatGateway, VSwitch, Vpc, World};

/// Rule, field, pointer, value, detail of each finding.
type Found = Vec<(String, String, String, String, String)>;

fn found(document: &Value, world: &World) -> Found {
    let findings = with_input(document, |input, state, _| check(input, world, state));
    let texts = findings.into_iter().map(|finding| {
        let value = finding.bad_value.map(|value| value.as_str().to_owned()).unwrap_or_default();
        let kind = serde_json::to_value(finding.error_type).unwrap();
        let kind = kind.as_str().unwrap().trim_start_matches("FieldValue");
        (format!("{} {kind}", finding.rule), finding.field, finding.pointer, value, finding.detail)
    });
    texts.collect()
}

fn existing() -> Value {
    json!({ "id": "vpc-9" })
}

fn config(document: &mut Value) -> &mut Value {
    &mut document["request"]["infrastructure"]["spec"]["providerConfig"]
}

fn tag(key: &str) -> (String, String) {
    (key.to_owned(), "1".to_owned())
}

/// A world in which all is as an existing VPC has to be.
fn world() -> World {
    World {
        vpc: Some(Vpc { id: "vpc-9".to_owned(), ipv6_cidr: "2001:db8::/56".to_owned(), ..Vpc::default() }),
        nat_gateways: vec![
            NatGateway { id: "ngw-1".to_owned(), ..NatGateway::default() },
            NatGateway {
                id: "ngw-2".to_owned(),
                tags: vec![tag("kubernetes.io/cluster/another")],
                ..NatGateway::default()
            },
        ],
        ipv6_gateways: vec![Ipv6Gateway { id: "ipv6gw-1".to_owned(), ..Ipv6Gateway::default() }],
        nat_zones: Some(vec!["a".to_owned(), "b".to_owned()]),
        ..World::default()
    }
}

const VPC_ID: &str = "/spec/providerConfig/networks/vpc/id";

fn of_vpc(rule: &str, detail: &str) -> Found {
    vec![(
        rule.to_owned(),
        "networks.vpc.id".to_owned(),
        VPC_ID.to_owned(),
        "\"vpc-9\"".to_owned(),
        detail.to_owned(),
    )]
}

#[test]
fn an_existing_vpc_is_as_it_has_to_be() {
    let document = request("reconcile", &existing(), &["a"], &json!({}));
    let mut dual_stack = document.clone();
    config(&mut dual_stack)["dualStack"] = json!({ "enabled": true });
    assert_eq!(found(&document, &world()), []);
    assert_eq!(found(&dual_stack, &world()), []);
    for (document, change, expected) in [
        (&dual_stack, (|world| world.vpc = None) as fn(&mut World), of_vpc("ALI-ICV-005 NotFound", "")),
        (
            &document,
            |world| world.nat_gateways.truncate(0),
            of_vpc("ALI-ICV-008 Invalid", "no user natgateway found"),
        ),
        (
            &document,
            |world| drop(world.nat_gateways.remove(0)),
            of_vpc("ALI-ICV-008 Invalid", "no user natgateway found"),
        ),
        (
            &document,
            |world| world.nat_gateways[1].tags.clear(),
            of_vpc("ALI-ICV-009 Invalid", "more than one user natgateway found"),
        ),
        (
            &dual_stack,
            |world| {
                world.vpc = Some(Vpc::default());
                world.ipv6_gateways.clear();
            },
            of_vpc(
                "ALI-ICV-011 Invalid",
                "VPC does not have IPv6 enabled; please enable IPv6 on the VPC before using dualStack",
            ),
        ),
        (
            &dual_stack,
            |world| world.ipv6_gateways.clear(),
            of_vpc(
                "ALI-ICV-013 Invalid",
                "VPC does not have an IPv6 Gateway; please create one before using dualStack",
            ),
        ),
    ] {
        let mut world = world();
        change(&mut world);
        assert_eq!(found(document, &world), expected);
    }
    let mut without = world();
    without.ipv6_gateways.clear();
    assert_eq!(found(&document, &without), [], "IPv6 is nobody's business without dual-stack");
    let managed_gateway = json!({ "id": "vpc-9", "gardenerManagedNATGateway": true });
    without.nat_gateways.clear();
    assert_eq!(found(&request("reconcile", &managed_gateway, &["a"], &json!({})), &without), []);
}

fn vswitch(id: &str, name: &str, cidr: &str, tags: &[&str]) -> VSwitch {
    VSwitch {
        id: id.to_owned(),
        name: name.to_owned(),
        zone: "a".to_owned(),
        cidr: cidr.to_owned(),
        tags: tags.iter().map(|key| tag(key)).collect(),
        ..VSwitch::default()
    }
}

#[test]
fn a_vpc_with_other_shoots_needs_a_route_table_for_each() {
    let detail = "useCustomRouteTable must be true when gardenerManagedNATGateway is true and the VPC already contains \
                  other Gardener-managed shoots";
    let expected = [(
        "ALI-ICV-015 Required".to_owned(),
        "networks.vpc.useCustomRouteTable".to_owned(),
        "/spec/providerConfig/networks/vpc/useCustomRouteTable".to_owned(),
        "null".to_owned(),
        detail.to_owned(),
    )];
    let (own, other) = (format!("kubernetes.io/cluster/{NS}"), format!("kubernetes.io/cluster/{NS}-2"));
    let of = |tags: &[&str]| World { vswitches: vec![vswitch("vsw-1", "", "10.9.0.0/24", tags)], ..world() };
    let managed_gateway = json!({ "id": "vpc-9", "gardenerManagedNATGateway": true });
    let document = request("reconcile", &managed_gateway, &["a"], &json!({}));
    assert_eq!(found(&document, &of(&[&own, &other])), expected);
    assert_eq!(found(&document, &of(&[&own])), []);
    let custom = json!({ "id": "vpc-9", "gardenerManagedNATGateway": true, "useCustomRouteTable": true });
    assert_eq!(found(&request("reconcile", &custom, &["a"], &json!({})), &of(&[&other])), []);
    assert_eq!(found(&request("reconcile", &existing(), &["a"], &json!({})), &of(&[&other])), []);
    let mut later = document;
    later["request"]["infrastructure"]["status"] = json!({ "lastOperation": { "type": "Reconcile" } });
    assert_eq!(found(&later, &of(&[&other])), [], "it is judged when the Shoot is made");
}

#[test]
fn a_zone_takes_no_range_that_a_vswitch_has() {
    let document = request("reconcile", &existing(), &["a", "b"], &json!({}));
    let of = |vswitch| World { vswitches: vec![vswitch], ..world() };
    let conflict = |field: &str, zone: usize, value: &str, vswitch: &str| {
        vec![(
            "ALI-ICV-016 Invalid".to_owned(),
            format!("networks.zones[{zone}].workers"),
            format!("/spec/providerConfig/networks/zones/{zone}/{field}"),
            format!("\"{value}\""),
            format!("conflicts with existing vswitch {vswitch} in VPC vpc-9"),
        )]
    };
    let taken = vswitch("vsw-9", "other", "10.250.2.128/25", &[]);
    let expected = conflict("workers", 1, "10.250.2.0/24", "vsw-9 (10.250.2.128/25)");
    assert_eq!(found(&document, &of(taken.clone())), expected);
    assert_eq!(found(&document, &of(vswitch("vsw-9", "other", "10.250.3.0/24", &[]))), []);

    // What an earlier attempt left is no conflict; what a neighbour has whose name begins like ours is one.
    let name = format!("{NS}-a-vsw");
    assert_eq!(found(&document, &of(vswitch("vsw-1", &name, "10.250.1.0/24", &[]))), []);
    let own = format!("kubernetes.io/cluster/{NS}");
    assert_eq!(found(&document, &of(vswitch("vsw-1", "renamed", "10.250.1.0/24", &[&own]))), []);
    let neighbour = vswitch("vsw-8", &format!("{NS}-2-a-vsw"), "10.250.1.0/24", &[&format!("{own}-2")]);
    let expected = conflict("workers", 0, "10.250.1.0/24", "vsw-8 (10.250.1.0/24)");
    assert_eq!(found(&document, &of(neighbour)), expected);

    let mut legacy = document;
    config(&mut legacy)["networks"]["zones"][1] = json!({ "name": "b", "worker": "10.250.2.0/24" });
    assert_eq!(found(&legacy, &of(taken)), conflict("worker", 1, "10.250.2.0/24", "vsw-9 (10.250.2.128/25)"));
}

#[test]
fn the_first_zone_offers_nat_gateways_where_one_is_made() {
    let expected = |field: &str, pointer: &str, value: &str, kind: &str, detail: &str| {
        let pointer = format!("/spec/providerConfig/networks/{pointer}");
        [(format!("ALI-ICV-018 {kind}"), field.to_owned(), pointer, value.to_owned(), detail.to_owned())]
    };
    let of = |zones: &[&str]| found(&request("reconcile", &managed(), zones, &json!({})), &world());
    assert_eq!(of(&["a", "z"]), []);
    let detail = "zone z does not support enhance natgateway, please use following zones: a b";
    let rejected = expected("networks.zones[0].name", "zones/0/name", "\"z\"", "Forbidden", detail);
    assert_eq!(of(&["z", "a"]), rejected);
    let detail = "must specify at least the network for one zone";
    assert_eq!(of(&[]), expected("networks.zones", "zones", "", "Required", detail));
    assert_eq!(found(&request("reconcile", &existing(), &["z"], &json!({})), &world()), []);
    let unasked = World { nat_zones: None, ..world() };
    assert_eq!(found(&request("reconcile", &managed(), &["z"], &json!({})), &unasked), []);
}

#[test]
fn elastic_ips_of_the_persons_are_there_and_each_in_one_zone() {
    let mut document = request("reconcile", &managed(), &["a", "b"], &json!({}));
    for (zone, id) in [(0, "eip-1"), (1, "eip-2")] {
        config(&mut document)["networks"]["zones"][zone]["natGateway"] = json!({ "eipAllocationID": id });
    }
    let eip = |id: &str| Eip { id: id.to_owned(), ..Eip::default() };
    let there = World { eips: vec![eip("eip-1"), eip("eip-2")], ..world() };
    let finding = |rule: &str, zone: usize, id: &str, detail: &str| {
        [(
            rule.to_owned(),
            "networks.zones[].natGateway.eipAllocationID".to_owned(),
            format!("/spec/providerConfig/networks/zones/{zone}/natGateway/eipAllocationID"),
            format!("\"{id}\""),
            detail.to_owned(),
        )]
    };
    assert_eq!(found(&document, &there), []);
    let without = World { eips: vec![eip("eip-1")], ..world() };
    assert_eq!(found(&document, &without), finding("ALI-ICV-020 NotFound", 1, "eip-2", ""));
    config(&mut document)["networks"]["zones"][1]["natGateway"] = json!({ "eipAllocationID": "eip-1" });
    assert_eq!(
        found(&document, &there),
        finding("ALI-ICV-021 Forbidden", 1, "eip-1", "Duplicate EIP Allocation ID eip-1")
    );
}

#[test]
fn nothing_is_judged_of_what_goes_or_moves() {
    for operation in ["delete", "migrate"] {
        assert_eq!(found(&request(operation, &existing(), &["z"], &json!({})), &World::default()), []);
    }
    assert_ne!(found(&request("restore", &existing(), &["z"], &json!({})), &World::default()), []);
}

#[test]
fn a_shoot_is_judged_where_its_configuration_is() {
    let mut document = request("reconcile", &managed(), &["z"], &json!({}));
    let config = config(&mut document).clone();
    document["request"] = json!({ "operation": "reconcile", "cluster": { "shoot": {
        "metadata": { "name": "ali", "namespace": "garden-dev" },
        "spec": { "region": "cn-shanghai", "provider": { "infrastructureConfig": config } }
    } } });
    let found = found(&document, &world());
    assert_eq!(found[0].1, "networks.zones[0].name");
    assert_eq!(found[0].2, "/spec/provider/infrastructureConfig/networks/zones/0/name");
    assert_eq!(found[0].3, "\"z\"");
}

#[test]
fn a_configuration_that_cannot_be_read_is_reported() {
    let read = |document: &Value| -> Errors {
        let text = document.to_string();
        let value = crate::document::parse(&text).unwrap();
        let request = PlanRequest::read(&value).unwrap();
        Input::read(&request.request, &crate::policy::State::new()).unwrap_err()
    };
    let mut document = request("reconcile", &managed(), &["a"], &json!({}));
    config(&mut document)["networks"]["zones"][0]["colour"] = json!("red");
    let errors = read(&document);
    let finding = &errors.findings[0];
    assert_eq!((finding.rule, finding.field.as_str()), ("ALI-ICV-001", ""));
    assert_eq!(
        finding.detail,
        "could not decode provider config: strict decoding error: unknown field \"networks.zones[0].colour\""
    );
    assert_eq!(finding.pointer, "/spec/providerConfig/networks/zones/0/colour");
    assert_eq!(errors.codes, ["ERR_CONFIGURATION_PROBLEM"]);
    assert_eq!(finding.remedy, "Remove or correct the unknown field `networks.zones[0].colour`.");

    *config(&mut document) = json!({ "kind": "InfrastructureConfig" });
    assert_eq!(read(&document).findings[0].pointer, "/spec/providerConfig/apiVersion");
    document["request"]["infrastructure"]["spec"].as_object_mut().unwrap().remove("providerConfig");
    let errors = read(&document);
    assert_eq!(errors.findings[0].detail, "provider config is not set on the infrastructure resource");
    assert_eq!(errors.codes, ["ERR_CONFIGURATION_PROBLEM"]);
}

#[test]
fn codes_are_those_of_a_configuration_unless_something_else_failed() {
    let document = request("reconcile", &existing(), &["a"], &json!({}));
    let findings = with_input(&document, |input, state, _| check(input, &World { vpc: None, ..world() }, state));
    assert_eq!(Errors::new(findings, codes).codes, ["ERR_CONFIGURATION_PROBLEM"]);
}

#[test]
fn what_a_request_says_is_read() {
    let mut document = request("reconcile", &managed(), &["a", "b"], &json!({}));
    let zones = &mut config(&mut document)["networks"]["zones"];
    zones.as_array_mut().unwrap().push(json!({ "name": "a", "workers": "10.250.9.0/24" }));
    zones[1]["ipv6CidrBlock"] = json!(7);
    zones[1]["worker"] = zones[1]["workers"].take();
    document["request"]["infrastructure"]["metadata"]["annotations"] =
        json!({ "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource": "True" });
    with_input(&document, |input, _, _| {
        let zones: Vec<_> =
            input.zones.iter().map(|zone| (zone.index, zone.name, zone.cidr, zone.ipv6_block)).collect();
        assert_eq!(zones, [(0, "a", "10.250.1.0/24", 0), (1, "b", "10.250.2.0/24", 7)]);
        assert_eq!((input.pods, input.region), (Some("100.96.0.0/11"), "cn-shanghai"));
        assert!(input.may_delete);
        assert!(input.has_managed_nat_gateway() && !input.is_dual_stack() && !input.has_custom_route_table());
    });
}

#[test]
fn it_is_made_for_the_first_time_until_something_is_recorded() {
    let is_create = |vpc: &Value, state: &Value, operation: Option<&str>| {
        let mut document = request("reconcile", vpc, &["a"], state);
        if let Some(operation) = operation {
            document["request"]["infrastructure"]["status"] = json!({ "lastOperation": { "type": operation } });
        }
        with_input(&document, |input, _, _| input.is_create)
    };
    assert!(is_create(&managed(), &json!({}), None));
    assert!(is_create(&existing(), &json!({}), None), "the VPC is recorded before anything is made");
    assert!(!is_create(&managed(), &recorded(&["a"]), None));
    assert!(is_create(&managed(), &recorded(&["a"]), Some("Create")));
    assert!(!is_create(&existing(), &json!({}), Some("Reconcile")));
}
