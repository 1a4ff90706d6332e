//! Files with one mistake each in a profile, made from the examples of every cloud: what is wrong with a profile is
//! an error there, and not once more at a Shoot or a NamespacedCloudProfile that names it.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::mistakes::{example, misspelt, places};

/// Examples, or several as one, with a CloudProfile, and how many of the possible mistakes of each are left out between two that are
/// made.
const EXAMPLES: [(&str, usize); 7] = [
    ("two-zones+cloudprofile-regions", 3),
    ("aws-three-zones-dual-stack", 3),
    ("aws-namespaced-cloudprofile", 3),
    ("azure-zoned", 3),
    ("gcp-gpus", 5),
    ("openstack-two-floating-pools", 3),
    ("equinix-metal", 3),
];

/// What a person writes in the place of a value by mistake: nothing, or a value of another type.
fn wrong(value: &Value) -> [Value; 2] {
    match value {
        Value::Array(_) => [json!([]), json!("abc")],
        Value::Object(_) => [json!({}), json!("abc")],
        Value::String(_) => [json!(""), json!(5)],
        _ => [Value::Null, json!("many")],
    }
}

/// The CloudProfiles with one mistake each: a value that is missing or wrong, a key without a letter.
fn mistakes(profile: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    places(&profile["spec"], "/spec", &mut all);
    let mut found = Vec::new();
    for (pointer, value) in all {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut patches = vec![json!([{ "op": "remove", "path": pointer }])];
        patches.extend(wrong(&value).map(|wrong| json!([{ "op": "replace", "path": pointer, "value": wrong }])));
        if key.len() > 4 && key.parse::<usize>().is_err() {
            let to = format!("{parent}/{}", misspelt(key));
            patches.push(json!([{ "op": "move", "from": pointer, "path": to }]));
        }
        for patch in patches {
            let mut profile = profile.clone();
            let change: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
            json_patch::patch(&mut profile, &change).unwrap();
            found.push((patch.to_string(), profile));
        }
    }
    found
}

/// A file: the mistake, and how many errors stand at the profile and at the other objects.
struct Errors {
    mistake: String,
    at_profile: usize,
    elsewhere: Vec<String>,
}

/// What is said of files with mistakes, every `step`th of each example.
fn errors_of_files(step: impl Fn(usize) -> usize) -> Vec<Errors> {
    let folder = TempDir::new().unwrap();
    let mut made = BTreeMap::new();
    for (name, own) in EXAMPLES {
        let objects: Vec<Value> = name.split('+').flat_map(example).collect();
        let at = objects.iter().position(|object| object["kind"] == "CloudProfile").unwrap();
        for (number, (mistake, profile)) in mistakes(&objects[at]).into_iter().enumerate().step_by(step(own)) {
            // Each object is one line, between lines that separate them.
            let texts = objects
                .iter()
                .enumerate()
                .map(|(place, object)| if place == at { profile.to_string() } else { object.to_string() });
            let file = format!("{}.{number}.yaml", name.replace('+', "-"));
            fs::write(folder.path().join(&file), texts.collect::<Vec<_>>().join("\n---\n")).unwrap();
            made.insert(file, (2 * at + 1, Errors { mistake, at_profile: 0, elsewhere: Vec::new() }));
        }
    }
    let program = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["validate", "-o", "sarif", "--now", "2026-06-01T00:00:00Z", "."])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&program.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&program.stderr)));
    let run = &report["runs"][0];
    let results = run["results"].as_array().unwrap().iter();
    let failures = run["invocations"][0]["toolExecutionNotifications"].as_array().into_iter().flatten();
    for error in results.chain(failures).filter(|one| one["level"] == "error") {
        let place = &error["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap_or_else(|| panic!("{error}"));
        let file = file.trim_start_matches("./");
        let (line, errors) = made.get_mut(file).unwrap();
        if place["region"]["startLine"] == *line {
            errors.at_profile += 1;
        } else {
            errors.elsewhere.push(error["message"]["text"].to_string());
        }
    }
    made.into_values().map(|(_, errors)| errors).collect()
}

#[test]
fn a_mistake_in_a_profile_is_no_error_of_what_names_it() {
    let rejected: Vec<Errors> =
        errors_of_files(|own| own).into_iter().filter(|errors| errors.at_profile > 0).collect();
    assert!(rejected.len() >= 300, "{} files", rejected.len());
    for Errors { mistake, elsewhere, .. } in rejected {
        assert!(elsewhere.is_empty(), "{mistake}: {elsewhere:#?}");
    }
}

#[test]
#[ignore = "prints figures"]
fn figures_of_every_mistake_of_the_profiles() {
    let rejected: Vec<Errors> =
        errors_of_files(|_| 1).into_iter().filter(|errors| errors.at_profile > 0).collect();
    let alone = rejected.iter().filter(|errors| errors.at_profile == 1 && errors.elsewhere.is_empty()).count();
    for Errors { mistake, at_profile, elsewhere } in rejected.iter().filter(|errors| !errors.elsewhere.is_empty())
    {
        println!("{mistake}: {at_profile} at the profile, {elsewhere:?}");
    }
    println!("{} rejected profiles: {alone} with one error", rejected.len());
}
