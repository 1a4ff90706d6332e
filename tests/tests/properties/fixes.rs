//! A fix fixes its finding, and so does each value to choose from.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::requests::{Asked, CORPUS, GARDENER, RECORDINGS, UPDATES, assert_every_policy, entries, patched, read};

#[test]
fn a_fix_removes_its_finding() {
    let (mut fixes, mut tried) = (0, BTreeSet::new());
    let all = CORPUS.iter().chain(RECORDINGS.iter()).chain(UPDATES.iter()).chain(GARDENER.iter());
    for asked in all.filter(|asked| asked.function == "validate") {
        for finding in entries(&read(asked.answer())["findings"]).filter(|finding| !finding["fix"].is_null()) {
            fixes += 1;
            tried.insert(asked.provider.clone());
            assert_fixes(asked, finding, &finding["fix"]);
        }
    }
    assert!(fixes > 1_000, "only {fixes} fixes were tried");
    assert_every_policy(&tried);
}

/// Requires that the finding is gone after the changes.
fn assert_fixes(asked: &Asked, finding: &Value, fix: &Value) {
    let object = patched(&asked.request.member("object"), fix);
    let again = read(&asked.ask(&asked.request.with("object", &object)));
    assert!(again["error"].is_null(), "{}: {}", asked.name, again["error"]);
    let same = |other: &&Value| {
        ["rule", "field", "pointer", "detail"].iter().all(|member| other[member] == finding[member])
    };
    let left = entries(&again["findings"]).find(same);
    assert!(left.is_none(), "{}: {} is not fixed by {fix}", asked.name, finding["rule"]);
}

#[test]
fn each_value_to_choose_from_removes_its_finding() {
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for asked in GARDENER.iter() {
        for finding in entries(&read(asked.answer())["findings"]) {
            let choices: Vec<&Value> = entries(&finding["choices"]).collect();
            let rule = finding["rule"].as_str().unwrap();
            assert!(choices.len() <= 3 && finding["choices"] != json!([]), "{}: {rule}", asked.name);
            for choice in choices {
                *tried.entry(rule.to_owned()).or_default() += 1;
                let op = if finding["badValue"].is_null() { "add" } else { "replace" };
                let fix = json!([{ "op": op, "path": finding["pointer"], "value": choice }]);
                assert_fixes(asked, finding, &fix);
            }
        }
    }
    let rules = [
        "ADM-K8S-001",
        "ADM-MACH-010",
        "ADM-MACH-011",
        "ADM-MACH-020",
        "ADM-REG-001",
        "ADM-VOL-001",
        "ADM-ZONE-002",
    ];
    for rule in rules {
        assert!(tried.contains_key(rule), "{rule} has choices nowhere: {tried:?}");
    }
}

#[test]
fn a_rename_gives_the_value_to_the_right_key() {
    let mut renames = 0;
    for asked in GARDENER.iter() {
        let answer = read(asked.answer());
        for finding in entries(&answer["findings"]).filter(|finding| finding["fix"][0]["op"] == "move") {
            let (before, fix) = (&asked.request.member("object"), &finding["fix"][0]);
            let [from, to] = ["from", "path"].map(|member| fix[member].as_str().unwrap());
            let parent = |pointer: &str| pointer.rsplit_once('/').unwrap().0.to_owned();
            assert_eq!((finding["pointer"].as_str(), parent(from)), (Some(from), parent(to)), "{}", asked.name);
            assert!(finding["atKey"] == true, "{}: {fix}", asked.name);
            // What stands there already is a default: that is what comes where nobody wrote it.
            if let Some(default) = before.pointer(to) {
                let unwritten = patched(before, &json!([{ "op": "remove", "path": to }]));
                let request = asked.request.with("object", &unwritten).text();
                let filled = read(&trellis_core::call(&asked.provider, "default", &request));
                assert_eq!(filled["object"].pointer(to), Some(default), "{}: {fix}", asked.name);
            }
            let after = patched(before, &finding["fix"]);
            assert_eq!((after.pointer(to), after.pointer(from)), (before.pointer(from), None), "{}", asked.name);
            renames += 1;
        }
    }
    assert!(renames > 0);
}
