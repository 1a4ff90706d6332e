//! What a toggle does: the objects that differ from those of the base, line by line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use trellis_core::text::base64;

use super::cases::{ask, base, credentials, example_shoots, holds_credentials, objects, preview, render, secret};

/// Objects by bundle, kind and name, each as a line a value: its place, and the value.
type Lines = BTreeMap<String, Vec<String>>;

fn lines(answer: &Value) -> Lines {
    let named = |(bundle, object): (&str, &Value)| {
        let name = format!(
            "{bundle}: {} {}",
            object["kind"].as_str().unwrap(),
            object["metadata"]["name"].as_str().unwrap()
        );
        let mut lines = Vec::new();
        write_lines("", object, &mut lines);
        (name, lines)
    };
    objects(answer).map(named).collect()
}

fn write_lines(place: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                write_lines(&format!("{place}/{key}"), value, lines);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for value in items {
                write_lines(&format!("{place}/-"), value, lines);
            }
        }
        // The JSON in the Secret of the cloud controller manager.
        Value::String(text) if place.ends_with("/cloudprovider.conf") => {
            let decoded = base64::decode(text).unwrap();
            lines.push(format!("{place}: {}", String::from_utf8(decoded).unwrap()));
        }
        other => lines.push(format!("{place}: {other}")),
    }
}

/// The lines that are in one alone, in order: `-` for the first, `+` for the second.
fn changes(one: &Lines, other: &Lines) -> String {
    let mut text = String::new();
    let none = Vec::new();
    for name in one.keys().chain(other.keys().filter(|name| !one.contains_key(*name))) {
        let (old, new) = (one.get(name).unwrap_or(&none), other.get(name).unwrap_or(&none));
        if old == new {
            continue;
        }
        let _ = writeln!(text, "{name}");
        let count = |all: &[String], line: &String| all.iter().filter(|one| *one == line).count();
        for (sign, all, others) in [('-', old, new), ('+', new, old)] {
            for line in all.iter().filter(|line| count(all, line) > count(others, line)) {
                let _ = writeln!(text, "  {sign} {line}");
            }
        }
    }
    text
}

/// What changes in the answer in addition to the objects.
fn besides_objects(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let members = answer.as_object_mut().unwrap();
    for resource in members["managedResources"].as_array_mut().into_iter().flatten() {
        let resource = resource.as_object_mut().unwrap();
        for member in ["objects", "annotations", "secret"] {
            resource.remove(member);
        }
        resource["spec"].as_object_mut().unwrap().remove("secretRefs");
    }
    answer
}

/// What an edit of the base does, with objects that the clusters hold.
fn effect(edit: impl Fn(&mut Value), live: &dyn Fn(&Value) -> Option<Value>) -> String {
    let before = render(&base(), &holds_credentials);
    let mut request = base();
    edit(&mut request);
    let after = render(&request, live);
    let text = changes(&lines(&before), &lines(&after));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    write_lines("", &besides_objects(&before), &mut old);
    write_lines("", &besides_objects(&after), &mut new);
    let besides_objects = |lines| Lines::from([("beside the objects".to_owned(), lines)]);
    text + &changes(&besides_objects(old), &besides_objects(new))
}

fn config(request: &mut Value) -> &mut Value {
    &mut request["controlPlane"]["spec"]["providerConfig"]
}

fn shoot(request: &mut Value) -> &mut Value {
    &mut request["cluster"]["shoot"]
}

/// Takes snapshots, one an edit.
macro_rules! toggles {
    ($($name:ident: $edit:expr,)+) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), effect($edit, &holds_credentials));
        }
    )+ };
}

toggles! {
    controller_attaches_no_disks: |request| config(request)["csi"]["enableADController"] = false.into(),
    controller_attaches_disks_everywhere: |request| {
        config(request)["csi"]["enableADController"] = false.into();
        request["configuration"] = json!({ "csi": { "enableADController": true } });
    },
    no_feature_gates: |request| {
        config(request).as_object_mut().unwrap().remove("cloudControllerManager");
    },
    cloud_is_reached_in_its_own_network: |request| {
        request["cluster"]["seed"]["spec"]["provider"]["region"] = "cn-shanghai".into();
    },
    no_custom_route_table: |request| {
        let status = &mut request["controlPlane"]["spec"]["infrastructureProviderStatus"];
        status["vpc"].as_object_mut().unwrap().remove("routeTableID");
    },
    csi_controller_has_labels: |request| {
        request["configuration"] = json!({ "corrections": ["csiPluginControllerLabels"] });
    },
    other_images: |request| {
        request["images"] = json!([
            { "name": "csi-attacher", "repository": "mirror.example/csi-attacher", "tag": "v9" },
            { "name": "csi-liveness-probe", "ref": "mirror.example/livenessprobe@sha256:00" },
            { "name": "csi-plugin-alicloud-init", "targetVersion": ">= 1.32", "repository": "mirror.example/init", "tag": "v1" },
            { "name": "csi-resizer", "targetVersion": "< 1.32", "repository": "mirror.example/resizer", "tag": "v1" },
        ]);
    },
    authorities_are_rotated: |request| {
        shoot(request)["status"]["credentials"]["rotation"]["certificateAuthorities"]["lastInitiationTime"] =
            "2026-01-02T03:04:05Z".into();
    },
    several_ranges_of_pods: |request| {
        shoot(request)["status"]["networking"] = json!({ "pods": ["100.96.0.0/11", "2001:db8::/64"] });
    },
    no_generic_kubeconfig: |request| {
        request["cluster"]["metadata"].as_object_mut().unwrap().remove("annotations");
    },
    control_plane_without_configuration: |request| {
        request["controlPlane"]["spec"].as_object_mut().unwrap().remove("providerConfig");
    },
}

fn hibernates(request: &mut Value) {
    shoot(request)["spec"]["hibernation"] = json!({ "enabled": true });
}

#[test]
fn hibernated() {
    insta::assert_snapshot!(effect(hibernates, &holds_credentials));
}

#[test]
fn falling_asleep() {
    let live = |parameters: &Value| match parameters["name"].as_str()? {
        "kube-apiserver" => Some(json!({ "spec": { "replicas": 2 } })),
        _ => holds_credentials(parameters),
    };
    insta::assert_snapshot!(effect(hibernates, &live));
}

#[test]
fn no_credentials_file() {
    let mut without = credentials();
    without["data"].as_object_mut().unwrap().remove("credentialsFile");
    let live = |parameters: &Value| (parameters["name"] == "cloudprovider").then(|| without.clone());
    insta::assert_snapshot!(effect(|_| (), &live));
}

#[test]
fn other_credentials() {
    let other =
        secret(&json!({ "accessKeyID": "LTAI-new", "accessKeySecret": "none", "credentialsFile": "[default]\n" }));
    let live = |parameters: &Value| (parameters["name"] == "cloudprovider").then(|| other.clone());
    insta::assert_snapshot!(effect(|_| (), &live));
}

#[test]
fn preview_of_two_zones() {
    let shoots = example_shoots();
    let (_, shoot) = shoots.iter().find(|(file, _)| file == "two-zones.yaml").unwrap();
    let answer = ask(&preview(shoot));
    let mut text = String::new();
    for (name, lines) in lines(&answer) {
        // What a value of the Shoot, or a placeholder, is in.
        let is_reported =
            |line: &&String| ["<", "two-zones", "\"eu-central"].iter().any(|part| line.contains(part));
        let reported = lines.iter().filter(is_reported).filter(|line| !line.contains("/metadata/namespace"));
        let reported: Vec<String> = reported.map(|line| format!("  {line}\n")).collect();
        if !reported.is_empty() {
            let _ = writeln!(text, "{name}\n{}", reported.concat().trim_end());
        }
    }
    for undecided in answer["undecided"].as_array().unwrap() {
        let _ =
            writeln!(text, "undecided: {}", undecided["why"].as_str().unwrap_or_else(|| panic!("{undecided}")));
    }
    insta::assert_snapshot!(text);
}
