//! The page that lists what is changed, and units as tables.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use trellis_tests::mutations::mutate;

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("docs/mutations.md")).unwrap()
}

/// Each row of the page names a rule with what it changes; the rules are those of the policy, and no others change
/// anything.
#[test]
fn the_page_lists_the_rules_that_change_something() {
    let rules = trellis_core::provider::policy("alicloud").unwrap().rules();
    let is_of_webhooks =
        |id: &str| id.starts_with("ALI-CPW-") || ["ALI-DEF-020", "ALI-DEF-021", "ALI-DEF-022"].contains(&id);
    let known: Vec<&str> =
        rules.iter().filter(|rule| is_of_webhooks(rule.id) && !rule.informative).map(|rule| rule.id).collect();
    let page = page();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `ALI-")?.split('`').next());
    let listed: Vec<String> = rows.map(|rest| format!("ALI-{rest}")).collect();
    assert_eq!(listed, known);
}

/// The places that the page names are those that the recorded objects are changed at.
#[test]
fn the_page_names_the_places_that_change() {
    let page = page();
    for (case, request) in super::recorded::cases() {
        for change in mutate(&request)["changes"].as_array().into_iter().flatten() {
            let rule = change["rule"].as_str().unwrap();
            let row = page.lines().find(|line| line.starts_with(&format!("| `{rule}`"))).unwrap();
            let kind = request["object"]["kind"].as_str().unwrap();
            assert!(row.contains(kind), "{}: {row} does not name {kind}", case["id"]);
            let pointer = change["pointer"].as_str().unwrap();
            let names: Vec<&str> = pointer.split('/').filter(|name| name.parse::<usize>().is_err()).collect();
            let found = names.iter().rev().find(|name| row.contains(**name));
            assert!(found.is_some(), "{}: {row} does not name {pointer}", case["id"]);
        }
    }
}

fn unit(content: &Value) -> Value {
    let unit = match content {
        Value::Null => json!({ "name": "kubelet.service" }),
        content => json!({ "name": "kubelet.service", "content": content }),
    };
    let answer = mutate(&json!({
        "webhook": "controlplane",
        "object": {
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "OperatingSystemConfig",
            "metadata": { "name": "osc", "namespace": "n" },
            "spec": { "purpose": "reconcile", "units": [{ "name": "a.service", "content": "x" }, unit] },
        },
        "cluster": { "shoot": { "spec": { "kubernetes": { "version": "1.33.0" } } } },
    }));
    assert_eq!(answer["object"]["spec"]["units"][0]["content"], "x");
    answer["object"]["spec"]["units"][1]["content"].clone()
}

#[test]
fn units() {
    let table = [
        (json!(""), Some("[Service]\n")),
        (Value::Null, None),
        (json!("[Unit]\na=b\n"), Some("[Unit]\na=b\n\n[Service]\n")),
        (json!("[Service]\nExecStart=/k\n"), Some("[Service]\nExecStart=/k --cloud-provider=external\n")),
        (
            json!("[Service]\nExecStart=/k --a \\\n --b\nExecStart=/l\n[Install]\nc=d\n"),
            Some("[Service]\nExecStart=/k --a \\\n    --b \\\n    --cloud-provider=external\nExecStart=/l\n"),
        ),
        (
            json!("# why\n[Service]\n; how\nExecStart=/k --cloud-provider=a --b\n"),
            Some("# why\n\n[Service]\n; how\nExecStart=/k --cloud-provider=external \\\n    --b\n"),
        ),
    ];
    for (content, start) in table {
        let made = unit(&content);
        let Some(start) = start else {
            assert_eq!(made, Value::Null);
            continue;
        };
        let made = made.as_str().unwrap();
        assert!(made.starts_with(start), "{made}");
        let rest = &made[start.len()..];
        assert!(rest.starts_with("ExecStartPre=/bin/sh -c \"echo IyBzZXQg"), "{made}");
        assert_eq!(made.matches("ExecStartPre").count(), 1);
        assert_eq!(unit(&json!(made)), made);
    }
}
