//! Whose network it is: another account's credentials, lost states, networks that are gone, and what was applied before.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{Fault, Occurrence, When};

use crate::site::{REGION, Site, TECHNICAL_ID, done, settings, shoot, told};

const FIRST: &str = "1000000000000001";
const SECOND: &str = "2000000000000002";

/// A cloud with two accounts, and keys `first`, `second`, and `blind`: of the first account, without STS.
fn site() -> Site {
    let all = ["vpc:*", "ecs:*", "slb:*", "nlb:*", "resourcemanager:*", "ros:*"];
    let accounts = json!({ "accounts": [
        { "id": FIRST, "accessKeys": [
            { "id": "first", "secret": "secret-first" },
            { "id": "again", "secret": "secret-again", "user": "other" },
            { "id": "blind", "secret": "secret-blind", "user": "blind", "allow": all },
        ] },
        { "id": SECOND, "accessKeys": [{ "id": "second", "secret": "secret-second" }] },
    ] });
    Site::of(Options {
        accounts: serde_json::from_value(accounts).unwrap(),
        region: REGION.to_owned(),
        settings: settings(json!({ "delays": { "*": 0 } })),
        ..Options::default()
    })
}

fn key(site: &Site, id: &str) -> PathBuf {
    write_key(site, &format!("{id}.json"), id)
}

fn write_key(site: &Site, file: &str, id: &str) -> PathBuf {
    let data = json!({ "accessKeyID": id, "accessKeySecret": format!("secret-{id}") });
    site.write(
        file,
        &json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": id }, "stringData": data }),
    )
}

fn manifest(site: &Site) -> PathBuf {
    site.write("shoot.json", &shoot(1, &json!({})))
}

/// Exit code, and all that was said, of a command with a key.
fn run(site: &Site, id: &str, arguments: &[&str], manifest: &Path) -> (Option<i32>, String) {
    let mut command = site.command(arguments, manifest);
    let output = command.arg("--credentials").arg(key(site, id)).output().unwrap();
    (output.status.code(), told(&output))
}

fn works(site: &Site, id: &str, arguments: &[&str], manifest: &Path) -> String {
    let (code, told) = run(site, id, arguments, manifest);
    assert_eq!(code, Some(0), "{told}");
    told
}

fn refused(site: &Site, id: &str, arguments: &[&str], manifest: &Path, words: &[&str]) -> String {
    let (code, told) = run(site, id, arguments, manifest);
    assert_eq!(code, Some(1), "{told}");
    for words in words {
        assert!(told.contains(words), "{words}: {told}");
    }
    told
}

fn state(site: &Site) -> Value {
    serde_json::from_str(&site.recorded()).unwrap()
}

/// Takes something out of the recorded state.
fn forget(site: &Site, key: &str) {
    let mut document = state(site);
    document["state"].as_object_mut().unwrap().remove(key).unwrap();
    fs::write(site.state().join(TECHNICAL_ID).join("state.json"), document.to_string()).unwrap();
}

fn questions(site: &Site) -> usize {
    site.every_call(0).iter().filter(|call| call.action.as_deref() == Some("GetCallerIdentity")).count()
}

#[test]
fn credentials_of_another_account_neither_lose_a_network_nor_build_it_twice() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    assert_eq!(state(&site)["state"]["Account"], FIRST);
    let before = (site.recorded(), site.inventory());
    for arguments in [&["plan"][..], &["plan", "--destroy"], &["apply", "--yes"], &["destroy", "--yes"]] {
        for consent in [None, Some("--adopt"), Some("--forget")] {
            let arguments: Vec<&str> = arguments.iter().copied().chain(consent).collect();
            let words = ["ALI-PLAN-010", FIRST, SECOND, "trellis state rebind"];
            refused(&site, "second", &arguments, &manifest, &words);
            assert_eq!((site.recorded(), site.inventory()), before);
        }
    }
    // Another key of the same account does.
    works(&site, "again", &["destroy", "--yes"], &manifest);
    site.assert_empty();
    // What is taken down belongs to nobody.
    works(&site, "second", &["apply", "--yes"], &manifest);
    assert_eq!(state(&site)["state"]["Account"], SECOND);
}

#[test]
fn who_asks_is_asked_once_a_process() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    assert_eq!(questions(&site), 1);
    works(&site, "first", &["plan"], &manifest);
    assert_eq!(questions(&site), 2);
}

#[test]
fn a_state_without_an_account_is_bound_where_what_it_records_is_found() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    forget(&site, "Account");
    let before = site.inventory();
    for arguments in [&["plan"][..], &["apply", "--yes"]] {
        refused(&site, "second", arguments, &manifest, &["ALI-PLAN-014", "--adopt"]);
    }
    refused(&site, "second", &["destroy", "--yes"], &manifest, &["ALI-PLAN-013", "--forget"]);
    assert_eq!((site.inventory(), state(&site)["state"].get("Account")), (before.clone(), None));
    let told = works(&site, "first", &["apply", "--yes"], &manifest);
    assert!(told.contains("No changes: everything is as it should be."), "{told}");
    assert_eq!((site.inventory(), &state(&site)["state"]["Account"]), (before, &json!(FIRST)));
}

#[test]
fn a_network_that_moved_on_purpose_is_rebound() {
    let site = site();
    let manifest = manifest(&site);
    works(&site, "first", &["apply", "--yes"], &manifest);
    let rebind = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command.args(["state", "rebind", TECHNICAL_ID]).args(arguments).arg("--state-dir").arg(site.state());
        command.output().unwrap()
    };
    assert_eq!(rebind(&[]).status.code(), Some(1), "it says what it is bound to");
    assert_eq!(rebind(&["--account", "../x"]).status.code(), Some(1));
    let told = done(rebind(&["--account", SECOND]));
    assert!(told.contains(FIRST) && told.contains(SECOND), "{told}");
    refused(&site, "first", &["plan"], &manifest, &["ALI-PLAN-010"]);
    refused(&site, "second", &["plan"], &manifest, &["ALI-PLAN-014"]);
    refused(&site, "second", &["apply", "--yes"], &manifest, &["ALI-PLAN-014"]);
    done(rebind(&["--account", FIRST]));
    works(&site, "first", &["apply", "--yes"], &manifest);
    assert_eq!(state(&site)["state"].get("Rebound"), None);
    works(&site, "first", &["plan", "--detailed-exitcode"], &manifest);
    assert_eq!(rebind(&["--cloud", "somewhere"]).status.code(), Some(1));
    done(rebind(&["--cloud", "real"]));
    refused(&site, "first", &["plan"], &manifest, &["of the cloud `real`"]);
    let backup = fs::read_to_string(site.state().join(TECHNICAL_ID).join("state.json.bak")).unwrap();
    assert!(backup.contains(&site.url()), "{backup}");
}

#[test]
fn without_knowing_the_account_the_cloud_is_read_and_not_changed() {
    let site = site();
    let manifest = manifest(&site);
    for arguments in [&["plan"][..], &["apply", "--yes"]] {
        let told = refused(&site, "blind", arguments, &manifest, &["ALI-PLAN-011", "sts:GetCallerIdentity"]);
        assert!(told.contains("Created:"), "the plan is shown: {told}");
    }
    site.assert_empty();
    works(&site, "first", &["apply", "--yes"], &manifest);
    let told = works(&site, "blind", &["apply", "--yes"], &manifest);
    assert!(told.contains("No changes") && told.contains("ALI-PLAN-011"), "{told}");
    let before = site.inventory();
    refused(&site, "blind", &["destroy", "--yes"], &manifest, &["ALI-PLAN-011"]);
    assert_eq!(site.inventory(), before);
}

#[test]
fn credentials_that_change_to_another_account_in_the_middle_of_a_run_change_nothing() {
    for (other, is_own) in [("second", false), ("again", true)] {
        let site = site();
        let manifest = manifest(&site);
        let file = write_key(&site, "key.json", "first");
        let fault = site.order(
            "vpc:CreateNatGateway",
            Occurrence::Nth(1.try_into().unwrap()),
            Fault::Hold { when: When::After },
        );
        let mut command = site.command(&["apply", "--yes"], &manifest);
        let mut child = command.arg("--credentials").arg(&file).spawn().unwrap();
        assert!(site.wait_for_hold(fault, &mut child));
        write_key(&site, "key.json", other);
        site.cloud().release(None, None);
        site.cloud().delete_faults(None);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.success(), is_own, "{}", told(&output));
        let inventory = site.inventory();
        assert_eq!(inventory.as_object().unwrap().keys().collect::<Vec<_>>(), [FIRST]);
        if !is_own {
            let told = told(&output);
            assert!(
                told.contains(&format!("belong to account {SECOND}; the run is for account {FIRST}")),
                "{told}"
            );
            works(&site, "first", &["apply", "--yes"], &manifest);
        }
        works(&site, "first", &["plan", "--detailed-exitcode"], &manifest);
    }
}

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
    let told = works(&site, "first", &["apply", "--yes", "--adopt"], &manifest);
    assert!(told.contains("There already, and taken over"), "{told}");
    assert_eq!(site.inventory(), before);
    fs::remove_dir_all(site.state()).unwrap();
    works(&site, "first", &["destroy", "--yes", "--adopt"], &manifest);
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
fn a_network_that_is_gone_altogether_is_told_and_its_record_given_up_only_with_consent() {
    let site = site();
    let manifest = manifest(&site);
    site.cloud().put_snapshot("empty").unwrap();
    works(&site, "first", &["apply", "--yes"], &manifest);
    site.cloud().restore_snapshot("empty").unwrap();
    let before = site.recorded();
    let told = works(&site, "first", &["plan"], &manifest);
    let first = told.find("Recorded, but gone:\n  ? VPC shoot--dev--e2e-vpc (vpc-").unwrap();
    assert!(first < told.find("Created:").unwrap(), "{told}");
    for arguments in [&["plan", "--destroy"][..], &["destroy", "--yes"]] {
        refused(&site, "first", arguments, &manifest, &["ALI-PLAN-013", "NAT gateway ngw-", "--forget"]);
        assert_eq!(site.recorded(), before);
    }
    let told = works(&site, "first", &["destroy", "--yes", "--forget"], &manifest);
    assert!(told.contains("Recorded, but gone:") && !told.contains("No changes"), "{told}");
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
        let told = works(&site, "first", arguments, &manifest);
        assert!(told.contains("Nothing is changed: 1 difference is left as found."), "{told}");
        assert!(!told.contains("No changes"), "{told}");
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
    site.cloud().release(None, None);
    site.cloud().delete_faults(None);
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
    refused(&site, "first", &["plan"], &site.write("other.json", &again), &["the recorded state is of"]);
}

#[test]
fn a_destroy_that_finds_nothing_recorded_says_where_it_looked() {
    let site = site();
    let told = works(&site, "first", &["destroy", "--yes"], &manifest(&site));
    let words = "No changes: nothing is recorded, and nothing of the network is found in this account and region.";
    assert!(told.contains(words), "{told}");
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

#[test]
fn a_secret_that_nothing_names_is_told_where_other_credentials_are_used() {
    let site = site();
    let manifest = manifest(&site);
    let mut command = site.command(&["plan"], &manifest);
    command.arg(key(&site, "second")).env("ALIBABA_CLOUD_ACCESS_KEY_ID", "first");
    let output = command.env("ALIBABA_CLOUD_ACCESS_KEY_SECRET", "secret-first").output().unwrap();
    let told = told(&output);
    assert!(told.contains("with the credentials of the environment"), "{told}");
    assert!(told.contains("the Secret second is not used: no binding among the files names it"), "{told}");
}
