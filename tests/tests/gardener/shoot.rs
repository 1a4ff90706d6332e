//! What Gardener checks of a Shoot without looking at other objects.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::cases::{Case, findings, merged, none_differ, words_of};

/// Sections whose findings are left out, by the beginning of the field.
const SECTIONS: &[(&str, &str)] = &[
    ("metadata.annotations[gardener.cloud/operation]", "operation annotations"),
    ("metadata.annotations[maintenance.gardener.cloud/operation]", "operation annotations"),
    ("spec.addons", "addons"),
    ("spec.dns", "dns"),
    ("spec.extensions", "extensions"),
    ("spec.resources", "resources"),
    ("spec.kubernetes.clusterAutoscaler", "clusterAutoscaler"),
    ("spec.kubernetes.clusterAutoScaler", "clusterAutoscaler"),
    ("spec.kubernetes.etcd", "etcd"),
    ("spec.kubernetes.kubeAPIServer", "kubeAPIServer"),
    ("spec.kubernetes.kubeControllerManager", "kubeControllerManager"),
    ("spec.kubernetes.kubeScheduler", "kubeScheduler"),
    ("spec.kubernetes.kubeProxy", "kubeProxy"),
    ("spec.kubernetes.verticalPodAutoscaler", "verticalPodAutoscaler"),
    ("spec.kubernetes.verticalPodAutoScaler", "verticalPodAutoscaler"),
    ("spec.maintenance", "maintenance"),
    ("spec.monitoring", "monitoring"),
    ("spec.hibernation", "hibernation"),
];

/// What rules that are judged say of fields of sections that are left out: the field, and the beginning of the detail.
const JUDGED: &[(&str, &str)] = &[
    ("spec.dns", "field is immutable"),
    ("spec.dns.domain", "field is immutable"),
    ("spec.dns.providers", "removing a primary provider"),
    ("spec.dns.providers", "removing the primary provider type"),
    ("spec.dns.providers", "changing primary provider type"),
    ("spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize", "field is immutable"),
    ("spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize", "kubelet or kube-controller-manager configuration"),
    ("spec.kubernetes.kubeControllerManager.nodeCIDRMaskSizeIPv6", "field is immutable"),
];

/// Beginnings of the ids of the rules on metadata, profile reference and worker pools.
const RULES: &[&str] = &["GDN-META", "GDN-CP", "GDN-PROV", "GDN-WRK", "GDN-CRED"];

/// Rules that no recording has; Gardener crashes where a pool's version is none. Tests below have a case for each.
const UNRECORDED: &[&str] = &["GDN-META-012", "GDN-META-021", "GDN-META-022", "GDN-WRK-032"];

/// The section of a finding that is left out.
fn left_out(case: &Case, finding: &Value) -> Option<&'static str> {
    let (field, detail) = (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap());
    if JUDGED.iter().any(|(judged, beginning)| field == *judged && detail.starts_with(beginning)) {
        return None;
    }
    let own = match (field, detail) {
        ("metadata.annotations", _) if detail.contains("must not have any equal operations") => {
            Some("operation annotations")
        }
        ("metadata.annotations[confirmation.gardener.cloud/force-deletion]", _) if case.is_update() => {
            Some("force deletion of an old Shoot")
        }
        ("spec.kubernetes.version", "kubernetes version must not be empty") => Some("kubernetes"),
        ("spec.kubernetes.kubelet", _) if detail.contains("workerless") => Some("kubernetes"),
        _ => None,
    };
    own.or_else(|| {
        SECTIONS.iter().find(|(beginning, _)| field.starts_with(beginning)).map(|(_, section)| *section)
    })
}

/// Whether the API server sets or checks it before it judges a Shoot: it makes a name of `generateName`, takes the namespace from
/// the address of the request, and looks after versions itself. The recordings judged objects without all that.
fn is_of_the_server(case: &Case, finding: &Value) -> bool {
    let metadata = &case.recorded["defaulted"]["metadata"];
    match (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap()) {
        ("metadata.name", "name or generateName is required") => metadata["generateName"].is_string(),
        ("metadata.namespace", "field is immutable" | "") => {
            metadata["namespace"].as_str().is_none_or(str::is_empty)
        }
        ("metadata.generation", "must not be decremented")
        | ("metadata.resourceVersion", "must be specified for an update") => true,
        _ => false,
    }
}

/// Type, field and detail of findings, each once, without the list of changes that Go prints.
fn words(findings: &[Value]) -> Vec<String> {
    let mut words = words_of(findings);
    for text in &mut words {
        if let Some((before, _)) = text.split_once("Requested changes:") {
            *text = before.to_owned();
        }
    }
    words.dedup();
    words
}

#[test]
fn a_shoot_and_its_changes_are_judged_as_gardener_judges_them() {
    let (mut compared, mut updates, mut wrong, mut failures) = (0, 0, 0, Vec::new());
    let mut sections: BTreeMap<&str, usize> = BTreeMap::new();
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
            match left_out(case, finding) {
                Some(section) => *sections.entry(section).or_default() += 1,
                None if is_of_the_server(case, finding) => {}
                None => wanted.push(finding.clone()),
            }
        }
        let old = case.is_update().then_some(&recorded["old"]);
        let answer = case.ask("validate", &object.to_string(), old);
        let mut own = findings(&answer);
        own.retain(|finding| finding["severity"] != "warning");
        own.retain(|finding| finding["rule"].as_str().unwrap().starts_with("GDN-"));
        seen.extend(own.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()));
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
    println!(
        "Shoots compared: {compared}, of them updates: {updates}, with findings: {wrong}. Findings of sections left out: \
         {sections:?}"
    );
    none_differ(&failures, compared);
    let all: Value = serde_json::from_str(&trellis_core::call("gardener", "rules", "{}")).unwrap();
    let rejecting = all["rules"].as_array().unwrap().iter().filter(|rule| rule["informative"] != true);
    let ids = rejecting.map(|rule| rule["id"].as_str().unwrap());
    let is_of_pools = |id: &&str| RULES.iter().any(|beginning| id.starts_with(beginning));
    let unseen: Vec<&str> = ids.filter(is_of_pools).filter(|id| !seen.contains(*id)).collect();
    assert_eq!(unseen, UNRECORDED, "rules that no recording has");
    assert!(compared >= 2_700 && updates >= 1_000 && wrong >= 700, "{compared} {updates} {wrong}");
}

#[test]
fn a_person_who_misspelt_workers_is_told_to_rename_the_key() {
    for (key, remedy) in [
        ("workrs", "Rename `workrs` to `workers`."),
        ("Workers", "Rename `Workers` to `workers`."),
        ("type", "Remove the field, or add `workers`."),
        ("nodes", "Remove the field, or add `workers`."),
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
