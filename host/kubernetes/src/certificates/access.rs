//! Secrets with tokens for the Shoot's API server (`gardener-contract` 3.3). gardener-resource-manager writes the
//! tokens.

use serde_json::{Map, Value, json};

/// The label by which gardener-resource-manager finds them.
const PURPOSE: (&str, &str) = ("resources.gardener.cloud/purpose", "token-requestor");

/// Selects them.
pub fn selector() -> String {
    format!("{}={}", PURPOSE.0, PURPOSE.1)
}

/// The Secrets with tokens in the member `secrets` of an answer to `render`, as objects in a namespace. They have
/// no data: to give a Secret that exists what they have ([`missing`], or a merge patch of what differs) leaves its
/// token alone.
pub fn wanted(secrets: &[Value], namespace: &str) -> Vec<Value> {
    let is_access = |secret: &&Value| {
        secret.get("labels").and_then(|labels| labels.get(PURPOSE.0)).and_then(Value::as_str) == Some(PURPOSE.1)
    };
    let of = |secret: &Value, key: &str| secret.get(key).cloned().unwrap_or_else(|| json!({}));
    let object = |secret: &Value| {
        json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": of(secret, "name"),
                "namespace": namespace,
                "labels": of(secret, "labels"),
                "annotations": of(secret, "annotations"),
            },
            "type": of(secret, "type"),
        })
    };
    secrets.iter().filter(is_access).map(object).collect()
}

/// The merge patch that gives a Secret with a token the labels and annotations of `wanted`; none where it has
/// them. It names no data, but for one: where there is a kubeconfig, gardener-resource-manager would write the
/// token into that, so it goes, as it does for Gardener's own code.
pub fn missing(live: &Value, wanted: &Value) -> Option<Value> {
    let mut metadata = Map::new();
    for part in ["labels", "annotations"] {
        let at = |object: &Value, key: &str| object.get("metadata")?.get(part)?.get(key).cloned();
        let all = wanted.get("metadata").and_then(|metadata| metadata.get(part)).and_then(Value::as_object);
        let all = all.into_iter().flatten();
        let missing: Map<String, Value> = all
            .filter(|(key, value)| at(live, key).as_ref() != Some(*value))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if !missing.is_empty() {
            metadata.insert(part.to_owned(), missing.into());
        }
    }
    let mut patch = Map::new();
    if !metadata.is_empty() {
        patch.insert("metadata".to_owned(), metadata.into());
    }
    if live.get("data").and_then(|data| data.get("kubeconfig")).is_some() {
        patch.insert("data".to_owned(), json!({ "kubeconfig": null }));
    }
    (!patch.is_empty()).then_some(Value::Object(patch))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Vec<Value> {
        let labels = json!({ "resources.gardener.cloud/class": "shoot", PURPOSE.0: PURPOSE.1 });
        let annotations = json!({ "serviceaccount.resources.gardener.cloud/name": "a" });
        vec![
            json!({ "name": "ca-*", "type": "Opaque", "labels": { "manager-identity": "m" } }),
            json!({ "name": "shoot-access-a", "type": "Opaque", "labels": labels, "annotations": annotations }),
        ]
    }

    #[test]
    fn a_secret_for_a_token_has_no_data() {
        let all = wanted(&kept(), "shoot--a--b");
        let [object] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(object["metadata"]["name"], "shoot-access-a");
        assert_eq!(object["metadata"]["namespace"], "shoot--a--b");
        assert_eq!(object["metadata"]["annotations"]["serviceaccount.resources.gardener.cloud/name"], "a");
        assert!(object.get("data").is_none());
    }

    #[test]
    fn what_is_missing_is_given_and_tokens_stay() {
        let wanted = wanted(&kept(), "n").remove(0);
        let mut live = wanted.clone();
        live["data"] = json!({ "token": "dG9rZW4=" });
        live["metadata"]["annotations"]["serviceaccount.resources.gardener.cloud/token-renew-timestamp"] =
            json!("t");
        assert_eq!(missing(&live, &wanted), None);
        live["metadata"]["labels"]["resources.gardener.cloud/class"] = json!("seed");
        let patch = json!({ "metadata": { "labels": { "resources.gardener.cloud/class": "shoot" } } });
        assert_eq!(missing(&live, &wanted), Some(patch));
        let bare =
            json!({ "metadata": { "name": "shoot-access-a" }, "data": { "token": "a", "kubeconfig": "b" } });
        let patch = missing(&bare, &wanted).unwrap();
        assert_eq!(patch["data"], json!({ "kubeconfig": null }), "the token is not named");
        assert_eq!(patch["metadata"]["labels"], wanted["metadata"]["labels"]);
    }
}
