//! The account that a network is in, and the account that the credentials belong to.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::{FIRST, SECOND, key, manifest, refused, site, state, works, write_key};
use crate::infrastructure::site::{Site, TECHNICAL_ID, done, reported};

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
    let reported = works(&site, "first", &["apply", "--yes"], &manifest);
    assert!(reported.contains("No changes: everything is as it should be."), "{reported}");
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
    let reported = done(rebind(&["--account", SECOND]));
    assert!(reported.contains(FIRST) && reported.contains(SECOND), "{reported}");
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
        let reported = refused(&site, "blind", arguments, &manifest, &["ALI-PLAN-011", "sts:GetCallerIdentity"]);
        assert!(reported.contains("Created:"), "the plan is shown: {reported}");
    }
    site.assert_empty();
    works(&site, "first", &["apply", "--yes"], &manifest);
    let reported = works(&site, "blind", &["apply", "--yes"], &manifest);
    assert!(reported.contains("No changes") && reported.contains("ALI-PLAN-011"), "{reported}");
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
        let fault = site.hold("vpc:CreateNatGateway");
        let mut command = site.command(&["apply", "--yes"], &manifest);
        let mut child = command.arg("--credentials").arg(&file).spawn().unwrap();
        assert!(site.wait_for_hold(fault, &mut child));
        write_key(&site, "key.json", other);
        site.release();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.success(), is_own, "{}", reported(&output));
        let inventory = site.inventory();
        assert_eq!(inventory.as_object().unwrap().keys().collect::<Vec<_>>(), [FIRST]);
        if !is_own {
            let reported = reported(&output);
            assert!(
                reported.contains(&format!("belong to account {SECOND}; the run is for account {FIRST}")),
                "{reported}"
            );
            works(&site, "first", &["apply", "--yes"], &manifest);
        }
        works(&site, "first", &["plan", "--detailed-exitcode"], &manifest);
    }
}

#[test]
fn a_secret_that_nothing_names_is_reported_where_other_credentials_are_used() {
    let site = site();
    let manifest = manifest(&site);
    let mut command = site.command(&["plan"], &manifest);
    command.arg(key(&site, "second")).env("ALIBABA_CLOUD_ACCESS_KEY_ID", "first");
    let output = command.env("ALIBABA_CLOUD_ACCESS_KEY_SECRET", "secret-first").output().unwrap();
    let reported = reported(&output);
    assert!(reported.contains("with the credentials of the environment"), "{reported}");
    assert!(reported.contains("the Secret second is not used: nothing among the files names it"), "{reported}");
    // Most of all where there are no other ones.
    let output = site.command(&["plan"], &manifest).arg(key(&site, "second")).output().unwrap();
    let reported = self::reported(&output);
    assert!(!output.status.success() && reported.contains("the Secret second is not used"), "{reported}");
}
