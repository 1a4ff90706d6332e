//! What the cloud does not let happen: the code, a sentence to act on, and a handful of calls.

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, ACCOUNT, Accounts};

use crate::infrastructure::layout::{bring_eip, bring_nat_gateway, bring_vpc, bring_vswitch};
use crate::infrastructure::side_by_side::{SOME, side_by_side};
use crate::infrastructure::site::{REGION, Site, reported, settings, shoot};
use crate::infrastructure::stage::{Ground, Network, Operation, Stage, chosen_actions};

/// A cloud with an access key that is declared so.
fn cloud_with_key(key: &Value) -> Site {
    let accounts = json!({ "accounts": [{ "id": ACCOUNT, "accessKeys": [key] }] });
    let accounts: Accounts = serde_json::from_value(accounts).unwrap();
    Site::of(Options {
        settings: settings(json!({ "delays": { "*": 0 } })),
        accounts: accounts.check().unwrap(),
        region: REGION.to_owned(),
        ..Options::default()
    })
}

/// Applies a Shoot, which must fail: with a code, and saying something; what it called at most as often.
fn refused(site: &Site, shoot: &Value, code: &str, says: &[&str], most: usize) -> String {
    let manifest = site.write("shoot.json", shoot);
    let before = site.cloud().last_record();
    let output = site.command(&["apply", "--yes"], &manifest).output().unwrap();
    let text = reported(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains(code), "no {code}: {text}");
    for said in says {
        assert!(text.contains(said), "`{said}` is not said: {text}");
    }
    let calls = site.calls(before);
    assert!(calls.len() <= most, "{} calls, of at most {most}: {text}", calls.len());
    text
}

#[test]
fn an_access_key_that_does_not_work_is_reported() {
    let keys = [
        (json!({ "id": "LTAI5tSomebodyElses", "secret": "another" }), "ERR_INFRA_UNAUTHENTICATED"),
        (json!({ "id": ACCESS_KEY, "secret": "another" }), "ERR_INFRA_UNAUTH"),
        (json!({ "id": ACCESS_KEY, "secret": ACCESS_KEY_SECRET, "disabled": true }), "ERR_INFRA_UNAUTHENTICATED"),
    ];
    for (key, code) in keys {
        let site = cloud_with_key(&key);
        let text = refused(&site, &shoot(1, &json!({})), code, &["access key"], 4);
        assert!(!text.contains(ACCESS_KEY_SECRET), "{text}");
    }
}

#[test]
fn a_token_that_is_over_is_reported() {
    let site = Site::new();
    let fault = json!({ "kind": "error", "code": "InvalidSecurityToken.Expired", "status": 400, "message": "It is over." });
    let order = serde_json::from_value(json!({ "action": "*", "fault": fault })).unwrap();
    site.cloud().order(order).unwrap();
    refused(&site, &shoot(1, &json!({})), "ERR_INFRA_UNAUTHENTICATED", &["It is over."], 4);
}

/// An action that the account may not call: the permission is named, and once it is there the rest is done.
fn without_permission(stage: &Stage, action: &str) {
    stage.reset();
    stage.order(json!({ "action": action, "fault": { "kind": "unauthorised" } }));
    let before = stage.site.cloud().last_record();
    let output = stage.run();
    let text = reported(&output);
    stage.site.cloud().delete_faults(None);
    let calls = stage.site.calls(before);
    assert!(calls.len() <= stage.calls.len() + 4, "{action}: {} calls: {text}", calls.len());
    let tries = calls.iter().filter(|call| call.fault.is_some()).count();
    let made = stage.calls.iter().filter(|call| *call == action).count();
    assert!((1..=made + 1).contains(&tries), "{action}: {tries} tries");
    assert_eq!(output.status.code(), Some(1), "{action}: {text}");
    assert!(text.contains("ERR_INFRA_UNAUTHORIZED"), "{action}: {text}");
    let (_, name) = action.split_once(':').unwrap();
    assert!(text.contains(name), "{action}: {text}");
    stage.succeed(action);
    stage.assert_wanted(action);
}

#[test]
fn a_missing_permission_is_reported() {
    let stage = Stage::new(Site::new(), Network::Plain, Operation::Create);
    for action in ["vpc:CreateVpc", "vpc:CreateSnatEntry", "vpc:DescribeVpcs"] {
        without_permission(&stage, action);
    }
}

#[test]
#[ignore = "each action, of some operation: make verify"]
fn every_missing_permission_is_reported() {
    let points = chosen_actions("every missing permission");
    side_by_side(SOME, points, Ground::stage, |stage, action| without_permission(stage, &action));
}

#[test]
fn a_quota_that_is_used_up_is_reported_and_what_is_made_is_finished_later() {
    let config = |custom: bool| {
        let mut shoot = shoot(2, &json!({}));
        if custom {
            shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"]["useCustomRouteTable"] =
                json!(true);
        }
        shoot
    };
    let quotas = [
        ("vpcs", 0, false),
        ("vswitches", 1, false),
        ("eips", 1, false),
        ("natGateways", 0, false),
        ("natGatewayEips", 1, false),
        ("snatEntries", 1, false),
        ("securityGroups", 0, false),
        ("securityGroupRules", 1, false),
        ("routeTables", 0, true),
        ("routeEntries", 0, true),
    ];
    for (quota, most, custom) in quotas {
        let site = Site::new();
        let behaves = json!({ "delays": { "*": 0 }, "quotas": { quota: most } });
        site.cloud().set_settings(settings(behaves)).unwrap();
        let shoot = config(custom);
        let text = refused(&site, &shoot, "ERR_INFRA_QUOTA_EXCEEDED", &["quota"], 40);
        assert!(!text.contains("trying "), "{quota}: {text}");
        site.cloud().set_settings(settings(json!({ "delays": { "*": 0 } }))).unwrap();
        let manifest = site.write("shoot.json", &shoot);
        site.apply(&manifest);
        site.assert_no_changes(&manifest);
        site.destroy(&manifest);
        site.assert_empty();
    }
}

#[test]
fn what_a_shoot_refers_to_has_to_be_there() {
    let code = "ERR_CONFIGURATION_PROBLEM";
    let networks = |vpc: &Value| {
        let mut shoot = shoot(1, &json!({}));
        shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"] = vpc.clone();
        shoot
    };
    let site = Site::new();
    let unknown = networks(&json!({ "id": "vpc-unknown" }));
    refused(&site, &unknown, code, &["ALI-ICV-005", "networks.vpc.id"], 8);

    let vpc = bring_vpc(&site, "mine");
    let own = networks(&json!({ "id": vpc }));
    refused(&site, &own, code, &["ALI-ICV-008", "gardenerManagedNATGateway"], 8);
    bring_nat_gateway(&site, &vpc);
    let vswitch = bring_vswitch(&site, &vpc, "more", "10.250.241.0/24");
    let parameters = [("VpcId", vpc.as_str()), ("VSwitchId", &vswitch), ("NatType", "Enhanced")];
    site.call("vpc", "CreateNatGateway", &parameters);
    refused(&site, &own, code, &["ALI-ICV-009"], 8);

    let mut with_eip = shoot(1, &json!({}));
    let set = |shoot: &mut Value, id: &str| {
        let networks = &mut shoot["spec"]["provider"]["infrastructureConfig"]["networks"];
        networks["zones"][0]["natGateway"] = json!({ "eipAllocationID": id });
    };
    set(&mut with_eip, "eip-unknown");
    refused(&site, &with_eip, code, &["ALI-ICV-020"], 8);
    let used = bring_eip(&site, "used");
    let gateways = site.call("vpc", "DescribeNatGateways", &[("VpcId", &vpc)]);
    let gateway = gateways["NatGateways"]["NatGateway"][0]["NatGatewayId"].as_str().unwrap().to_owned();
    let parameters = [("AllocationId", used.as_str()), ("InstanceId", &gateway), ("InstanceType", "Nat")];
    site.call("vpc", "AssociateEipAddress", &parameters);
    set(&mut with_eip, &used);
    refused(&site, &with_eip, code, &["ALI-PLAN-004"], 8);
}

#[test]
fn an_unknown_region_is_reported() {
    let site = Site::new();
    let mut shoot = shoot(1, &json!({}));
    shoot["spec"]["region"] = json!("eu-nowhere-7");
    refused(&site, &shoot, "ERR_CONFIGURATION_PROBLEM", &["correct the Shoot's `spec.region`"], 8);
}
