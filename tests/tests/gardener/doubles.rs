//! What Gardener's rules and those of a provider both say of an object is reported once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use trellis_tests::corpus;

/// The kinds that both policies judge.
const KINDS: [&str; 3] = ["CloudProfile", "NamespacedCloudProfile", "Shoot"];

fn ask(policy: &str, function: &str, request: &Value) -> Value {
    serde_json::from_str(&trellis_core::call(policy, function, &request.to_string())).unwrap()
}

/// An object that both policies judged.
struct Judged {
    name: String,
    provider: String,
    gardeners: Vec<Value>,
    providers: Vec<Value>,
}

/// What both policies find in the object of a request, with the defaults of both.
fn judged(name: String, provider: &str, mut request: Value) -> Judged {
    request["now"] = json!("2026-06-01T00:00:00Z");
    for policy in ["gardener", provider] {
        let defaulted = ask(policy, "default", &request);
        if defaulted["error"].is_null() {
            request["object"] = defaulted["object"].clone();
        }
    }
    let findings = |policy: &str| -> Vec<Value> {
        ask(policy, "validate", &request)["findings"].as_array().cloned().unwrap_or_default()
    };
    Judged { name, provider: provider.to_owned(), gardeners: findings("gardener"), providers: findings(provider) }
}

/// The objects of the corpus that both policies judge.
fn of_corpus(found: &mut Vec<Judged>) {
    let is_of_a_provider = |name: &str| trellis_core::providers().any(|provider| provider == name);
    let cases = corpus::cases().into_iter().filter(|case| is_of_a_provider(&case.provider));
    for case in cases.filter(|case| case.function == "validate") {
        let Ok(request) = serde_json::from_str::<Value>(&case.request) else { continue };
        if KINDS.iter().any(|kind| request["object"]["kind"] == *kind) {
            found.push(judged(case.path(), &case.provider, request));
        }
    }
}

/// Every place of a value without parts, or with no part.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                found.push(at.clone());
                places(member, &at, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let at = format!("{at}/{index}");
                found.push(at.clone());
                places(item, &at, found);
            }
        }
        _ => {}
    }
}

/// Shoots with one mistake each, as new ones and as updates of what is right.
fn of_mistakes(found: &mut Vec<Judged>) {
    let wrong = [
        json!(null),
        json!(""),
        json!("Bad_Value"),
        json!("10.250.0.1/8"),
        json!("300.0.0.0/8"),
        json!("10.200.0.0/16"),
        json!(-1),
        json!([]),
        json!(["elsewhere"]),
    ];
    for (file, provider) in [
        ("five-mistakes", "alicloud"),
        ("openstack-five-mistakes", "openstack"),
        ("aws-seven-mistakes", "aws"),
        ("azure-seven-mistakes", "azure"),
        ("gcp-seven-mistakes", "gcp"),
        ("equinix-metal", "equinixmetal"),
    ] {
        let path = format!("{}/../examples/{file}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
        let of =
            |kind: &str| documents.iter().find(|document| document["kind"] == kind).cloned().unwrap_or_default();
        let (shoot, profile) = (of("Shoot"), of("CloudProfile"));
        let mut pointers = Vec::new();
        places(&shoot["spec"], "/spec", &mut pointers);
        for pointer in pointers {
            for value in &wrong {
                let mut object = shoot.clone();
                *object.pointer_mut(&pointer).unwrap() = value.clone();
                let name = format!("{file} {pointer} {value}");
                let request = json!({ "object": object, "context": { "cloudProfile": profile } });
                let update =
                    json!({ "object": object, "oldObject": shoot, "context": { "cloudProfile": profile } });
                found.push(judged(name.clone(), provider, request));
                found.push(judged(format!("{name} (update)"), provider, update));
            }
        }
    }
}

/// The rules of a provider that name rules of Gardener which they repeat.
fn doubles(provider: &str) -> BTreeMap<&'static str, &'static [&'static str]> {
    let rules = trellis_core::provider::policy(provider).unwrap().rules();
    rules.into_iter().map(|rule| (rule.id, rule.doubles)).filter(|(_, doubles)| !doubles.is_empty()).collect()
}

fn text<'f>(finding: &'f Value, member: &str) -> &'f str {
    finding[member].as_str().unwrap()
}

#[test]
fn what_both_have_is_reported_once_and_no_rule_is_named_in_vain() {
    let mut all = Vec::new();
    of_corpus(&mut all);
    of_mistakes(&mut all);
    let (mut seen, mut failures) = (BTreeSet::new(), Vec::new());
    for Judged { name, provider, gardeners, providers } in &all {
        let doubles = doubles(provider);
        let is_double = |own: &Value| {
            let mut others = providers.iter().filter(|other| other["pointer"] == own["pointer"]);
            let double = others.find(|other| {
                let ids = doubles.get(text(other, "rule")).copied().unwrap_or_default();
                (other["severity"] == "error" || own["severity"] == "warning") && ids.contains(&text(own, "rule"))
            });
            double.map(|other| (text(other, "rule").to_owned(), text(own, "rule").to_owned()))
        };
        let mut reported = BTreeSet::new();
        for finding in gardeners {
            match is_double(finding) {
                Some(pair) => _ = seen.insert(pair),
                None => _ = reported.insert((text(finding, "pointer"), text(finding, "detail"))),
            }
        }
        for finding in providers {
            if reported.contains(&(text(finding, "pointer"), text(finding, "detail"))) {
                failures.push(format!("{name}: {} is reported twice: {}", finding["rule"], finding["detail"]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let named = trellis_core::providers().flat_map(|provider| {
        doubles(provider)
            .into_iter()
            .flat_map(|(id, ids)| ids.iter().map(move |own| (id.to_owned(), (*own).to_owned())))
    });
    assert_eq!(named.collect::<BTreeSet<_>>(), seen, "a pair that no object shows is a guess");
    assert!(all.len() >= 3_000, "{}", all.len());
}
