//! A run that a person interrupts, and a second run next to the first.

use std::fs;

use super::{ended, manifest, successes, trellis};
use crate::infrastructure::running::{Running, signal};
use crate::infrastructure::site::{Site, TECHNICAL_ID};

/// What a run says when it has heard of the first interrupt.
const HEARD: &str = "ending the calls in flight and recording what they did";

#[test]
fn the_first_interrupt_records_what_is_in_flight() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = site.hold("vpc:CreateNatGateway");
    let mut run = Running::start(&site, &mut site.command(&["apply", "--yes"], &manifest));
    assert!(site.wait_for_hold(fault, &mut run.child));
    signal(&run.child, "INT");
    run.wait_for_words(HEARD);
    site.release();
    let (code, stdout, stderr) = run.ended();
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stderr.contains("stopped before everything was done"), "{stderr}");
    assert!(stderr.contains("run it again from its manifests"), "{stderr}");
    let state = fs::read_to_string(site.state().join(TECHNICAL_ID).join("state.json")).unwrap();
    assert!(state.contains("\"NatGateway\": \"ngw-"), "{state}");
    site.apply(&manifest);
    assert_eq!(successes(&site, "CreateNatGateway"), 1);
    site.assert_no_changes(&manifest);
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = site.hold("vpc:CreateNatGateway");
    let mut run = Running::start(&site, &mut site.command(&["apply", "--yes"], &manifest));
    assert!(site.wait_for_hold(fault, &mut run.child));
    signal(&run.child, "INT");
    run.wait_for_words(HEARD);
    signal(&run.child, "INT");
    // The call is still held.
    let (code, _, stderr) = run.ended();
    assert_eq!(code, Some(1));
    assert!(stderr.contains("stopping at once"), "{stderr}");
    site.release();
    site.apply(&manifest);
    assert_eq!(successes(&site, "CreateNatGateway"), 1);
    site.assert_no_changes(&manifest);
}

#[test]
fn one_run_at_a_time() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = site.hold("vpc:CreateVpc");
    let mut child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    let states = site.state();
    let state = |arguments: &[&str]| {
        ended(&trellis(&[&["state"], arguments].concat()).arg("--state-dir").arg(&states).output().unwrap())
    };
    for arguments in [&["apply", "--yes"], &["destroy", "--yes"]] {
        let (code, _, stderr) = ended(&site.command(arguments, &manifest).output().unwrap());
        assert_eq!(code, Some(1));
        let words = format!("is in use by `trellis apply`, process {} on ", child.id());
        assert!(stderr.contains(&words), "{words}: {stderr}");
    }
    assert_eq!(state(&["unlock", TECHNICAL_ID]).0, Some(1), "its holder is alive");
    child.kill().unwrap();
    child.wait().unwrap();
    site.release();
    let (code, stdout, stderr) = state(&["unlock", TECHNICAL_ID]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("cleared `trellis apply`, process "), "{stdout}");
    assert_eq!(state(&["unlock", TECHNICAL_ID]).1, format!("`{TECHNICAL_ID}` is free already\n"));
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
}
