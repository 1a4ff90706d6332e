//! What a Shoot asks of its CloudProfile.

use serde_json::Value;

use crate::cases::{Case, findings, none_differ, words_of};

/// Rules of the same plug-in that need other objects, or that are not judged yet.
fn is_of_others(finding: &Value) -> bool {
    let (field, detail) = (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap());
    let is_of_networks = field.starts_with("spec.networking") && field != "spec.networking.providerConfig";
    let is_own = detail.contains(" network intersects with shoot ")
        || ["shoot pod network is required", "shoot service network is required"].contains(&detail);
    is_of_networks && !is_own
        || field.starts_with("status.")
        || field.starts_with("spec.seedSelector")
        || field.starts_with("spec.dns")
        || field.contains("admissionPlugins") && detail != "secret should be referenced in shoot .spec.resources"
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
        let (own, others): (Vec<_>, Vec<_>) = findings
            .iter()
            .filter(|finding| finding["severity"] == "error")
            .partition(|finding| finding["rule"].as_str().unwrap().starts_with("ADM-"));
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

/// Refusals that end a request before Gardener judges the rest, by the beginning of what Gardener says of them.
const ENDINGS: [(&str, &str); 3] = [
    ("cloud profile reference change is invalid", "ADM-CP-002"),
    ("newly referenced cloud profile does not contain", "ADM-CP-00"),
    ("the length of the shoot name and the project name", "ADM-PRJ-002"),
];

#[test]
fn what_ends_a_request_is_reported_in_gardeners_words_and_nowhere_else() {
    let (mut compared, mut refused) = (0, 0);
    for case in Case::all().filter(|case| case.is_shoot() && case.is_judged()) {
        let said = case.recorded["admissionError"].as_str().unwrap_or_default();
        let wanted = ENDINGS.iter().find_map(|(beginning, rule)| Some((*rule, &said[said.find(beginning)?..])));
        // Where something else ends the request before, or the ShootMutator did, nobody knows.
        let is_judged = case.recorded["mutateError"].is_null() && !case.recorded["admissionFindings"].is_null();
        if wanted.is_none() && (!is_judged || !said.is_empty() && !said.contains(" is forbidden: ")) {
            continue;
        }
        let answer =
            case.ask("validate", &case.mutated().to_string(), case.is_update().then_some(&case.recorded["old"]));
        let is_ending = |finding: &&Value| {
            let rule = finding["rule"].as_str().unwrap();
            finding["severity"] == "error"
                && (rule.starts_with("ADM-CP-00") && rule != "ADM-CP-001" || rule == "ADM-PRJ-002")
        };
        let found = findings(&answer);
        let own: Vec<&Value> = found.iter().filter(is_ending).collect();
        compared += 1;
        match wanted {
            Some((rule, detail)) => {
                refused += 1;
                assert_eq!(own.len(), 1, "{}: {said} {own:?}", case.id());
                assert!(own[0]["rule"].as_str().unwrap().starts_with(rule), "{}: {own:?}", case.id());
                assert_eq!(own[0]["detail"], detail, "{}", case.id());
            }
            None => assert!(own.is_empty(), "{}: {own:?}", case.id()),
        }
    }
    assert!(compared >= 300 && refused >= 25, "{compared} {refused}");
}
