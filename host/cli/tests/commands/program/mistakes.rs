//! Files with one mistake each, made from the examples of every cloud: people read one error, at the mistake, and
//! its fix ends it.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use trellis_policies::source::read;

/// Accepted examples, and how many of the possible mistakes of each are left out between two that are made.
const EXAMPLES: [(&str, usize); 11] = [
    ("two-zones", 3),
    ("encrypted-disks", 3),
    ("aws-three-zones-dual-stack", 7),
    ("aws-existing-vpc", 5),
    ("aws-workload-identity", 3),
    ("azure-zoned", 5),
    ("azure-without-zones", 5),
    ("gcp-gpus", 5),
    ("gcp-new-vpc", 5),
    ("openstack-two-floating-pools", 3),
    ("equinix-metal", 3),
];

/// What may be anything: settings of the network plug-in, capacities, labels and tags. Nor does the extension of
/// Equinix Metal refuse what it does not know in its configurations.
const FREE: [&str; 4] = ["/networking/providerConfig", "/nodeTemplate/", "/labels/", "/ignoreTags/"];

/// A mistake in a Shoot.
struct Mistake {
    /// Where a person made it.
    pointer: String,
    shoot: Value,
}

/// The objects of an example.
pub(super) fn example(name: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = fs::read(root.join("examples").join(name).with_extension("yaml")).unwrap();
    let (_, roots) = read(name, &text).unwrap();
    roots.iter().map(|root| serde_json::from_str(&root.to_json()).unwrap()).collect()
}

/// Every place of a value, with the value.
pub(super) fn places(value: &Value, pointer: &str, found: &mut Vec<(String, Value)>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => return,
    };
    for (key, value) in below {
        let pointer = format!("{pointer}/{key}");
        found.push((pointer.clone(), value.clone()));
        places(value, &pointer, found);
    }
}

/// A key without its middle letter.
pub(super) fn misspelt(key: &str) -> String {
    let (start, end) = key.split_at(key.len() / 2);
    format!("{start}{}", end.get(1..).unwrap())
}

/// What a person writes in the place of a value by mistake; none where the mistake would be none, or of another
/// sort.
fn wrong(pointer: &str, value: &Value, has_profile: bool) -> Option<Value> {
    let key = pointer.rsplit('/').next().unwrap();
    match value {
        Value::Bool(bool) => Some(bool.to_string().into()),
        Value::Number(number) => Some(number.to_string().into()),
        Value::String(text) if pointer == "/spec/kubernetes/version" => {
            let minor = text.rsplit_once('.').unwrap().0;
            Some(serde_json::from_str(minor).unwrap())
        }
        Value::String(text) if text.ends_with("Gi") && !pointer.contains("/providerConfig/") => {
            Some(serde_json::from_str(text.trim_end_matches("Gi")).unwrap())
        }
        Value::String(text) => {
            let of_profile = pointer == "/spec/region"
                || pointer.ends_with("/machine/type")
                || pointer.contains("/machine/image/") && matches!(key, "name" | "version")
                || pointer.contains("/workers/") && pointer.contains("/zones/") && key.parse::<usize>().is_ok();
            (has_profile && of_profile).then(|| format!("nope-{text}").into())
        }
        _ => None,
    }
}

/// Mistakes of each sort: a key without a letter, a value of another type, a name that does not exist.
fn mistakes(objects: &[Value]) -> Vec<Mistake> {
    let shoot = objects.iter().find(|object| object["kind"] == "Shoot").unwrap();
    let has_profile = objects.iter().any(|object| object["kind"] == "CloudProfile");
    let mut all = Vec::new();
    places(&shoot["spec"], "/spec", &mut all);
    let is_metal = shoot["spec"]["provider"]["type"] == "equinixmetal";
    let is_judged = |pointer: &str| {
        let is_free = FREE.iter().any(|part| pointer.contains(part)) || is_metal && pointer.contains("Config/");
        !is_free
    };
    let mut found = Vec::new();
    for (pointer, value) in all.into_iter().filter(|(pointer, _)| is_judged(pointer)) {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        if key.len() > 4 && key.parse::<usize>().is_err() {
            let to = format!("{parent}/{}", misspelt(key));
            found.push(edited(shoot, &to, &json!([{ "op": "move", "from": pointer, "path": to }])));
        }
        if let Some(wrong) = wrong(&pointer, &value, has_profile) {
            found.push(edited(shoot, &pointer, &json!([{ "op": "replace", "path": pointer, "value": wrong }])));
        }
    }
    found
}

/// A value of another type below a key without a letter: each key that has such a value.
fn nested(objects: &[Value]) -> Vec<[Mistake; 2]> {
    let shoot = objects.iter().find(|object| object["kind"] == "Shoot").unwrap();
    let mut all = Vec::new();
    places(&shoot["spec"], "/spec", &mut all);
    let is_metal = shoot["spec"]["provider"]["type"] == "equinixmetal";
    let is_judged = |pointer: &str| {
        let is_free = FREE.iter().any(|part| pointer.contains(part));
        !(is_free || is_metal && pointer.contains("Config/"))
    };
    let mut found = Vec::new();
    for (parent, _) in
        all.iter().filter(|(pointer, value)| is_judged(pointer) && (value.is_object() || value.is_array()))
    {
        let (above, key) = parent.rsplit_once('/').unwrap();
        // Without the type of its provider, nobody knows whose rules a Shoot has.
        if parent == "/spec/provider" {
            continue;
        }
        let mut below =
            all.iter().filter(|(pointer, _)| pointer.starts_with(&format!("{parent}/")) && is_judged(pointer));
        let wrong = below.find_map(|(pointer, value)| Some((pointer, wrong(pointer, value, false)?)));
        let Some((pointer, value)) = wrong.filter(|_| key.len() > 4) else { continue };
        let to = format!("{above}/{}", misspelt(key));
        let outer = edited(
            shoot,
            &to,
            &json!([{ "op": "replace", "path": pointer, "value": value }, { "op": "move", "from": parent, "path": to }]),
        );
        let inner = Mistake { pointer: pointer.replacen(parent.as_str(), &to, 1), shoot: outer.shoot.clone() };
        found.push([outer, inner]);
    }
    found
}

fn edited(shoot: &Value, pointer: &str, patch: &Value) -> Mistake {
    let mut shoot = shoot.clone();
    let patch: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
    json_patch::patch(&mut shoot, &patch).unwrap();
    Mistake { pointer: pointer.to_owned(), shoot }
}

/// The entry of the Shoot of each file, by the name of the file.
fn judged(folder: &TempDir) -> BTreeMap<String, Value> {
    let program = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["validate", "-o", "json", "--now", "2026-06-01T00:00:00Z", "."])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let entries: Vec<Value> = serde_json::from_slice(&program.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&program.stderr)));
    let shoots = entries.into_iter().filter(|entry| entry["kind"] == "Shoot");
    let name = |entry: &Value| entry["file"].as_str().unwrap().trim_start_matches("./").to_owned();
    shoots.map(|entry| (name(&entry), entry)).collect()
}

/// The errors that stand for themselves.
fn errors(entry: &Value) -> Vec<&Value> {
    let findings = entry["findings"].as_array().unwrap_or_else(|| panic!("{entry}"));
    findings.iter().filter(|one| one["severity"] == "error" && one.get("causedBy").is_none()).collect()
}

fn write(folder: &TempDir, name: &str, others: &[Value], shoot: &Value) {
    let of_others = others.iter().filter(|object| object["kind"] != "Shoot");
    let documents: Vec<String> = of_others.chain([shoot]).map(Value::to_string).collect();
    fs::write(folder.path().join(name), documents.join("\n---\n")).unwrap();
}

/// Files with mistakes, every `step`th of each example, and what was made of which objects.
fn files(step: impl Fn(usize) -> usize) -> (TempDir, BTreeMap<String, (Vec<Value>, Mistake)>) {
    let folder = TempDir::new().unwrap();
    let mut made = BTreeMap::new();
    for (example_name, own) in EXAMPLES {
        let objects = example(example_name);
        for (number, mistake) in mistakes(&objects).into_iter().enumerate().step_by(step(own)) {
            let name = format!("{example_name}.{number}.yaml");
            write(&folder, &name, &objects, &mistake.shoot);
            made.insert(name, (objects.clone(), mistake));
        }
    }
    (folder, made)
}

#[test]
fn one_mistake_is_one_error_at_its_place_and_its_fix_ends_it() {
    let (folder, made) = files(|own| own);
    let fixed = TempDir::new().unwrap();
    assert!(made.len() >= 100, "{} files", made.len());
    let entries = judged(&folder);
    let mut offered = 0;
    for (name, (objects, mistake)) in &made {
        let entry = entries.get(name).unwrap_or_else(|| panic!("{name} has no answer"));
        let found = errors(entry);
        let places: Vec<&str> = found.iter().map(|one| one["pointer"].as_str().unwrap()).collect();
        assert_eq!(places, [mistake.pointer.as_str()], "{name}: {found:#?}");
        if let Some(fix) = found.iter().find_map(|one| one.get("fix")) {
            offered += 1;
            write(&fixed, name, objects, &edited(&mistake.shoot, "", fix).shoot);
        }
    }
    assert!(offered >= 50, "{offered} fixes");
    for (name, entry) in judged(&fixed) {
        assert!(errors(&entry).is_empty(), "{name}: {:#?}", errors(&entry));
    }
}

#[test]
fn a_wrong_value_below_a_misspelt_key_is_reported_at_its_place_in_the_text() {
    let folder = TempDir::new().unwrap();
    let mut made = BTreeMap::new();
    for (example_name, _) in EXAMPLES {
        let objects = example(example_name);
        for (number, mistakes) in nested(&objects).into_iter().enumerate() {
            let name = format!("{example_name}.{number}.yaml");
            write(&folder, &name, &objects, &mistakes[0].shoot);
            made.insert(name, mistakes);
        }
    }
    assert!(made.len() >= 30, "{} files", made.len());
    for (name, entry) in judged(&folder) {
        let mut places: Vec<&str> = errors(&entry).iter().map(|one| one["pointer"].as_str().unwrap()).collect();
        let mut expected = made[&name].each_ref().map(|one| one.pointer.as_str());
        places.sort_unstable();
        expected.sort_unstable();
        assert_eq!(places, expected, "{name}");
    }
}

#[test]
#[ignore = "prints figures"]
fn figures_of_every_mistake_of_the_examples() {
    let (folder, made) = files(|_| 1);
    let fixed = TempDir::new().unwrap();
    let (mut alone, mut offered) = (0, 0);
    for (name, entry) in judged(&folder) {
        let (objects, mistake) = &made[&name];
        let found = errors(&entry);
        match found.as_slice() {
            [only] if only["pointer"] == mistake.pointer.as_str() => alone += 1,
            _ => {
                let rules: Vec<String> =
                    found.iter().map(|one| format!("{} {}", one["rule"], one["pointer"])).collect();
                println!("{name}: {}: {}", mistake.pointer, rules.join(", "));
            }
        }
        for (number, fix) in found.iter().filter_map(|one| one.get("fix")).enumerate() {
            offered += 1;
            write(&fixed, &format!("{name}.{number}.yaml"), objects, &edited(&mistake.shoot, "", fix).shoot);
        }
    }
    let bad = judged(&fixed).values().filter(|entry| !errors(entry).is_empty()).count();
    println!(
        "{} files: {alone} with one error at the mistake; {offered} fixes, {bad} lead to a file with errors",
        made.len()
    );
}
