//! Plans before anything is known of the cloud.

use serde_json::{Value, json};

use crate::policy::{Action, PlanAnswer};
use crate::provider::alicloud::infrastructure::testing::{managed, planned, request};

fn config(document: &mut Value) -> &mut Value {
    &mut document["request"]["infrastructure"]["spec"]["providerConfig"]
}

/// What an edit of an older request would do.
fn edited(older: &Value, newer: &Value) -> PlanAnswer {
    let mut document = newer.clone();
    document["baseline"] = older["request"].clone();
    document["baseline"]["operation"] = json!("reconcile");
    planned(&document)
}

/// Requests of all layouts of a network.
fn layouts() -> Vec<Value> {
    let mut layouts = Vec::new();
    let existing = |gateway: bool| json!({ "id": "vpc-9", "gardenerManagedNATGateway": gateway });
    for vpc in [managed(), existing(false), existing(true)] {
        for (custom, dual_stack, own) in [
            (false, false, false),
            (true, false, false),
            (false, true, false),
            (true, true, true),
            (false, false, true),
        ] {
            let mut document = request("reconcile", &vpc, &["a", "b", "c"], &json!({}));
            if custom {
                config(&mut document)["networks"]["vpc"]["useCustomRouteTable"] = json!(true);
            }
            if dual_stack {
                config(&mut document)["dualStack"] = json!({ "enabled": true });
            }
            if own {
                config(&mut document)["networks"]["zones"][1]["natGateway"] =
                    json!({ "eipAllocationID": "eip-own" });
            }
            layouts.push(document);
        }
    }
    layouts
}

#[test]
fn what_was_made_differs_in_nothing_from_what_is_wanted() {
    for document in layouts() {
        let planning = edited(&document, &document);
        let plan = planning.plan.unwrap_or_else(|| panic!("{:?}", planning.findings));
        assert_eq!((&plan.changes[..], &plan.notes[..]), (&[][..], &[][..]), "{}", document["request"]);
        assert!(!plan.resources.is_empty());
    }
}

#[test]
fn a_preview_makes_all_that_is_missing_and_asks_nothing() {
    for mut document in layouts() {
        document["baseline"] = json!("empty");
        let planning = planned(&document);
        let plan = planning.plan.unwrap_or_else(|| panic!("{:?}", planning.findings));
        let mut ids: Vec<_> = plan.changes.iter().map(|change| change.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), plan.changes.len());
        let made =
            |change: &&crate::policy::ResourceChange| !matches!(change.action, Action::Create | Action::Associate);
        assert!(!plan.changes.iter().any(|change| made(&change)), "{:?}", plan.changes);
        assert!(!plan.steps.is_empty());
    }
}

#[test]
fn an_edit_of_an_elastic_ip_names_the_disruption_before_it_happens() {
    let older = request("reconcile", &managed(), &["a", "b"], &json!({}));
    let mut newer = older.clone();
    config(&mut newer)["networks"]["zones"][1]["natGateway"] = json!({ "eipAllocationID": "eip-own" });
    let plan = edited(&older, &newer).plan.unwrap();
    let disruptions: Vec<_> = plan.changes.iter().filter_map(|change| change.disruption.as_deref()).collect();
    assert!(
        disruptions.iter().any(|text| text.contains("(address of b)") && text.contains("(address of eip-own)")),
        "{disruptions:?}"
    );
    assert!(plan.changes.iter().all(|change| !change.id.contains("zones/a")), "the other zone is left alone");
}

#[test]
fn an_added_zone_is_all_that_an_edit_makes() {
    let older = request("reconcile", &managed(), &["a"], &json!({}));
    let newer = request("reconcile", &managed(), &["a", "b"], &json!({}));
    let plan = edited(&older, &newer).plan.unwrap();
    assert!(!plan.changes.is_empty());
    assert!(plan.changes.iter().all(|change| change.id.starts_with("zones/b/")), "{:?}", plan.changes);
}

#[test]
fn a_delete_takes_down_what_was_made() {
    for document in layouts() {
        let mut delete = document.clone();
        delete["request"]["operation"] = json!("delete");
        let plan = edited(&document, &delete).plan.unwrap();
        let kept: Vec<_> = plan
            .resources
            .iter()
            .filter(|resource| resource.action.is_none())
            .map(|resource| resource.foreign)
            .collect();
        assert!(kept.iter().all(|foreign| *foreign), "{:?}", plan.resources);
        assert!(!plan.changes.is_empty());
    }
}

#[test]
fn a_baseline_that_cannot_be_read_is_reported() {
    let document = request("reconcile", &managed(), &["a"], &json!({}));
    let mut broken = document.clone();
    config(&mut broken)["networks"]["zones"] = json!({});
    let mut newer = document;
    newer["baseline"] = broken["request"].clone();
    let text = newer.to_string();
    let value = crate::document::parse(&text).unwrap();
    let request = crate::policy::PlanRequest::read(&value).unwrap();
    let refusal = crate::provider::alicloud::infrastructure::plan::plan(&request).unwrap_err();
    assert!(refusal.to_string().starts_with("`baseline`: could not decode provider config: "), "{refusal}");
}
