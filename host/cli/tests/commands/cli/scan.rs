//! `trellis scan`, on a garden in memory.

#![cfg(feature = "cluster")]

use serde_json::{Value, json};
use trellis_cli::Status;

use super::toy::trellis;
use crate::outcome::Outcome;
use crate::support::garden::Garden;

const PROFILES: &str = "apis/core.gardener.cloud/v1beta1/cloudprofiles";
const SHOOTS: &str = "apis/core.gardener.cloud/v1beta1/shoots";
const BINDINGS: &str = "apis/security.gardener.cloud/v1alpha1/credentialsbindings";
const SECRETS: &str = "api/v1/secrets";
const KINDS: [&str; 9] = [
    PROFILES,
    "apis/core.gardener.cloud/v1beta1/namespacedcloudprofiles",
    "apis/core.gardener.cloud/v1beta1/seeds",
    "apis/core.gardener.cloud/v1beta1/backupbuckets",
    "apis/core.gardener.cloud/v1beta1/secretbindings",
    BINDINGS,
    SECRETS,
    "apis/security.gardener.cloud/v1alpha1/workloadidentities",
    SHOOTS,
];

fn shoot(name: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": name, "namespace": "garden-dev" },
        "spec": {
            "cloudProfileName": "acme", "region": "north", "kubernetes": { "version": "1.30.1" },
            "provider": { "type": "acme", "infrastructureConfig": { "networks": { "cidr": "10.0.0.0/16" } } },
        },
    })
}

/// A Shoot after an edit.
fn edited(name: &str, pointer: &str, value: Value) -> Value {
    with(shoot(name), pointer, value)
}

fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().insert(key.to_owned(), value);
    object
}

fn profile() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": { "name": "acme" },
        "spec": { "type": "acme", "regions": ["north"] },
    })
}

fn secret(name: &str, key: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret",
        "metadata": {
            "name": name, "namespace": "garden-dev", "labels": { "provider.shoot.gardener.cloud/acme": "true" },
        },
        "data": { "key": key },
    })
}

/// One object of every sort of end.
fn mixed() -> Garden {
    let garden = Garden::new(&KINDS);
    garden.add(PROFILES, profile());
    garden.add(SECRETS, secret("credentials", "hunter2"));
    garden.add(SECRETS, with(secret("of-nobody", "hunter3"), "/metadata/labels", json!({})));
    garden.add(SHOOTS, shoot("good"));
    garden
        .add(SHOOTS, edited("broken", "/spec/provider/infrastructureConfig/networks/cidr", json!("10.0.0.7/16")));
    garden.add(SHOOTS, edited("open", "/spec/image", json!("mine")));
    garden.add(SHOOTS, edited("warned", "/spec/kubernetes/version", json!(1.3)));
    garden.add(SHOOTS, edited("foreign", "/spec/provider/type", json!("aws")));
    let deleted = edited("deleted", "/spec/provider/infrastructureConfig/networks/cidr", json!("10.0.0.7/16"));
    garden.add(SHOOTS, with(deleted, "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z")));
    garden
}

fn scan(garden: &Garden, further: &[&str]) -> Outcome {
    let kubeconfig = garden.kubeconfig().display().to_string();
    trellis(&[&["scan", "--kubeconfig", &kubeconfig], further].concat(), "")
}

/// The lines of an output, each of which is an event.
fn events(outcome: &Outcome) -> Vec<Value> {
    outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn named<'e>(events: &'e [Value], name: &str) -> &'e Value {
    events.iter().find(|event| event["name"] == name).unwrap()
}

#[test]
fn people_read_errors_and_sums() {
    let outcome = scan(&mixed(), &[]);
    assert_eq!(outcome.status, Status::Rejected);
    insta::assert_snapshot!("scan_stdout", outcome.stdout);
    insta::assert_snapshot!("scan_stderr", outcome.stderr);
}

#[test]
fn programs_read_an_object_a_line() {
    let outcome = scan(&mixed(), &["-o", "json"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Status::Rejected, ""));
    let events = events(&outcome);
    for (name, event, verdict) in [
        ("acme", "object", "accept"),
        ("credentials", "object", "reject"),
        ("good", "object", "accept"),
        ("broken", "object", "reject"),
        ("open", "object", "undecided"),
        ("warned", "object", "accept"),
        ("foreign", "skipped", ""),
        ("deleted", "skipped", ""),
    ] {
        let found = named(&events, name);
        assert_eq!(found["event"], event, "{name}");
        assert_eq!(found["verdict"].as_str().unwrap_or_default(), verdict, "{name}");
    }
    assert!(!events.iter().any(|event| event["name"] == "of-nobody"));
    assert_eq!(named(&events, "broken")["findings"][0]["rule"], "ACM-NET-001");
    assert_eq!(named(&events, "open")["undecided"][0]["rule"], "ACM-IMG-001");
    let result = events.last().unwrap();
    assert_eq!(result["event"], "result");
    let shoots = result["kinds"].as_array().unwrap().iter().find(|kind| kind["kind"] == "Shoot").unwrap();
    assert_eq!(
        *shoots,
        json!({
            "kind": "Shoot", "objects": 6, "accepted": 2, "rejected": 1, "undecided": 1, "warned": 1, "notJudged": 2,
            "failed": 0,
        })
    );
    assert_eq!(result["scope"], json!({ "checked": ["provider-acme v1.0.0"], "notChecked": ["gardener"] }));
}

#[test]
fn values_of_secrets_stay_out_of_every_output() {
    for format in ["table", "json"] {
        let outcome = scan(&mixed(), &["-o", format]);
        assert!(outcome.stdout.contains("ACM-SEC-001"), "{}", outcome.stdout);
        for text in [outcome.stdout, outcome.stderr] {
            assert!(!text.contains("hunter"), "{text}");
        }
    }
}

#[test]
fn exit_codes_distinguish_accepted_rejected_and_failed() {
    let open = || edited("open", "/spec/image", json!("mine"));
    let warned = || edited("warned", "/spec/kubernetes/version", json!(1.3));
    let denied = || edited("denied", "/spec/provider/controlPlaneConfig", json!("text"));
    let cases: [(&str, Vec<Value>, &[&str], Status); 10] = [
        ("one that is accepted", vec![shoot("good")], &[], Status::Success),
        ("the same, strictly", vec![shoot("good")], &["--strict"], Status::Success),
        ("an undecided one", vec![open()], &[], Status::Success),
        ("an undecided one, strictly", vec![open()], &["--strict"], Status::Rejected),
        ("one with a warning", vec![warned()], &[], Status::Success),
        ("one with a warning, strictly", vec![warned()], &["--strict"], Status::Rejected),
        ("one without defaults", vec![denied()], &[], Status::Rejected),
        ("nothing", vec![], &[], Status::Failed),
        ("nothing of that namespace", vec![shoot("good")], &["--namespace", "garden-other"], Status::Failed),
        ("nothing of that provider", vec![shoot("good")], &["--provider", "umbra"], Status::Failed),
    ];
    for (what, shoots, further, status) in cases {
        let garden = Garden::new(&KINDS);
        for shoot in shoots {
            garden.add(SHOOTS, shoot);
        }
        let outcome = scan(&garden, further);
        assert_eq!(outcome.status, status, "{what}: {}{}", outcome.stdout, outcome.stderr);
        let says_nothing = outcome.stderr.contains("nothing was judged");
        assert_eq!(says_nothing, status == Status::Failed, "{what}: {}", outcome.stderr);
        let result = events(&scan(&garden, &[&["-o", "json"], further].concat()));
        assert_eq!(result.last().unwrap()["error"].is_object(), status == Status::Failed, "{what}");
    }
}

#[test]
fn all_pages_are_read_and_each_object_is_judged_once() {
    let garden = Garden::new(&KINDS);
    (0..7).for_each(|number| garden.add(SHOOTS, shoot(&format!("s{number}"))));
    let outcome = scan(&garden, &["--page-size", "3", "--kind", "shoots", "-o", "json"]);
    let names: Vec<Value> = events(&outcome)
        .iter()
        .filter(|event| event["event"] == "object")
        .map(|event| event["name"].clone())
        .collect();
    assert_eq!(json!(names), json!(["s0", "s1", "s2", "s3", "s4", "s5", "s6"]));
    let pages: Vec<String> = garden.requests().into_iter().filter(|request| request.contains("limit")).collect();
    let path = format!("/{SHOOTS}");
    let expected =
        [format!("{path} limit=3"), format!("{path} continue=3 limit=3"), format!("{path} continue=6 limit=3")];
    assert_eq!(pages, expected);
}

#[test]
fn a_page_that_is_too_large_is_read_in_halves() {
    let garden = Garden::new(&KINDS);
    garden.state().largest_page = Some(2);
    (0..3).for_each(|number| garden.add(SHOOTS, shoot(&format!("s{number}"))));
    let outcome = scan(&garden, &["--page-size", "8", "--kind", "Shoot", "-o", "json"]);
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stdout);
    assert_eq!(events(&outcome).iter().filter(|event| event["event"] == "object").count(), 3);
}

#[test]
fn a_list_that_expires_and_a_server_that_fails_once_are_read_on() {
    for code in [410, 500] {
        let garden = Garden::new(&KINDS);
        garden.add(SHOOTS, shoot("good"));
        garden.state().faults = vec![code];
        let outcome = scan(&garden, &["--kind", "Shoot"]);
        assert_eq!(outcome.status, Status::Success, "{code}: {}", outcome.stderr);
    }
}

#[test]
fn a_page_that_leads_to_itself_ends_the_list_with_an_error() {
    let garden = Garden::new(&KINDS);
    garden.add(SHOOTS, shoot("good"));
    garden.state().repeats = true;
    let outcome = scan(&garden, &["--kind", "Shoot"]);
    assert_eq!(outcome.status, Status::Failed);
    let reported =
        "Shoots cannot be read after the first 1: the API server failed: a page of the list leads to itself";
    assert!(outcome.stderr.contains(reported), "{}", outcome.stderr);
}

#[test]
fn what_may_not_be_listed_is_reported_and_the_rest_is_judged() {
    let garden = mixed();
    let why = "secrets is forbidden: User \"me\" cannot list resource \"secrets\"";
    garden.state().refused.insert(format!("/{SECRETS}"), (403, why.to_owned()));
    let outcome = scan(&garden, &[]);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stderr.contains("Secrets of `acme` cannot be read"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("cannot list resource"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("Shoot"), "{}", outcome.stdout);
    let events = events(&scan(&garden, &["-o", "json"]));
    assert!(events.iter().any(|event| event["event"] == "error"), "{events:?}");
}

#[test]
fn a_server_that_is_no_garden_is_reported() {
    let outcome = scan(&Garden::new(&[]), &[]);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stderr.contains("is this the API server of a garden?"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nothing was judged: no object could be read"), "{}", outcome.stderr);
}

#[test]
fn what_shoots_refer_to_is_read_once() {
    let garden = Garden::new(&KINDS);
    garden.add(PROFILES, profile());
    let reference = json!({ "apiVersion": "v1", "kind": "Secret", "name": "empty", "namespace": "garden-dev" });
    garden.add(
        BINDINGS,
        json!({
            "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "CredentialsBinding",
            "metadata": { "name": "binding", "namespace": "garden-dev" },
            "provider": { "type": "acme" }, "credentialsRef": reference,
        }),
    );
    garden.add(SECRETS, with(secret("empty", ""), "/data", json!({})));
    for number in 0..20 {
        garden.add(SHOOTS, edited(&format!("s{number}"), "/spec/credentialsBindingName", json!("binding")));
    }
    let outcome = scan(&garden, &["--page-size", "6", "--kind", "Shoot", "-o", "json"]);
    let events = events(&outcome);
    let rules: Vec<&Value> = events.iter().filter_map(|event| event.pointer("/findings/0/rule")).collect();
    assert_eq!(rules, vec!["ACM-KEY-001"; 20], "{}", outcome.stdout);
    let gets: Vec<String> = garden.requests().into_iter().filter(|request| !request.contains("limit")).collect();
    let expected = [
        "/apis/core.gardener.cloud/v1beta1/cloudprofiles/acme",
        "/apis/security.gardener.cloud/v1alpha1/namespaces/garden-dev/credentialsbindings/binding",
        "/api/v1/namespaces/garden-dev/secrets/empty",
    ];
    assert_eq!(gets, expected);
}

#[test]
fn a_reference_that_cannot_be_read_leaves_a_rule_undecided() {
    let garden = Garden::new(&KINDS);
    garden.add(SHOOTS, edited("lost", "/spec/credentialsBindingName", json!("binding")));
    let path = "/apis/security.gardener.cloud/v1alpha1/namespaces/garden-dev/credentialsbindings/binding";
    garden.state().refused.insert(path.to_owned(), (403, "no".to_owned()));
    let outcome = scan(&garden, &["--kind", "Shoot"]);
    assert_eq!(outcome.status, Status::Success);
    assert!(outcome.stderr.contains("undecided[ACM-KEY-001]"), "{}", outcome.stderr);
    let reported = "CredentialsBinding garden-dev/binding: the API server refuses the request (403): no";
    assert!(outcome.stderr.contains(reported), "{}", outcome.stderr);
}
