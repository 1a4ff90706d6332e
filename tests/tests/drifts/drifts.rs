//! Somebody changes, adds or deletes resources by hand.

use serde_json::{Value, json};
use trellis_tests::cloud::Cloud;
use trellis_tests::networks::{built, changes, custom_table, one_zone, two_zones};

use super::leads_to;

fn notes(answer: &Value) -> Vec<String> {
    let line = |note: &Value| format!("{} {}", note["id"].as_str().unwrap(), note["attribute"].as_str().unwrap());
    answer["plan"]["notes"].as_array().into_iter().flatten().map(line).collect()
}

/// A change that somebody makes in a cloud.
type Drift = fn(&mut Cloud);

/// A change that somebody makes, the changes of the plan, and the differences that the plan notes and leaves.
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
fn what_somebody_changed_is_fixed_replaced_or_reported() {
    for (what, drift, expected, reported) in DRIFTS {
        println!("{what}");
        let mut session = built(&one_zone());
        drift(&mut session.cloud);
        let answer = session.plan();
        assert_eq!(changes(&answer), *expected, "{what}");
        assert_eq!(notes(&answer), *reported, "{what}");
        let is_pending = session.cloud.all("SNAT").iter().any(|entry| entry["Status"] == "Pending");
        if !is_pending {
            leads_to(&mut session, expected);
        }
    }
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
