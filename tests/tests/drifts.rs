//! What somebody did to a network behind our back, and what becomes of it; what an edit of the configuration does.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use serde_json::{Value, json};
use trellis_tests::cloud::{Cloud, Oddity};
use trellis_tests::networks::{
    ZONES, allow_removal, built, changes, config, configure, custom_table, dual_stack, one_zone, others, own_eip,
    request, two_zones, zone,
};
use trellis_tests::session::Session;

fn notes(answer: &Value) -> Vec<String> {
    let line = |note: &Value| format!("{} {}", note["id"].as_str().unwrap(), note["attribute"].as_str().unwrap());
    answer["plan"]["notes"].as_array().into_iter().flatten().map(line).collect()
}

fn disruptions(answer: &Value) -> String {
    let changes = answer["plan"]["changes"].as_array().into_iter().flatten();
    changes.filter_map(|change| change["disruption"].as_str()).collect::<Vec<_>>().join("\n")
}

/// Sees that a plan does what it should, that nothing is left to do when it is done, and that others keep what they have.
fn leads_to(session: &mut Session, expected: &[&str]) -> Value {
    let answer = session.plan();
    assert_eq!(changes(&answer), expected);
    session.run(&answer["plan"]);
    assert_eq!(changes(&session.plan()), [""; 0]);
    for (kind, list) in others().as_object().unwrap() {
        for other in list.as_array().unwrap() {
            let id = other.as_object().unwrap().values().find_map(Value::as_str).unwrap();
            let there = session.cloud.all(kind).iter().any(|resource| resource.to_string().contains(id));
            assert!(there, "{kind} {id} is gone");
        }
    }
    answer
}

#[test]
fn a_first_plan_makes_everything_in_order() {
    let mut session =
        Session { request: request(&one_zone()), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    leads_to(
        &mut session,
        &[
            "create vpc: create",
            "create securitygroup: create authorize",
            "create zones/cn-shanghai-a/vswitch: create",
            "create natgateway: create",
            "create zones/cn-shanghai-a/eip: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "create zones/cn-shanghai-a/snat: create",
        ],
    );
}

#[test]
fn all_variants_are_made_and_taken_down() {
    let user_vpc = json!({ "id": "vpc-user" });
    let managed_gateway =
        json!({ "id": "vpc-user", "gardenerManagedNATGateway": true, "useCustomRouteTable": true });
    let zones = [zone("a", "10.250.0.0/19"), zone("b", "10.250.32.0/19")];
    for config in [
        one_zone(),
        two_zones(),
        dual_stack(two_zones()),
        custom_table(two_zones()),
        custom_table(dual_stack(two_zones())),
        own_eip(two_zones(), 1, "eip-user-1"),
        own_eip(own_eip(two_zones(), 1, "eip-user-1"), 0, "eip-user-2"),
        config(&user_vpc, &zones),
        own_eip(config(&user_vpc, &zones), 1, "eip-user-1"),
        config(&managed_gateway, &zones),
    ] {
        let mut session = built(&config);
        assert_eq!(changes(&session.plan()), [""; 0], "{config}");
        session.request["operation"] = "delete".into();
        session.apply();
        assert_eq!(changes(&session.plan()), [""; 0], "{config}");
        session.cloud.resources.retain(|_, list| !list.is_empty());
        let before: Cloud = Cloud::new(&others(), ZONES);
        assert_eq!(session.cloud.resources, before.resources, "{config}");
    }
}

/// What somebody does to a cloud.
type Drift = fn(&mut Cloud);

/// What somebody does; the changes that it leads to; what is told and left.
const DRIFTS: &[(&str, Drift, &[&str], &[&str])] = &[
    ("a VPC is renamed", |cloud| cloud.all_mut("VPC")[1]["VpcName"] = "x".into(), &[], &["vpc name"]),
    (
        "tags of a VPC are lost",
        |cloud| cloud.all_mut("VPC")[1]["tags"] = json!({}),
        &["adopt vpc (tags): tag"],
        &[],
    ),
    (
        "a tag is added, another one changed",
        |cloud| {
            cloud.all_mut("VSWITCH")[1]["tags"]["mine"] = "1".into();
            cloud.all_mut("VSWITCH")[1]["tags"]["Name"] = "x".into();
        },
        &["update zones/cn-shanghai-a/vswitch (tags): tag untag"],
        &[],
    ),
    (
        "the cloud adds a tag of its own",
        |cloud| cloud.all_mut("VSWITCH")[1]["tags"]["acs:rm:rgId"] = "1".into(),
        &[],
        &[],
    ),
    (
        "a tag is added to the security group",
        |cloud| cloud.all_mut("securitygroup")[1]["tags"]["mine"] = "1".into(),
        &["update securitygroup (tags): untag"],
        &[],
    ),
    (
        "rules are added and removed",
        |cloud| {
            let rules = cloud.all_mut("securitygroup")[1]["rules"].as_array_mut().unwrap();
            rules.remove(0);
            rules.push(
                json!({ "SecurityGroupRuleId": "sgr-x", "Direction": "ingress", "Policy": "Drop", "Priority": "1",
                "IpProtocol": "ALL", "PortRange": "-1/-1", "SourceCidrIp": "192.0.2.0/24" }),
            );
            rules.push(
                json!({ "SecurityGroupRuleId": "sgr-y", "Direction": "egress", "Policy": "Drop", "Priority": "1",
                "IpProtocol": "ALL", "PortRange": "-1/-1", "DestCidrIp": "192.0.2.0/24" }),
            );
        },
        &["update securitygroup (rules): authorize revoke-ingress revoke-egress"],
        &[],
    ),
    (
        "the cloud spells rules in the other case",
        |cloud| {
            for rule in cloud.all_mut("securitygroup")[1]["rules"].as_array_mut().unwrap() {
                rule["Policy"] = "accept".into();
                rule["IpProtocol"] = rule["IpProtocol"].as_str().unwrap().to_lowercase().into();
            }
        },
        &[],
        &[],
    ),
    (
        "the security group is deleted",
        |cloud| cloud.all_mut("securitygroup").truncate(1),
        &["create securitygroup: create authorize"],
        &[],
    ),
    (
        "a VSwitch, a NAT gateway and a SNAT entry are renamed",
        |cloud| {
            cloud.all_mut("VSWITCH")[1]["VSwitchName"] = "x".into();
            cloud.all_mut("NATGATEWAY")[1]["Name"] = "x".into();
            cloud.all_mut("SNAT")[1]["SnatEntryName"] = "x".into();
        },
        &[],
        &["zones/cn-shanghai-a/vswitch name", "natgateway name", "zones/cn-shanghai-a/snat name"],
    ),
    (
        "the bandwidth, name and charge type of an elastic IP change",
        |cloud| {
            let eip = &mut cloud.all_mut("EIP")[3];
            eip["Bandwidth"] = "5".into();
            eip["Name"] = "x".into();
            eip["InternetChargeType"] = "PayByBandwidth".into();
        },
        &["update zones/cn-shanghai-a/eip (bandwidth): change-bandwidth"],
        &["zones/cn-shanghai-a/eip name", "zones/cn-shanghai-a/eip chargeType"],
    ),
    (
        "a SNAT entry is deleted",
        |cloud| cloud.all_mut("SNAT").truncate(1),
        &["create zones/cn-shanghai-a/snat: create"],
        &[],
    ),
    (
        "an elastic IP is unassociated, with its SNAT entry",
        |cloud| {
            cloud.all_mut("SNAT").truncate(1);
            let eip = &mut cloud.all_mut("EIP")[3];
            eip["Status"] = "Available".into();
            eip.as_object_mut().unwrap().remove("InstanceId");
        },
        &["associate zones/cn-shanghai-a/eip/association: associate", "create zones/cn-shanghai-a/snat: create"],
        &[],
    ),
    (
        "an elastic IP is released, with all that is on it",
        |cloud| {
            cloud.all_mut("SNAT").truncate(1);
            cloud.all_mut("EIP").truncate(3);
        },
        &[
            "create zones/cn-shanghai-a/eip: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "create zones/cn-shanghai-a/snat: create",
        ],
        &[],
    ),
    (
        "the NAT gateway is deleted",
        |cloud| {
            cloud.all_mut("SNAT").truncate(1);
            cloud.all_mut("NATGATEWAY").truncate(1);
            let eip = &mut cloud.all_mut("EIP")[3];
            eip["Status"] = "Available".into();
            eip.as_object_mut().unwrap().remove("InstanceId");
        },
        &[
            "create natgateway: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "create zones/cn-shanghai-a/snat: create",
        ],
        &[],
    ),
    (
        "a SNAT entry is added for our VSwitch in the same table",
        |cloud| {
            let mut entry = cloud.all("SNAT")[1].clone();
            entry["SnatEntryId"] = "snat-x".into();
            cloud.all_mut("SNAT").push(entry);
        },
        &["delete snatentries/snat-x: delete"],
        &[],
    ),
    (
        "something is not available yet",
        |cloud| cloud.all_mut("SNAT")[1]["Status"] = "Pending".into(),
        &["update zones/cn-shanghai-a/snat (status): wait"],
        &[],
    ),
];

#[test]
fn what_somebody_changed_is_mended_replaced_or_told() {
    for (what, drift, expected, told) in DRIFTS {
        println!("{what}");
        let mut session = built(&one_zone());
        drift(&mut session.cloud);
        let answer = session.plan();
        assert_eq!(changes(&answer), *expected, "{what}");
        assert_eq!(notes(&answer), *told, "{what}");
        let is_pending = session.cloud.all("SNAT").iter().any(|entry| entry["Status"] == "Pending");
        if !is_pending {
            leads_to(&mut session, expected);
        }
    }
}

#[test]
fn a_zone_is_added() {
    let mut session = built(&one_zone());
    configure(&mut session, two_zones());
    leads_to(
        &mut session,
        &[
            "create zones/cn-shanghai-b/vswitch: create",
            "create zones/cn-shanghai-b/eip: create",
            "associate zones/cn-shanghai-b/eip/association: associate",
            "create zones/cn-shanghai-b/snat: create",
        ],
    );
    assert_eq!(session.state["Zones/cn-shanghai-b/Suffix"], "z1");
}

#[test]
fn a_zone_is_removed_only_when_that_is_allowed() {
    let mut session = built(&two_zones());
    configure(&mut session, config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("b", "10.250.32.0/19")]));
    let answer = session.plan();
    assert_eq!(answer.get("plan"), None);
    assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
    let finding = &answer["findings"][0];
    assert_eq!(finding["rule"], "ALI-PLAN-002");
    let detail = finding["detail"].as_str().unwrap();
    assert!(
        detail.starts_with(
            "protected: attempt to DeleteZoneByVSwitches during reconcile. Details: zone: cn-shanghai-a"
        ),
        "{detail}"
    );
    allow_removal(&mut session);
    // The NAT gateway stood in the zone that goes.
    let answer = leads_to(
        &mut session,
        &[
            "replace natgateway: delete create",
            "replace zones/cn-shanghai-b/eip/association: associate",
            "replace zones/cn-shanghai-b/snat: create",
            "delete zones/cn-shanghai-a/snat: ",
            "delete zones/cn-shanghai-a/eip/association: ",
            "delete zones/cn-shanghai-a/vswitch: delete",
            "delete zones/cn-shanghai-a/eip: release",
        ],
    );
    assert!(disruptions(&answer).contains("No node reaches the internet meanwhile"), "{answer:#}");
    let state = session.state.as_object().unwrap();
    assert!(state.keys().all(|key| !key.starts_with("Zones/cn-shanghai-a/")), "{state:#?}");
}

#[test]
fn a_range_changes_only_when_that_is_allowed_and_the_address_stays() {
    let mut session = built(&two_zones());
    let mut changed = two_zones();
    changed["networks"]["zones"][1]["workers"] = "10.250.64.0/19".into();
    configure(&mut session, changed);
    assert_eq!(session.plan()["findings"][0]["pointer"], "/spec/providerConfig/networks/zones/1");
    allow_removal(&mut session);
    let addresses = session.cloud.all("EIP").len();
    leads_to(
        &mut session,
        &["replace zones/cn-shanghai-b/vswitch: delete create", "replace zones/cn-shanghai-b/snat: delete create"],
    );
    assert_eq!(session.cloud.all("EIP").len(), addresses);
}

#[test]
fn the_range_of_the_zone_with_the_nat_gateway_changes() {
    let mut session = built(&two_zones());
    let mut changed = two_zones();
    changed["networks"]["zones"][0]["workers"] = "10.250.64.0/19".into();
    configure(&mut session, changed);
    allow_removal(&mut session);
    leads_to(
        &mut session,
        &[
            "replace zones/cn-shanghai-a/vswitch: delete create",
            "replace natgateway: delete create",
            "replace zones/cn-shanghai-a/eip/association: associate",
            "replace zones/cn-shanghai-a/snat: create",
            "replace zones/cn-shanghai-b/eip/association: associate",
            "replace zones/cn-shanghai-b/snat: create",
        ],
    );
}

#[test]
fn elastic_ips_change_hands() {
    for vpc in [json!({ "cidr": "10.250.0.0/16" }), json!({ "id": "vpc-user" })] {
        let managed = config(&vpc, &[zone("a", "10.250.0.0/19")]);
        let mut session = built(&managed);
        configure(&mut session, own_eip(managed.clone(), 0, "eip-user-1"));
        let answer = leads_to(
            &mut session,
            &[
                "associate zones/cn-shanghai-a/own-eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/eip/association: unassociate",
                "delete zones/cn-shanghai-a/eip: release",
            ],
        );
        let told = disruptions(&answer);
        assert!(told.contains("its egress address changes from 203.0.113."), "{told}");
        assert!(told.contains("to 198.51.100.1."), "{told}");
        assert_eq!(session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"], "<deleted>");
        assert_eq!(session.state["Zones/cn-shanghai-a/NATGatewayElasticIPAddress"], "198.51.100.1");

        configure(&mut session, own_eip(managed.clone(), 0, "eip-user-2"));
        leads_to(
            &mut session,
            &[
                "associate zones/cn-shanghai-a/own-eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/former-eip/association: unassociate",
            ],
        );
        configure(&mut session, managed.clone());
        leads_to(
            &mut session,
            &[
                "create zones/cn-shanghai-a/eip: create",
                "associate zones/cn-shanghai-a/eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/former-eip/association: unassociate",
            ],
        );
        assert_eq!(session.state.get("Zones/cn-shanghai-a/FormerElasticIP"), None);
        let free = session.cloud.all("EIP").iter().filter(|eip| eip["Status"] == "Available").count();
        assert_eq!(free, 2);
    }
}

#[test]
fn an_elastic_ip_that_was_left_behind_by_a_crash_is_remembered() {
    let mut session = built(&own_eip(one_zone(), 0, "eip-user-1"));
    configure(&mut session, own_eip(one_zone(), 0, "eip-user-2"));
    let mut plan = session.plan()["plan"].clone();
    // Nobody comes to the last step.
    plan["steps"].as_array_mut().unwrap().pop();
    session.run(&plan);
    assert_eq!(session.state["Zones/cn-shanghai-a/FormerElasticIP"], "eip-user-1");
    leads_to(&mut session, &["delete zones/cn-shanghai-a/former-eip/association: unassociate"]);
    assert_eq!(session.state.get("Zones/cn-shanghai-a/FormerElasticIP"), None);
}

#[test]
fn an_elastic_ip_in_use_elsewhere_is_not_taken_away() {
    let mut session = built(&one_zone());
    configure(&mut session, own_eip(one_zone(), 0, "eip-user-3"));
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-004", "{answer:#}");
    assert_eq!(answer["findings"][0]["badValue"], "eip-user-3");
    assert_eq!(answer["findings"][0]["detail"], "elastic IP eip-user-3 is in use by ngw-user");
}

/// Binds the managed elastic IP of the first zone to an instance of somebody's; its id.
fn bind_elsewhere(session: &mut Session) -> String {
    let id = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    let eip = session.cloud.get_mut("EIP", &id).unwrap();
    eip["InstanceId"] = "i-theirs".into();
    eip["InstanceType"] = "EcsInstance".into();
    id
}

#[test]
fn a_managed_elastic_ip_that_serves_somebody_is_not_released_and_nothing_else_goes() {
    let made = built(&two_zones());
    let mut going = made.clone();
    going.request["operation"] = "delete".into();
    let mut without_zone = made.clone();
    configure(&mut without_zone, config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("b", "10.250.32.0/19")]));
    allow_removal(&mut without_zone);
    let mut exchanged = made;
    configure(&mut exchanged, own_eip(two_zones(), 0, "eip-user-1"));
    for mut session in [going, without_zone, exchanged] {
        let id = bind_elsewhere(&mut session);
        let answer = session.plan();
        assert_eq!(answer.get("plan"), None, "{answer:#}");
        let finding = &answer["findings"][0];
        assert_eq!(finding["rule"], "ALI-PLAN-020", "{answer:#}");
        let detail = format!("elastic IP {id} would be released, and is in use by i-theirs (EcsInstance)");
        assert_eq!(finding["detail"], detail);
        assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
    }
}

#[test]
fn an_elastic_ip_that_is_told_as_bound_to_the_gateway_that_went_last_is_released() {
    let mut session = built(&one_zone());
    session.request["operation"] = "delete".into();
    let mut plan = session.plan()["plan"].clone();
    let steps = plan["steps"].as_array_mut().unwrap();
    let gone = steps.iter().position(|step| step["id"] == "natgateway/delete").unwrap();
    steps.truncate(gone + 1);
    let eip = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    let bound = session.cloud.get_mut("EIP", &eip).unwrap().clone();
    session.run(&plan);
    *session.cloud.get_mut("EIP", &eip).unwrap() = bound;
    let steps = session.plan()["plan"]["steps"].to_string();
    assert!(steps.contains("zones/cn-shanghai-a/eip/release"), "{steps}");
}

/// Somebody associates an elastic IP of theirs with the NAT gateway, and adds its address to the SNAT entry of a zone.
fn add_address(session: &mut Session, gateway: &Value) {
    let eip = session.cloud.get_mut("EIP", "eip-user-2").unwrap();
    eip["Status"] = "InUse".into();
    eip["InstanceId"] = gateway.clone();
    let entry = session.state["Zones/cn-shanghai-a/SnatEntry"].as_str().unwrap().to_owned();
    let entry = session.cloud.get_mut("SNAT", &entry).unwrap();
    entry["SnatIp"] = format!("198.51.100.2, {}", entry["SnatIp"].as_str().unwrap()).into();
}

#[test]
fn an_address_that_somebody_added_to_a_snat_entry_goes_from_it_and_stays_associated() {
    for vpc in [json!({ "cidr": "10.250.0.0/16" }), json!({ "id": "vpc-user" })] {
        let managed = config(&vpc, &[zone("a", "10.250.0.0/19")]);
        let mut session = built(&managed);
        let gateway = session.state["NatGateway"].clone();
        add_address(&mut session, &gateway);
        let answer = leads_to(&mut session, &["update zones/cn-shanghai-a/snat (address): change-address"]);
        let told = disruptions(&answer);
        assert!(told.contains("changes from 198.51.100.2, 203.0.113."), "{told}");
        assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
    }
}

#[test]
fn of_several_addresses_the_recorded_one_is_the_former() {
    let mut session = built(&own_eip(one_zone(), 0, "eip-user-1"));
    let gateway = session.state["NatGateway"].clone();
    add_address(&mut session, &gateway);
    configure(&mut session, one_zone());
    leads_to(
        &mut session,
        &[
            "create zones/cn-shanghai-a/eip: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "update zones/cn-shanghai-a/snat (address): change-address",
            "delete zones/cn-shanghai-a/former-eip/association: unassociate",
        ],
    );
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-1").unwrap()["Status"], "Available");
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
}

#[test]
fn a_snat_entry_with_several_addresses_goes_before_each_of_their_associations() {
    let mut session = built(&config(&json!({ "id": "vpc-user" }), &[zone("a", "10.250.0.0/19")]));
    let gateway = session.state["NatGateway"].clone();
    add_address(&mut session, &gateway);
    session.request["operation"] = "delete".into();
    let answer = session.plan();
    let steps = answer["plan"]["steps"].as_array().unwrap();
    let place = |id: &str| steps.iter().position(|step| step["id"] == id).unwrap();
    let (entry, association) =
        (place("zones/cn-shanghai-a/snat/delete"), place("zones/cn-shanghai-a/eip/association/unassociate"));
    assert!(entry < association, "{steps:#?}");
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
}

/// Edits the range of the pods.
fn set_pods(session: &mut Session, pods: &str) {
    session.request["cluster"]["shoot"]["spec"]["networking"]["pods"] = pods.into();
}

#[test]
fn who_is_cut_off_by_a_rule_that_goes_is_told() {
    let mut session = built(&one_zone());
    set_pods(&mut session, "100.64.0.0/12");
    let older = session.request.clone();
    let edit = |pods: &str| {
        let mut session = session.clone();
        set_pods(&mut session, pods);
        disruptions(&session.plan())
    };
    assert_eq!(edit("100.128.0.0/11"), "Pods with addresses of 100.96.0.0/11 no longer reach the nodes.");
    assert_eq!(edit("100.112.0.0/12"), "Pods with addresses of 100.96.0.0/11 no longer reach the nodes.");
    assert_eq!(edit("100.64.0.0/10"), "", "a wider range lets the pods in, too");

    // The same before anything is known of the cloud.
    let mut newer = older.clone();
    newer["cluster"]["shoot"]["spec"]["networking"]["pods"] = "100.128.0.0/11".into();
    let preview = json!({ "request": newer, "baseline": older });
    let answer = trellis_core::call("alicloud", "plan", &preview.to_string());
    let told = disruptions(&serde_json::from_str(&answer).unwrap());
    assert_eq!(told, "Pods with addresses of 100.64.0.0/12 no longer reach the nodes.");

    // Rules for a range that the VPC had; what somebody added by hand is nobody's that the plan knows.
    let rules = session.cloud.all_mut("securitygroup")[1]["rules"].as_array_mut().unwrap();
    for (index, (protocol, ports, source, priority)) in [
        ("tcp", "24/513", "172.16.0.0/16", "1"),
        ("UDP", "1/22", "172.16.0.0/16", "1"),
        ("TCP", "1/22", "10.250.64.0/19", "1"),
        ("TCP", "443/443", "172.17.0.0/16", "1"),
        ("ALL", "-1/-1", "172.18.0.0/16", "2"),
        ("ALL", "-1/-1", "sg-theirs", "1"),
    ]
    .into_iter()
    .enumerate()
    {
        rules.push(json!({
            "SecurityGroupRuleId": format!("sgr-x{index}"), "Direction": "ingress", "Policy": "Accept",
            "Priority": priority, "IpProtocol": protocol, "PortRange": ports, "SourceCidrIp": source,
        }));
    }
    set_pods(&mut session, "100.96.0.0/11");
    let told = disruptions(&session.plan());
    assert_eq!(told, "Nodes with addresses of 172.16.0.0/16 no longer reach the others.");
}

#[test]
fn ipv6_is_switched_on() {
    let mut session = built(&one_zone());
    configure(&mut session, dual_stack(one_zone()));
    leads_to(
        &mut session,
        &[
            "update vpc (ipv6): enable-ipv6",
            "create ipv6gateway: create",
            "update zones/cn-shanghai-a/vswitch (ipv6): assign-ipv6",
        ],
    );
}

#[test]
fn routes_are_made_again() {
    let mut session = built(&custom_table(two_zones()));
    session.cloud.all_mut("ROUTEENTRY").clear();
    session.cloud.all_mut("VSWITCH")[2].as_object_mut().unwrap().remove("RouteTableId");
    leads_to(
        &mut session,
        &["create routetable/default: create", "associate zones/cn-shanghai-b/routetable: associate"],
    );
    session.cloud.all_mut("ROUTEENTRY")[0]["NextHopId"] = "i-somebody".into();
    leads_to(&mut session, &["replace routetable/default: delete create"]);
}

#[test]
fn a_lost_state_is_found_again_by_tags() {
    let mut session = built(&custom_table(two_zones()));
    let state = session.state.clone();
    session.state = json!({});
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-012", "nobody says that it is ours");
    let last = json!({ "type": "Reconcile", "state": "Succeeded" });
    session.request["infrastructure"]["status"] = json!({ "lastOperation": last });
    let answer = session.plan();
    let steps = answer["plan"]["steps"].as_array().unwrap();
    assert!(steps.is_empty(), "{steps:#?}");
    session.run(&answer["plan"]);
    assert_eq!(session.state, state);
}

#[test]
fn a_network_without_tags_gets_them_and_nothing_else() {
    let mut session = built(&two_zones());
    let state = session.state.as_object_mut().unwrap();
    state.retain(|key, _| !key.contains("Snat") && !key.ends_with("Address"));
    for kind in ["VPC", "VSWITCH", "NATGATEWAY", "EIP", "securitygroup"] {
        for resource in session.cloud.all_mut(kind).iter_mut() {
            if resource["tags"]["kubernetes.io/cluster/shoot--dev--ali"] == "1" {
                resource.as_object_mut().unwrap().remove("tags");
            }
        }
    }
    leads_to(
        &mut session,
        &[
            "adopt vpc (tags): tag",
            "adopt securitygroup (tags): tag",
            "adopt zones/cn-shanghai-a/vswitch (tags): tag",
            "adopt zones/cn-shanghai-b/vswitch (tags): tag",
            "adopt natgateway (tags): tag",
            "adopt zones/cn-shanghai-a/eip (tags): tag",
            "adopt zones/cn-shanghai-b/eip (tags): tag",
        ],
    );
}

#[test]
fn a_nat_gateway_in_a_foreign_vswitch_is_refused() {
    let mut session = built(&one_zone());
    session.cloud.all_mut("NATGATEWAY")[1]["NatGatewayPrivateInfo"]["VswitchId"] = "vsw-x".into();
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-003", "{answer:#}");
}

#[test]
fn load_balancers_and_further_security_groups_go_with_the_network() {
    let mut session = built(&one_zone());
    let vpc = session.state["VPC"].clone();
    session.cloud.all_mut("SLB").push(json!({
        "LoadBalancerId": "lb-1", "LoadBalancerName": "a", "VpcId": vpc, "DeleteProtection": "on",
        "groups": [{ "VServerGroupName": "k8s/80/shoot--dev--ali" }],
    }));
    session.cloud.all_mut("SLB").push(json!({
        "LoadBalancerId": "lb-2", "LoadBalancerName": "b", "groups": [{ "VServerGroupName": "k8s/80/shoot--dev--ali2" }],
    }));
    session.cloud.all_mut("NLB").push(json!({
        "LoadBalancerId": "nlb-1", "LoadBalancerName": "c", "VpcId": vpc, "LoadBalancerStatus": "Active",
        "DeletionProtectionConfig": { "Enabled": true }, "tags": { "ack.aliyun.com": "shoot--dev--ali" },
    }));
    session.cloud.all_mut("securitygroup").push(json!({
        "SecurityGroupId": "sg-more", "SecurityGroupName": "x", "VpcId": vpc, "rules": [],
        "tags": { "kubernetes.io/cluster/shoot--dev--ali": "1" },
    }));
    session.request["operation"] = "delete".into();
    let answer = session.plan();
    let steps: Vec<String> = answer["plan"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["id"].as_str().unwrap().to_owned())
        .collect();
    for step in [
        "loadbalancers/lb-1/unprotect",
        "loadbalancers/lb-1/delete",
        "loadbalancers/nlb-1/unprotect",
        "securitygroups/sg-more/delete",
    ] {
        assert!(steps.iter().any(|known| known == step), "{steps:#?}");
    }
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.all("SLB").len(), 1);
    assert_eq!(session.cloud.all("NLB").len(), 0);
    assert_eq!(session.cloud.all("VPC").len(), 1);
}

#[test]
fn the_role_of_nat_gateways_is_made_once() {
    let mut session =
        Session { request: request(&one_zone()), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    session.cloud.oddities.push(Oddity::NoRole);
    let answer = session.plan();
    assert_eq!(changes(&answer)[0], "create role: create");
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.oddities, []);
    assert_eq!(changes(&session.plan()), [""; 0]);
}

fn user_vpc(is_nat_managed: bool) -> Value {
    let mut vpc = json!({ "id": "vpc-user" });
    if is_nat_managed {
        vpc["gardenerManagedNATGateway"] = true.into();
    }
    config(&vpc, &[zone("a", "10.250.0.0/19")])
}

#[test]
fn what_was_named_as_somebody_elses_never_becomes_ours_by_an_edit() {
    let mut session = built(&user_vpc(false));
    let before = session.cloud.resources.clone();
    for edit in [one_zone(), user_vpc(true)] {
        let mut session = session.clone();
        configure(&mut session, edit);
        let refused = session.plan().to_string();
        assert!(refused.contains("ALI-PLAN-003"), "{refused}");
        session.request["operation"] = "delete".into();
        session.apply();
        for kind in ["VPC", "NATGATEWAY"] {
            assert_eq!(session.cloud.all(kind), before[kind].as_slice(), "{kind}");
        }
    }
    session.request["operation"] = "delete".into();
    session.apply();
}

#[test]
fn a_managed_elastic_ip_that_a_person_names_as_their_own_is_kept() {
    let mut session = built(&one_zone());
    let eip = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    configure(&mut session, own_eip(one_zone(), 0, &eip));
    let answer = session.plan();
    assert!(!answer.to_string().contains("ReleaseEipAddress"), "{answer:#}");
    session.run(&answer["plan"]);
    assert_eq!(changes(&session.plan()), [""; 0]);
    session.request["operation"] = "delete".into();
    session.apply();
    assert!(session.cloud.all("EIP").iter().any(|known| known["AllocationId"] == eip.as_str()));
}

#[test]
fn a_vswitch_of_our_name_that_another_shoot_has_tagged_is_not_ours() {
    let mut session = built(&one_zone());
    let vswitch = session.state["Zones/cn-shanghai-a/VSwitch"].as_str().unwrap().to_owned();
    session.state.as_object_mut().unwrap().retain(|key, _| !key.starts_with("Zones/"));
    session.cloud.get_mut("VSWITCH", &vswitch).unwrap()["tags"] = json!({ "kubernetes.io/cluster/another": "1" });
    let plan = session.plan().to_string();
    assert!(!plan.contains(&format!("\"ResourceId\":[\"{vswitch}\"]")), "{plan}");
}

#[test]
fn an_ipv6_gateway_stays_known_when_ipv6_is_no_longer_asked_for() {
    let mut session = built(&dual_stack(one_zone()));
    let gateway = session.state["IPV6Gateway"].clone();
    configure(&mut session, one_zone());
    session.apply();
    assert_eq!(session.state["IPV6Gateway"], gateway);
    session.request["operation"] = "delete".into();
    session.apply();
    assert!(session.cloud.all("IPV6GATEWAY").is_empty());
}
