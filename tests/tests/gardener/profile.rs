//! What a Shoot asks of its CloudProfile.

use serde_json::Value;

use crate::cases::{Case, findings, none_differ, words_of};

/// Rules of the same plug-in that need other objects, or that are not judged yet.
fn is_of_others(finding: &Value) -> bool {
    let (field, detail) = (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap());
    let is_of_networks = field.starts_with("spec.networking") && field != "spec.networking.providerConfig";
    is_of_networks
        || field.starts_with("status.")
        || field.starts_with("spec.seedSelector")
        || field.starts_with("spec.dns")
        || field.contains("admissionPlugins")
        || detail.contains("Binding: ")
        || detail.contains("is not supported by the seed")
}

#[test]
fn what_a_shoot_asks_of_its_profile_is_judged_as_gardener_judges_it() {
    let (mut compared, mut wrong, mut failures) = (0, 0, Vec::new());
    for case in Case::all() {
        let recorded = &case.recorded;
        let wanted: Vec<&Value> = recorded["admissionFindings"].as_array().into_iter().flatten().collect();
        let is_refused_before = wanted.is_empty() && !recorded["admissionError"].is_null();
        if !case.is_shoot() || !case.is_judged() || !recorded["mutateError"].is_null() || is_refused_before {
            continue;
        }
        // Gardener compares what Go makes of the texts, and sees differences between quantities of the same text.
        if case.is_update() && recorded["old"] == recorded["new"] {
            continue;
        }
        let answer =
            case.ask("validate", &case.mutated().to_string(), case.is_update().then_some(&recorded["old"]));
        let findings = findings(&answer);
        let (own, others): (Vec<_>, Vec<_>) =
            findings.iter().partition(|finding| finding["rule"].as_str().unwrap().starts_with("ADM-"));
        // What another rule found in the same words before is there once.
        let (own, others) = (words_of(own), words_of(others));
        let mut wanted = words_of(wanted.into_iter().filter(|one| !is_of_others(one)));
        wanted.retain(|words| !others.contains(words));
        compared += 1;
        wrong += usize::from(!wanted.is_empty());
        if own != wanted {
            failures.push(format!("{} {}\n  wanted {wanted:?}\n  own    {own:?}", case.id(), case.is_update()));
        }
    }
    none_differ(&failures, compared);
    assert!(compared >= 1_500 && wrong >= 150, "{compared} {wrong}");
}
