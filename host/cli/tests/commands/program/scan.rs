//! `trellis scan` of a garden that has the examples.

#![cfg(all(feature = "cluster", feature = "native"))]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use trellis_policies::source::read;

use crate::support::garden::Garden;

const CORE: &str = "apis/core.gardener.cloud/v1beta1";

/// Where objects of a kind are.
fn path(kind: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    match kind {
        "WorkloadIdentity" => "apis/security.gardener.cloud/v1alpha1/workloadidentities".to_owned(),
        "Secret" => format!("api/v1/{plural}"),
        "CredentialsBinding" => format!("apis/security.gardener.cloud/v1alpha1/{plural}"),
        _ => format!("{CORE}/{plural}"),
    }
}

fn garden_of(files: &[&str]) -> Garden {
    let kinds = [
        "CloudProfile",
        "NamespacedCloudProfile",
        "Seed",
        "BackupBucket",
        "SecretBinding",
        "CredentialsBinding",
        "Secret",
        "WorkloadIdentity",
        "Shoot",
    ];
    let paths = kinds.map(path);
    let garden = Garden::new(&paths.each_ref().map(String::as_str));
    let mut known = Vec::new();
    for name in files {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let (_, roots) = read(name, &fs::read(file).unwrap()).unwrap();
        for root in roots {
            let object: Value = serde_json::from_str(&root.to_json()).unwrap();
            let identity = (object["kind"].clone(), object["metadata"]["name"].clone());
            // Several examples have the same CloudProfile: the first counts.
            if !known.contains(&identity) {
                garden.add(&path(object["kind"].as_str().unwrap()), object);
                known.push(identity);
            }
        }
    }
    garden
}

fn scan(garden: &Garden, further: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    let output = command
        .args(["scan", "-o", "json", "--kubeconfig"])
        .arg(garden.kubeconfig())
        .args(further)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The verdicts of objects, by kind and name.
fn verdicts(events: &[Value]) -> BTreeMap<String, String> {
    let objects = events.iter().filter(|event| event["event"] == "object");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    objects.map(|one| (format!("{} {}", text(&one["kind"]), text(&one["name"])), text(&one["verdict"]))).collect()
}

#[test]
fn a_garden_with_the_examples_is_judged_kind_by_kind() {
    let garden = garden_of(&[
        "cloudprofile-regions.yaml",
        "namespaced-cloudprofile.yaml",
        "secret.yaml",
        "seed.yaml",
        "backupbucket.yaml",
        "two-zones.yaml",
        "five-mistakes.yaml",
    ]);
    let (code, events) = scan(&garden, &[]);
    let expected = [
        ("CloudProfile alicloud", "accept"),
        ("NamespacedCloudProfile alicloud-dev", "accept"),
        ("Seed alicloud-eu", "accept"),
        ("BackupBucket 5e3c8f0a-4a53-4b6e-9a3c-2f7f6f0e1c11", "accept"),
        ("SecretBinding core-alicloud", "accept"),
        ("CredentialsBinding core-alicloud", "accept"),
        ("Secret core-alicloud", "accept"),
        ("Shoot two-zones", "accept"),
        ("Shoot five-mistakes", "reject"),
    ];
    let expected = expected.map(|(object, verdict)| (object.to_owned(), verdict.to_owned())).into();
    assert_eq!(verdicts(&events), expected);
    assert_eq!(code, Some(1));
    let result = events.last().unwrap();
    assert_eq!(result["scope"]["checked"], json!(["provider-alicloud v1.72.0-dev"]));
}

#[test]
fn a_secret_that_bindings_name_is_read_once_where_it_is_judged() {
    let garden = garden_of(&["secret.yaml"]);
    for secret in garden.state().kinds.get_mut("/api/v1/secrets").unwrap() {
        secret["data"] = json!({ "accessKeyID": "YQ==" });
        // Nobody claims it, and still both bindings lead to it.
        secret["metadata"]["labels"] = json!({});
    }
    // As updates of themselves, bindings that do not change would be accepted, whatever is behind them.
    let (code, events) = scan(&garden, &[]);
    assert_eq!(code, Some(1), "{events:?}");
    let verdicts = verdicts(&events);
    assert_eq!(verdicts.values().collect::<Vec<_>>(), ["reject", "reject"], "{events:?}");
    let reads = garden.requests().iter().filter(|request| request.ends_with("/secrets/core-alicloud")).count();
    assert_eq!(reads, 1);
}

#[test]
fn gardeners_own_rules_are_asked_where_a_person_wants_them() {
    let garden = garden_of(&["cloudprofile-regions.yaml", "two-zones.yaml"]);
    // What any change of this Shoot meets, by a rule of Gardener alone.
    for shoot in garden.state().kinds.get_mut("/apis/core.gardener.cloud/v1beta1/shoots").unwrap() {
        shoot["metadata"]["uid"] = json!("u-1");
        shoot["metadata"]["resourceVersion"] = json!("7");
        shoot["spec"]["networking"]["pods"] = json!("10.250.0.0/16");
    }
    let rules = |further: &[&str]| {
        let (_, events) = scan(&garden, further);
        let shoot = events.iter().find(|event| event["kind"] == "Shoot").unwrap_or(&Value::Null);
        let rules = shoot["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap());
        (rules.map(str::to_owned).collect::<Vec<_>>(), events.last().unwrap()["scope"]["checked"].clone())
    };
    let (own, checked) = rules(&[]);
    assert!(own.iter().all(|rule| rule.starts_with("ALI-")), "{own:?}");
    assert_eq!(checked, json!(["provider-alicloud v1.72.0-dev"]));
    for further in [&["--gardener"][..], &["--gardener", "--create"]] {
        let (both, checked) = rules(further);
        assert!(both.contains(&"ADM-NET-003".to_owned()), "{further:?}: {both:?}");
        assert!(!both.contains(&"GDN-META-021".to_owned()), "a stored object has a version");
        assert_eq!(checked, json!(["gardener v1.150", "provider-alicloud v1.72.0-dev"]));
    }
}

#[test]
fn each_shoot_is_judged_on_its_way_to_another_version() {
    let garden = garden_of(&["cloudprofile-regions.yaml", "two-zones.yaml"]);
    for shoot in garden.state().kinds.get_mut("/apis/core.gardener.cloud/v1beta1/shoots").unwrap() {
        shoot["metadata"]["uid"] = json!("u-1");
        shoot["metadata"]["resourceVersion"] = json!("7");
        shoot["spec"]["kubernetes"]["kubeAPIServer"] = json!({ "enableAnonymousAuthentication": false });
    }
    let (code, events) = scan(&garden, &["--kubernetes", "1.35"]);
    assert_eq!(code, Some(1));
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["kind"].as_str()).collect();
    assert_eq!(kinds, ["Shoot"], "the profile is read and not judged: {events:?}");
    let of_rule = |rule: &str| {
        let findings = events[0]["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["rule"] == rule).cloned()
    };
    let finding = of_rule("GDN-API-001").unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!(finding["fix"][0]["op"], "remove");
    assert_eq!(of_rule("GDN-UPD-023"), None);
    // The rules of the version that the garden has.
    let (_, events) = scan(&garden, &["--gardener-version", "1.146"]);
    assert_eq!(
        events.last().unwrap()["scope"]["checked"],
        json!(["gardener v1.146", "provider-alicloud v1.72.0-dev"])
    );
}
