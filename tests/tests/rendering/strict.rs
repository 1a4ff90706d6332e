//! Every object decodes into the type of its kind, and has no field that the type lacks.

use std::collections::BTreeSet;

use k8s_openapi::api::{apps, core, networking, policy, rbac, storage};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::cases::{base, holds_credentials, live, objects, render, rendered_cases, request};
use super::kinds;

/// The versions of Shoots.
const VERSIONS: [&str; 6] = ["1.31.0", "1.32.8", "1.33.2", "1.34.1", "1.35.0", "1.36.0"];

/// A value for comparison: members that are null are as good as absent.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(members.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        // Limits of a schema are fractions to Rust, whatever their spelling.
        Value::Number(number) if number.is_f64() => match number.to_string().strip_suffix(".0") {
            Some(whole) => json!(whole.parse::<i64>().unwrap()),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

/// Decodes an object and writes it again: what the type lacks is not there then.
fn again<T: DeserializeOwned + Serialize>(object: &Value) -> Result<Value, String> {
    let typed = T::deserialize(object).map_err(|error| error.to_string())?;
    Ok(without_nulls(&serde_json::to_value(typed).map_err(|error| error.to_string())?))
}

/// The object as its kind has it.
fn typed(object: &Value) -> Result<Value, String> {
    match (object["apiVersion"].as_str().unwrap(), object["kind"].as_str().unwrap()) {
        ("apps/v1", "Deployment") => again::<apps::v1::Deployment>(object),
        ("apps/v1", "DaemonSet") => again::<apps::v1::DaemonSet>(object),
        ("v1", "Secret") => again::<core::v1::Secret>(object),
        ("v1", "Service") => again::<core::v1::Service>(object),
        ("v1", "ServiceAccount") => again::<core::v1::ServiceAccount>(object),
        ("networking.k8s.io/v1", "NetworkPolicy") => again::<networking::v1::NetworkPolicy>(object),
        ("policy/v1", "PodDisruptionBudget") => again::<policy::v1::PodDisruptionBudget>(object),
        ("rbac.authorization.k8s.io/v1", "ClusterRole") => again::<rbac::v1::ClusterRole>(object),
        ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding") => again::<rbac::v1::ClusterRoleBinding>(object),
        ("rbac.authorization.k8s.io/v1", "Role") => again::<rbac::v1::Role>(object),
        ("rbac.authorization.k8s.io/v1", "RoleBinding") => again::<rbac::v1::RoleBinding>(object),
        ("storage.k8s.io/v1", "StorageClass") => again::<storage::v1::StorageClass>(object),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition") => {
            again::<apiextensions::v1::CustomResourceDefinition>(object)
        }
        ("autoscaling.k8s.io/v1", "VerticalPodAutoscaler") => again::<kinds::VerticalPodAutoscaler>(object),
        ("monitoring.coreos.com/v1", "ServiceMonitor") => again::<kinds::ServiceMonitor>(object),
        ("monitoring.coreos.com/v1", "PrometheusRule") => again::<kinds::PrometheusRule>(object),
        (version, kind) => Err(format!("no type for {kind} of {version}")),
    }
}

/// Checks an object, and names its kind.
fn check(object: &Value) -> String {
    let expected = without_nulls(object);
    let name = format!("{} {}", object["kind"], object["metadata"]["name"]);
    let typed = typed(&expected).unwrap_or_else(|error| panic!("{name}: {error}\n{object}"));
    assert_eq!(typed, expected, "{name} has fields that its kind lacks");
    object["kind"].to_string()
}

#[test]
fn objects_of_recorded_control_planes_have_the_fields_of_their_kinds() {
    let (mut kinds, mut checked) = (BTreeSet::new(), 0);
    // An object that was checked needs no second check.
    let mut known = BTreeSet::new();
    for case in rendered_cases() {
        let answer = render(&request(case), &live(case));
        for (_, object) in objects(&answer) {
            checked += 1;
            if known.insert(object.to_string()) {
                kinds.insert(check(object));
            }
        }
    }
    assert_eq!(checked, 76 * 50);
    assert_eq!(kinds.len(), 16, "{kinds:?}");
}

#[test]
fn objects_have_the_fields_of_their_kinds_for_each_version_of_kubernetes() {
    for version in VERSIONS {
        let mut request = base();
        request["cluster"]["shoot"]["spec"]["kubernetes"]["version"] = version.into();
        let answer = render(&request, &holds_credentials);
        let kinds: Vec<String> = objects(&answer).map(|(_, object)| check(object)).collect();
        assert_eq!(kinds.len(), 50, "{version}");
    }
}

#[test]
fn a_field_that_a_kind_lacks_is_found() {
    let answer = render(&base(), &holds_credentials);
    let edits: [(&str, &str, Value); 6] = [
        ("Deployment", "/spec/template/spec", Value::from(1)),
        ("PodDisruptionBudget", "/spec", Value::from(1)),
        ("CustomResourceDefinition", "/spec/versions/0", Value::from(1)),
        ("VerticalPodAutoscaler", "/spec/resourcePolicy/containerPolicies/0", Value::from(1)),
        ("ServiceMonitor", "/spec", Value::from(false)),
        ("PrometheusRule", "/spec/groups/0/rules/0", Value::from(1)),
    ];
    for (kind, place, value) in edits {
        let (_, object) = objects(&answer).find(|(_, object)| object["kind"] == kind).unwrap();
        let mut object = without_nulls(object);
        assert_eq!(typed(&object), Ok(object.clone()));
        object.pointer_mut(place).unwrap()["honorLabels"] = value;
        assert_ne!(typed(&object), Ok(object), "{kind}");
    }
}
