//! What Gardener checks of a Shoot without looking at other objects.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cases::{Case, findings, merged, none_differ, words_of};

/// Rules that no recording of a Shoot has; Gardener crashes where a pool's version is none. The corpus and tests
/// below have cases of them.
const UNRECORDED: &[&str] = &[
    "GDN-META-004",
    "GDN-META-012",
    "GDN-META-021",
    "GDN-META-022",
    "GDN-META-023",
    "GDN-WRK-032",
    "GDN-ADD-007",
    "GDN-SYS-002",
    "GDN-CPZ-001",
    "GDN-CPZ-002",
    "GDN-CPZ-003",
    "GDN-UPD-002",
    "GDN-UPD-101",
    "GDN-UPD-112",
    "GDN-UPD-120",
    "GDN-UPD-121",
];

/// Whether the API server sets or checks it before it judges a Shoot: it makes a name of `generateName`, takes the
/// namespace from the address of the request, and looks after versions itself. The recordings judged objects
/// without all that.
fn is_of_the_server(case: &Case, finding: &Value) -> bool {
    let metadata = &case.recorded["defaulted"]["metadata"];
    match (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap()) {
        ("metadata.name", "name or generateName is required") => metadata["generateName"].is_string(),
        ("metadata.namespace", "field is immutable" | "") => {
            metadata["namespace"].as_str().is_none_or(str::is_empty)
        }
        // Of a profile that is not known, nobody knows which version the API server chooses.
        ("spec.kubernetes.version", "kubernetes version must not be empty") => {
            case.recorded["defaulted"]["spec"]["cloudProfile"]["name"] == "nope"
        }
        // What Go writes leaves an empty text out.
        ("metadata.resourceVersion", "must be specified for an update") => true,
        _ => false,
    }
}

/// Whether a finding says that the status forbids an operation which an annotation asks for.
fn is_by_status(finding: &Value) -> bool {
    let detail = finding["detail"].as_str().unwrap();
    finding["field"].as_str().unwrap().ends_with("gardener.cloud/operation]")
        && ["status.", "not yet created", "shoot is hibernated", "currently being rolled out"]
            .iter()
            .any(|words| detail.contains(words))
}

/// Type, field and detail of findings, each once, without the list of changes that Go prints, and without its
/// types.
fn words(findings: &[Value]) -> Vec<String> {
    let mut words = words_of(findings);
    for text in &mut words {
        for reported in ["Requested changes:", "cannot decode the given config:"] {
            if let Some((before, _)) = text.split_once(reported) {
                *text = before.to_owned();
            }
        }
    }
    words.dedup();
    words
}

#[test]
fn a_shoot_and_its_changes_are_judged_as_gardener_judges_them() {
    let (mut compared, mut updates, mut wrong, mut failures) = (0, 0, 0, Vec::new());
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for case in Case::all() {
        let recorded = &case.recorded;
        let object = &recorded["defaulted"];
        let is_judged = recorded["decodeError"].is_null() && recorded["panic"].is_null() && object.is_object();
        if !case.is_shoot() || !is_judged || recorded["context"]["subresource"] == "status" {
            continue;
        }
        let mut wanted: Vec<Value> = Vec::new();
        let lists = ["findings", "createFindings"].map(|list| recorded[list].as_array());
        for finding in lists.into_iter().flatten().flatten() {
            if !is_of_the_server(case, finding) {
                wanted.push(finding.clone());
            }
        }
        let old = case.is_update().then_some(&recorded["old"]);
        let answer = case.ask("validate", &object.to_string(), old);
        let mut own = findings(&answer);
        own.retain(|finding| finding["severity"] != "warning");
        own.retain(|finding| finding["rule"].as_str().unwrap().starts_with("GDN-"));
        seen.extend(own.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()));
        // A new Shoot has no status, and an update keeps the old one; some recordings judged others.
        if object["status"] != recorded["old"]["status"] {
            own.retain(|finding| !is_by_status(finding));
            wanted.retain(|finding| !is_by_status(finding));
        }
        // A report has the same finding once.
        let (own, wanted) = (words(&own), words(&wanted));
        compared += 1;
        updates += usize::from(old.is_some());
        wrong += usize::from(!wanted.is_empty());
        if own != wanted {
            let missing: Vec<_> = wanted.iter().filter(|words| !own.contains(words)).collect();
            let further: Vec<_> = own.iter().filter(|words| !wanted.contains(words)).collect();
            failures.push(format!("{}\n  missing {missing:?}\n  further {further:?}", case.id()));
        }
    }
    println!("Shoots compared: {compared}, of them updates: {updates}, with findings: {wrong}");
    none_differ(&failures, compared);
    let all: Value = serde_json::from_str(&trellis_core::call("gardener", "rules", "{}")).unwrap();
    let rejecting = all["rules"].as_array().unwrap().iter().filter(|rule| rule["informative"] != true);
    let ids = rejecting.map(|rule| rule["id"].as_str().unwrap());
    let others = ["GDN-ADV-", "GDN-CPR-", "GDN-NCP-"];
    let is_of_shoots = |id: &&str| id.starts_with("GDN-") && !others.iter().any(|other| id.starts_with(other));
    let unseen: Vec<&str> = ids.filter(is_of_shoots).filter(|id| !seen.contains(*id)).collect();
    assert_eq!(unseen, UNRECORDED, "rules that no recording has");
    assert!(compared >= 2_700 && updates >= 1_000 && wrong >= 2_000, "{compared} {updates} {wrong}");
}

/// Whether Trellis does not warn of a Shoot of which Gardener does.
fn is_silent(case: &Case, warnings: &[String]) -> bool {
    // By default, a new Shoot names its profile in the newer way, so that people can write what `default` answers.
    let is_renamed = !case.is_update() && warnings.iter().any(|text| text.contains("spec.cloudProfileName"));
    // Where the stored Shoot does not say when it was made, nobody knows how old its credentials are.
    let is_ageless = case.is_update() && case.recorded["old"]["metadata"]["creationTimestamp"].is_null();
    is_renamed || is_ageless
}

/// Only recordings of Gardener 1.149 have warnings; the corpus has a case of each.
#[test]
fn a_shoot_is_warned_of_as_gardener_warns() {
    let (mut compared, mut warned, mut silent, mut otherwise, mut failures) = (0, 0, 0, 0, Vec::new());
    for case in Case::all().filter(|case| case.is_shoot() && case.recorded["warnings"].is_array()) {
        let recorded = &case.recorded;
        if !recorded["decodeError"].is_null() || !recorded["panic"].is_null() {
            continue;
        }
        let wanted: Vec<String> = recorded["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect();
        // As faces ask: defaults first.
        let old = case.is_update().then_some(&recorded["old"]);
        let object = match &case.ask("default", case.new_as_written(), old)["object"] {
            Value::Null => case.new_as_written().to_owned(),
            object => object.to_string(),
        };
        let own = findings(&case.ask("validate", &object, old));
        let has = |beginning: &str, finding: &&Value| finding["rule"].as_str().unwrap().starts_with(beginning);
        // Gardener warns of what its rules accept, and these differ from version to version.
        let list = if recorded["requestSame"] == true { "findings" } else { "requestFindings" };
        let is_refused = [list, "createFindings"].iter().any(|list| !findings_of(&recorded[*list]).is_empty());
        let is_error = |finding: &&Value| finding["severity"] == "error" && has("GDN-", finding);
        if is_refused != own.iter().any(|finding| is_error(&finding)) {
            otherwise += 1;
            continue;
        }
        let own = own.iter().filter(|finding| has("WRN-", finding));
        let own: Vec<String> = own.map(|finding| finding["detail"].as_str().unwrap().to_owned()).collect();
        compared += 1;
        warned += usize::from(!wanted.is_empty());
        if own == wanted {
            continue;
        }
        if own.is_empty() && is_silent(case, &wanted) {
            silent += 1;
        } else {
            failures.push(format!("{}\n  wanted {wanted:?}\n  own {own:?}", case.id()));
        }
    }
    println!(
        "Shoots compared: {compared}, with warnings: {warned}; silent of: {silent}, judged otherwise: {otherwise}"
    );
    none_differ(&failures, compared);
    assert!(
        compared >= 700 && warned >= 60 && silent <= 10 && otherwise <= 20,
        "{compared} {warned} {silent} {otherwise}"
    );
}

/// The findings of a list that may be missing.
fn findings_of(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The remedy of the first finding about a Shoot whose author most likely forgot the workers.
const FORGOTTEN: &str = "Add a worker pool to `spec.provider.workers`. If the Shoot is to have no workers, remove this field, and the \
                         fields of the errors that follow from this one.";

#[test]
fn the_remedy_is_about_the_key_that_a_person_misspelt_or_forgot() {
    for (key, remedy) in [
        ("workrs", "Rename `workrs` to `workers`."),
        ("Workers", "Rename `Workers` to `workers`."),
        ("type", FORGOTTEN),
        ("nodes", FORGOTTEN),
    ] {
        let object = json!({
            "apiVersion": "core.gardener.cloud/v1beta1",
            "kind": "Shoot",
            "metadata": { "name": "one", "namespace": "garden-dev" },
            "spec": { "provider": { key: [], "infrastructureConfig": {} } },
        });
        let object = if key == "type" {
            merged(&object, &json!({ "spec": { "provider": { "type": "x" } } }))
        } else {
            object
        };
        let finding = judged(&object).into_iter().find(|(id, _)| id == "GDN-PROV-003");
        assert_eq!(finding.unwrap().1, remedy, "{key}");
    }
}

/// The rules of the findings about an object, and the remedies.
fn judged(object: &Value) -> Vec<(String, String)> {
    let request = json!({ "object": object, "context": {} }).to_string();
    let answer: Value = serde_json::from_str(&trellis_core::call("gardener", "validate", &request)).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings(&answer).iter().map(|finding| (text(&finding["rule"]), text(&finding["remedy"]))).collect()
}

#[test]
fn rules_that_no_recording_has() {
    let with = |finalizers: &[&str], version: &str| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1",
            "kind": "Shoot",
            "metadata": { "finalizers": finalizers },
            "spec": {
                "kubernetes": { "version": "1.33.7" },
                "provider": { "workers": [{ "kubernetes": { "version": version } }] },
            },
        })
    };
    for (object, rule, is_found) in [
        (with(&["orphan", "foregroundDeletion"], "1.33.7"), "GDN-META-012", true),
        (with(&["orphan"], "1.33.7"), "GDN-META-012", false),
        (with(&[], ""), "GDN-WRK-032", true),
        (with(&[], "1.33"), "GDN-WRK-032", false),
    ] {
        assert_eq!(judged(&object).iter().any(|(id, _)| id == rule), is_found, "{object}");
    }
}

#[test]
fn where_gardener_crashes_a_finding_says_why() {
    let mut crashed = 0;
    for case in Case::all().filter(|case| {
        case.is_shoot()
            && case.recorded["panic"].as_str().is_some_and(|panic| panic.contains("validateWorkerGroupAnd"))
    }) {
        let rules = judged(&case.recorded["defaulted"]);
        assert!(rules.iter().any(|(id, _)| id == "GDN-WRK-032"), "{}: {rules:?}", case.id());
        crashed += 1;
    }
    assert!(crashed >= 5, "{crashed}");
}
