//! Machine classes and their Secrets as they are written (reference: gardener-contract 3.4).
//!
//! What makes a machine another one changes the name of its class. What is left out of the name, such as tags,
//! changes in place.

use serde_json::{Map, Value, json};

use super::owned::{owned, without_nulls};
use crate::api_server::member::text;
use crate::api_server::objects::difference;

/// The label selector of the Secrets of machine classes.
pub const SECRETS_OF_CLASSES: &str = "gardener.cloud/purpose=machineclass";

/// A machine class or a Secret that does not exist yet.
pub fn new(wanted: &Value) -> Value {
    without_nulls(wanted)
}

/// What to change of a machine class or a Secret; none where nothing differs.
pub fn patch(wanted: &Value, live: &Value) -> Option<Value> {
    let wanted = without_nulls(wanted);
    let is_class = text(&wanted, "/kind") == "MachineClass";
    let purpose = live.pointer("/metadata/labels/gardener.cloud~1purpose").and_then(Value::as_str);
    if !is_class && purpose != Some("machineclass") {
        // Somebody else's Secret has this name.
        return None;
    }
    // The type of a Secret never changes.
    let is_own = |key: &str| !HEAD.contains(&key) && (is_class || key == "data");
    let (Value::Object(members), Value::Object(known)) = (&wanted, live) else { return None };
    let mut parts: Map<String, Value> = Map::new();
    for (key, live) in known.iter().filter(|(key, _)| is_own(key) && !members.contains_key(*key)) {
        if !live.is_null() {
            parts.insert(key.clone(), Value::Null);
        }
    }
    for (key, value) in members.iter().filter(|(key, _)| is_own(key)) {
        parts.insert(key.clone(), owned(known.get(key), value.clone()));
    }
    if let Some(labels) = wanted.pointer("/metadata/labels") {
        parts.insert("metadata".to_owned(), json!({ "labels": labels }));
    }
    difference(live, &Value::Object(parts))
}

/// Members that every object has.
const HEAD: [&str; 3] = ["apiVersion", "kind", "metadata"];

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> Value {
        json!({
            "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass",
            "metadata": { "name": "c", "namespace": "ns", "labels": { "gardener.cloud/purpose": "machineclass" } },
            "provider": "Alicloud",
            "providerSpec": { "imageID": "m-1", "keyPairName": null, "tags": { "a": "1" } },
            "secretRef": { "name": "c", "namespace": "ns" },
            "credentialsSecretRef": { "name": "cloudprovider", "namespace": "ns" },
        })
    }

    fn live(object: &Value) -> Value {
        let mut live = new(object);
        let members = live.as_object_mut().unwrap();
        members.remove("apiVersion");
        members.remove("kind");
        live["metadata"]["uid"] = json!("u");
        live["metadata"]["finalizers"] = json!(["machine.sapcloud.io/machine-controller-manager"]);
        live["metadata"]["labels"]["other"] = json!("x");
        live
    }

    #[test]
    fn a_class_as_wanted_is_not_written() {
        let mut known = live(&class());
        assert_eq!(patch(&class(), &known), None);
        known["providerSpec"]["keyPairName"] = Value::Null;
        assert_eq!(patch(&class(), &known), None);
        assert_eq!(new(&class())["providerSpec"].get("keyPairName"), None);
    }

    #[test]
    fn tags_credentials_and_node_templates_change_in_place() {
        let mut known = live(&class());
        known["providerSpec"]["tags"] = json!({ "a": "0", "gone": "x" });
        known["credentialsSecretRef"]["name"] = json!("old");
        known["nodeTemplate"] = json!({ "zone": "z" });
        let expected = json!({
            "nodeTemplate": null, "credentialsSecretRef": { "name": "cloudprovider" },
            "providerSpec": { "tags": { "a": "1", "gone": null } },
        });
        assert_eq!(patch(&class(), &known), Some(expected));
    }

    #[test]
    fn of_a_secret_the_data_are_ours_and_the_type_is_not() {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "data": { "userData": "YQ==" },
            "metadata": { "name": "c", "namespace": "ns", "labels": { "gardener.cloud/purpose": "machineclass" } },
        });
        let mut known = live(&secret);
        known["type"] = json!("Opaque");
        assert_eq!(patch(&secret, &known), None);
        known["data"] = json!({ "userData": "Yg==", "old": "YQ==" });
        assert_eq!(patch(&secret, &known), Some(json!({ "data": { "userData": "YQ==", "old": null } })));
        known["metadata"]["labels"] = json!({});
        assert_eq!(patch(&secret, &known), None, "a Secret of somebody else");
    }
}
