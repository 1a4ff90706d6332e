//! What is recorded of a network, where the cloud has less, something else, or what nothing records.

use std::fs;

use serde_json::{Value, json};
use trellis_simulator::cloud::{Fault, Occurrence, When};

use super::{FIRST, key, manifest, refused, site, state, works};
use crate::infrastructure::site::{TECHNICAL_ID, done, shoot};

#[test]
fn a_network_whose_state_is_lost_is_taken_over_or_deleted_only_with_consent() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    fs::remove_dir_all(site.state()).unwrap();
    let before = site.inventory();
    for arguments in [&["plan"][..], &["plan", "--destroy"], &["apply", "--yes"], &["destroy", "--yes"]] {
        refused(&site, "first", arguments, &manifest, &["ALI-PLAN-012", "VPC vpc-", "--adopt"]);
        assert_eq!(site.inventory(), before);
    }
    let reported = works(&site, "first", &["apply", "--yes", "--adopt"], &manifest);
    assert!(reported.contains("There already, and taken over"), "{reported}");
    assert_eq!(site.inventory(), before);
    fs::remove_dir_all(site.state()).unwrap();
    works(&site, "first", &["destroy", "--yes", "--adopt"], &manifest);
    site.assert_empty();
}

#[test]
fn a_network_is_built_again_from_an_emptied_state_directory() {
    let site = site();
    let manifest = manifest(&site);
    let mut tokens: Vec<String> = Vec::new();
    for _ in 0..2 {
        let before = site.cloud().last_record();
        works(&site, "first", &["apply", "--yes"], &manifest);
        let salt = state(&site)["salt"].clone();
        assert_eq!(salt.as_str().map(str::len), Some(32), "{salt}");
        works(&site, "first", &["plan", "--detailed-exitcode"], &manifest);
        works(&site, "first", &["destroy", "--yes"], &manifest);
        assert_eq!(state(&site)["salt"], salt);
        site.assert_empty();
        fs::remove_dir_all(site.state()).unwrap();
        let sent = site.calls(before);
        tokens.extend(sent.iter().filter_map(|call| call.parameters.get("ClientToken").cloned()));
    }
    let all = tokens.len();
    tokens.sort_unstable();
    tokens.dedup();
    assert!(all > 8 && tokens.len() == all, "a token is sent twice");
}

#[test]
fn a_security_group_of_others_that_keeps_the_vpc_is_named() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    let vpc = state(&site)["state"]["VPC"].as_str().unwrap().to_owned();
    let group = site.call("ecs", "CreateSecurityGroup", &[("VpcId", &vpc), ("SecurityGroupName", "theirs")]);
    let group = group["SecurityGroupId"].as_str().unwrap();
    let named = format!("The VPC has security groups that are not the Shoot's: {group} (`theirs`).");
    let reported = works(&site, "first", &["plan", "--destroy"], &manifest);
    assert!(reported.contains(&named) && reported.contains("ALI-PLAN-021"), "{reported}");
    // The cloud's own refusal is waited out for long: something that goes may still be in the VPC.
    let fault = json!({ "kind": "error", "code": "OperationDenied.Ever", "status": 400, "message": "No, never." });
    let fault = site.order("vpc:DeleteVpc", Occurrence::All, serde_json::from_value(fault).unwrap());
    let reported = refused(&site, "first", &["destroy", "--yes"], &manifest, &["No, never.", &named]);
    assert!(reported.matches(&named).count() >= 2, "the plan and the error name it: {reported}");
    site.cloud().delete_faults(Some(fault));
    site.call("ecs", "DeleteSecurityGroup", &[("SecurityGroupId", group)]);
    let reported = works(&site, "first", &["destroy", "--yes"], &manifest);
    assert!(!reported.contains("ALI-PLAN-021"), "{reported}");
    site.assert_empty();
}

#[test]
fn a_saved_plan_keeps_what_was_agreed_to() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    fs::remove_dir_all(site.state()).unwrap();
    let plan = site.state().with_file_name("plan.json");
    works(&site, "first", &["plan", "--adopt", "--out", plan.to_str().unwrap()], &manifest);
    works(&site, "first", &["apply", "--yes"], &plan);
    works(&site, "first", &["plan", "--detailed-exitcode"], &manifest);
}

#[test]
fn a_network_that_is_gone_altogether_is_reported_and_its_record_given_up_only_with_consent() {
    let site = site();
    let manifest = manifest(&site);
    site.cloud().put_snapshot("empty").unwrap();
    works(&site, "first", &["apply", "--yes"], &manifest);
    site.cloud().restore_snapshot("empty").unwrap();
    let before = site.recorded();
    let reported = works(&site, "first", &["plan"], &manifest);
    let first = reported.find("Recorded, but gone:\n  ? VPC shoot--dev--e2e-vpc (vpc-").unwrap();
    assert!(first < reported.find("Created:").unwrap(), "{reported}");
    for arguments in [&["plan", "--destroy"][..], &["destroy", "--yes"]] {
        refused(&site, "first", arguments, &manifest, &["ALI-PLAN-013", "NAT gateway ngw-", "--forget"]);
        assert_eq!(site.recorded(), before);
    }
    let reported = works(&site, "first", &["destroy", "--yes", "--forget"], &manifest);
    assert!(reported.contains("Recorded, but gone:") && !reported.contains("No changes"), "{reported}");
    let state = state(&site)["state"].as_object().unwrap().clone();
    assert!(state["VPC"] == "<deleted>" && !state.contains_key("Account"), "{state:?}");
    works(&site, "first", &["destroy", "--yes"], &manifest);
}

#[test]
fn an_applied_manifest_is_judged_as_an_update_of_it() {
    let site = site();
    let wide = json!({ "vpc": { "cidr": "10.248.0.0/13" } });
    let manifest = site.write("shoot.json", &shoot(2, &wide));
    works(&site, "first", &["apply", "--yes"], &manifest);
    let applied = site.state().join(TECHNICAL_ID).join("applied.json");
    let kept = fs::read_to_string(&applied).unwrap();
    assert!(kept.contains("10.248.0.0/13") && !kept.contains("secret-first"), "{kept}");
    let networks = "/spec/provider/infrastructureConfig/networks";
    let edits: [(&str, Value); 4] = [
        ("/spec/networking/pods", json!("10.128.0.0/11")),
        (&format!("{networks}/vpc/cidr"), json!("10.248.0.0/14")),
        (&format!("{networks}/vpc/useCustomRouteTable"), json!(true)),
        (
            &format!("{networks}/zones"),
            json!([
                { "name": "eu-central-1b", "workers": "10.250.32.0/19" },
                { "name": "eu-central-1a", "workers": "10.250.0.0/19" },
            ]),
        ),
    ];
    let before = (site.recorded(), site.inventory());
    for (pointer, value) in edits {
        let mut edited = shoot(2, &wide);
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        edited.pointer_mut(parent).unwrap()[member] = value;
        let edited = site.write("edited.json", &edited);
        for arguments in [&["plan"][..], &["apply", "--yes"]] {
            let words = ["judged as an update of the manifest that was applied last, `", "error[ALI-"];
            refused(&site, "first", arguments, &edited, &words);
        }
        assert_eq!(
            (site.recorded(), site.inventory(), fs::read_to_string(&applied).unwrap()),
            (before.0.clone(), before.1.clone(), kept.clone()),
            "{pointer}"
        );
    }
    // A zone that is added is an edit that may be made, and the next one is judged against it.
    let more = site.write("more.json", &shoot(3, &wide));
    works(&site, "first", &["apply", "--yes"], &more);
    refused(&site, "first", &["plan"], &manifest, &["error[ALI-"]);
    works(&site, "first", &["destroy", "--yes"], &more);
    assert!(!applied.exists());
    works(&site, "first", &["plan"], &manifest);
}

#[test]
fn a_difference_that_is_left_alone_is_not_called_no_change() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    let id = state(&site)["state"]["VPC"].as_str().unwrap().to_owned();
    site.call_as(FIRST, "vpc", "ModifyVpcAttribute", &[("VpcId", &id), ("VpcName", "renamed")]);
    for arguments in [&["plan"][..], &["apply", "--yes"]] {
        let reported = works(&site, "first", arguments, &manifest);
        assert!(reported.contains("Nothing is changed: 1 difference is left as found."), "{reported}");
        assert!(!reported.contains("No changes"), "{reported}");
    }
}

#[test]
fn what_was_begun_and_is_never_seen_is_forgotten_by_a_destroy() {
    let site = site();
    let manifest = manifest(&site);
    let hold = Fault::Hold { when: When::Before };
    let fault = site.order("vpc:AllocateEipAddress", Occurrence::Nth(1.try_into().unwrap()), hold);
    let mut command = site.command(&["apply", "--yes"], &manifest);
    let mut child = command.arg("--credentials").arg(key(&site, "first")).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    child.kill().unwrap();
    child.wait().unwrap();
    site.release();
    assert!(site.recorded().contains("Pending/zones/eu-central-1a/eip"), "{}", site.recorded());
    works(&site, "first", &["destroy", "--yes"], &manifest);
    site.assert_empty();
    let state = state(&site)["state"].as_object().unwrap().clone();
    assert!(state.keys().all(|key| !key.starts_with("Pending/") && key != "Account"), "{state:?}");
    works(&site, "second", &["apply", "--yes"], &manifest);
}

#[test]
fn another_network_of_the_same_name_is_not_taken_in_place_of_one_that_is_gone() {
    let site = site();
    let manifest = manifest(&site);
    site.cloud().put_snapshot("empty").unwrap();
    works(&site, "first", &["apply", "--yes"], &manifest);
    site.cloud().restore_snapshot("empty").unwrap();
    // Ids go on from where they were when the snapshot was taken: none is that of the network that is gone.
    for _ in 0..40 {
        let vpc = site.call_as(FIRST, "vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]);
        site.call_as(FIRST, "vpc", "DeleteVpc", &[("VpcId", vpc["VpcId"].as_str().unwrap())]);
    }
    // Another landscape has a Shoot of the same name in this account.
    let other = site.state().with_file_name("other");
    let mut command = site.command_with(&other, &["apply", "--yes"], &manifest);
    done(command.arg("--credentials").arg(key(&site, "first")).output().unwrap());
    let theirs = site.inventory();
    refused(&site, "first", &["apply", "--yes"], &manifest, &["ALI-PLAN-012"]);
    refused(&site, "first", &["destroy", "--yes"], &manifest, &["ALI-PLAN-013"]);
    refused(&site, "first", &["destroy", "--yes", "--forget"], &manifest, &["ALI-PLAN-012"]);
    assert_eq!(site.inventory(), theirs);
}

#[test]
fn a_name_that_was_taken_down_can_be_used_elsewhere() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    works(&site, "first", &["destroy", "--yes"], &manifest);
    let mut again = shoot(1, &json!({}));
    again["metadata"]["uid"] = json!("8f6b0d2e-0000-4000-8000-000000000002");
    works(&site, "first", &["apply", "--yes"], &site.write("again.json", &again));
    again["metadata"]["uid"] = json!("8f6b0d2e-0000-4000-8000-000000000003");
    refused(&site, "first", &["plan"], &site.write("other.json", &again), &["the recorded state belongs to"]);
}

#[test]
fn a_destroy_that_finds_nothing_recorded_says_where_it_looked() {
    let site = site();
    let reported = works(&site, "first", &["destroy", "--yes"], &manifest(&site));
    let words = "No changes: nothing is recorded, and nothing of it is found in this account and region.";
    assert!(reported.contains(words), "{reported}");
}

#[cfg(unix)]
#[test]
fn links_in_the_state_directory_are_refused_and_what_they_lead_to_stays() {
    use std::os::unix::fs::symlink;

    let site = site();
    let manifest = manifest(&site);
    let folder = site.state().join(TECHNICAL_ID);
    fs::create_dir_all(&folder).unwrap();
    let victim = site.write("victim.json", &json!({ "kept": true }));
    symlink(&victim, folder.join("lock")).unwrap();
    refused(&site, "first", &["apply", "--yes"], &manifest, &["it is not a regular file"]);
    assert!(fs::read_to_string(&victim).unwrap().contains("kept"));
    fs::remove_file(folder.join("lock")).unwrap();
    symlink(folder.join("nowhere"), folder.join("state.json")).unwrap();
    refused(&site, "first", &["apply", "--yes"], &manifest, &["state.json"]);
    site.assert_empty();
}
