//! Control planes of recorded cases: requests of `render`, and what the clusters hold.

use serde_json::{Map, Value, json};

use crate::asking::asked;

/// Asks the policy until it asks nothing more; `live` are objects that the clusters hold. The answers, with their
/// requests.
pub fn requests(request: &Value, live: &dyn Fn(&Value) -> Option<Value>) -> Vec<(String, Value)> {
    asked("render", request, live)
}

/// The last answer of [`requests`].
pub fn render(request: &Value, live: &dyn Fn(&Value) -> Option<Value>) -> Value {
    requests(request, live).pop().map(|(_, answer)| answer).unwrap_or_default()
}

/// The request of a recorded case.
pub fn request(case: &Value) -> Value {
    let input = &case["in"];
    let cluster = &input["cluster"];
    let mut request = json!({
        "what": "controlPlane",
        "controlPlane": input["controlPlane"],
        "cluster": {
            "metadata": cluster["metadata"],
            "cloudProfile": cluster["spec"]["cloudProfile"],
            "seed": cluster["spec"]["seed"],
            "shoot": cluster["spec"]["shoot"],
        },
    });
    if !input["csi"].is_null() {
        request["configuration"] = json!({ "csi": input["csi"] });
    }
    request
}

/// What the seed of a recorded case holds.
pub fn live(case: &Value) -> impl Fn(&Value) -> Option<Value> + use<'_> {
    |parameters| {
        let input = &case["in"];
        match (parameters["kind"].as_str()?, parameters["name"].as_str()?) {
            ("Secret", "cloudprovider") => Some(secret(&input["cloudprovider"])),
            ("Deployment", "kube-apiserver") => {
                let replicas = input.get("kubeAPIServerReplicas")?;
                Some(json!({ "spec": { "replicas": replicas } }))
            }
            _ => None,
        }
    }
}

/// A Secret with these values.
pub fn secret(values: &Value) -> Value {
    let encode = |text: &Value| trellis_core::text::base64::encode(text.as_str().unwrap_or_default().as_bytes());
    let values = values.as_object().cloned().unwrap_or_default();
    let data: Map<String, Value> = values.iter().map(|(key, text)| (key.clone(), encode(text).into())).collect();
    if data.is_empty() { json!({}) } else { json!({ "data": data }) }
}
