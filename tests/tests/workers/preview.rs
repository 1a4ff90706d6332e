//! The machines of a Shoot alone: a preview, in which placeholders stand for what the Shoot does not say.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::cases::details;

/// The Shoots of the examples, with the CloudProfile of their file where it has one.
fn examples() -> Vec<(String, Value, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap_or_default();
        let of_kind = |kind: &str| documents.iter().find(|document| document["kind"] == kind).cloned();
        if let Some(shoot) = of_kind("Shoot").filter(|shoot| shoot["spec"]["provider"]["type"] == "alicloud") {
            let name = entry.file_name().to_string_lossy().into_owned();
            found.push((name, shoot, of_kind("CloudProfile").unwrap_or(Value::Null)));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

fn preview(shoot: &Value, profile: &Value) -> Value {
    let mut request = json!({ "cluster": { "shoot": shoot } });
    if profile.is_object() {
        request["cluster"]["cloudProfile"] = profile.clone();
    }
    serde_json::from_str(&trellis_core::call("alicloud", "workers", &request.to_string())).unwrap()
}

#[test]
fn a_preview_has_the_machines_of_each_pool_and_lists_its_placeholders() {
    let mut made = 0;
    for (file, shoot, profile) in examples() {
        let answer = preview(&shoot, &profile);
        if answer["objects"].is_null() {
            assert_ne!(details(&answer), [""; 0], "{file}");
            continue;
        }
        made += 1;
        let text = format!("{}{}", answer["machineDeployments"], answer["objects"]);
        let reported: Vec<&str> =
            answer["undecided"].as_array().unwrap().iter().filter_map(|open| open["why"].as_str()).collect();
        let mut rest = text.as_str();
        while let Some((_, behind)) = rest.split_once('<') {
            let (name, behind) = behind.split_once('>').unwrap();
            assert!(
                reported.iter().any(|why| why.starts_with(&format!("`<{name}>`"))),
                "{file}: {name} {reported:?}"
            );
            rest = behind;
        }
        // User data and the Secrets that only gardenlet knows do not show.
        let is_used = |why: &&str| {
            let name = why.trim_start_matches('`').split('`').next().unwrap();
            text.contains(name) || name.starts_with("<user data")
        };
        assert!(reported.iter().all(is_used), "{file}: {reported:?}");
    }
    assert!(made >= 3, "{made}");
}

#[test]
fn the_machines_of_an_example() {
    let (_, shoot, profile) = examples().into_iter().find(|(file, ..)| file == "two-zones.yaml").unwrap();
    let answer = preview(&shoot, &profile);
    assert_eq!(details(&answer), [""; 0]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn findings_of_a_preview_point_into_the_shoot() {
    let (_, mut shoot, profile) = examples().into_iter().find(|(file, ..)| file == "two-zones.yaml").unwrap();
    shoot["spec"]["provider"]["workers"][0]["zones"][1] = "eu-central-1z".into();
    shoot["spec"]["provider"]["workers"][0]["volume"]["size"] = "big".into();
    let answer = preview(&shoot, &profile);
    let pointers: Vec<&str> =
        answer["findings"].as_array().unwrap().iter().filter_map(|finding| finding["pointer"].as_str()).collect();
    assert_eq!(pointers, ["/spec/provider/workers/0/volume/size", "/spec/provider/workers/0/zones/1"]);
}
