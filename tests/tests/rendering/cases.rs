//! Recorded cases as requests.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};
pub use trellis_tests::control_planes::{live, render, request, secret};
use trellis_tests::vectors::control_planes;

/// Asks once, without answers to queries.
pub fn ask(request: &Value) -> Value {
    serde_json::from_str(&trellis_core::call("alicloud", "render", &request.to_string())).unwrap()
}

/// The recorded cases, read once.
pub fn cases() -> &'static [Value] {
    static CASES: LazyLock<Vec<Value>> = LazyLock::new(|| control_planes("alicloud"));
    &CASES
}

/// The cases that the existing extension renders.
pub fn rendered_cases() -> impl Iterator<Item = &'static Value> {
    cases().iter().filter(|case| case["out"]["panic"].is_null() && case["out"]["error"].is_null())
}

/// The objects of an answer, with the bundles that they are in.
pub fn objects(answer: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let resources: &Vec<Value> = answer["managedResources"].as_array().unwrap_or_else(|| panic!("{answer}"));
    resources.iter().flat_map(|resource| {
        let bundle = resource["secret"]["dataKey"].as_str().unwrap();
        resource["objects"].as_array().unwrap().iter().map(move |object| (bundle, object))
    })
}

/// A request that everything is known for: features, credentials in a file, and a route table of the Shoot's own.
pub fn base() -> Value {
    let gates = json!({ "IPv6DualStack": false, "ServiceLoadBalancer": true });
    let case = &cases()[0];
    let mut request = request(case);
    request["controlPlane"]["spec"]["providerConfig"]["cloudControllerManager"] = json!({ "featureGates": gates });
    request["controlPlane"]["spec"]["infrastructureProviderStatus"]["vpc"]["routeTableID"] = "vtb-1".into();
    request["cluster"]["shoot"]["spec"]["networking"]["pods"] = "100.96.0.0/11".into();
    request
}

/// The Secret of [`base`].
pub fn credentials() -> Value {
    secret(&json!({
        "accessKeyID": "LTAI-test", "accessKeySecret": "not-a-secret", "credentialsFile": "[default]\ntype = access_key\n",
    }))
}

/// What the clusters of [`base`] hold: the credentials alone.
pub fn holds_credentials(parameters: &Value) -> Option<Value> {
    (parameters["name"] == "cloudprovider").then(credentials)
}

/// The Shoots of the examples for Alibaba Cloud, by file.
pub fn example_shoots() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("examples");
    let mut shoots = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for document in text.split("\n---\n").filter(|document| document.contains("kind: Shoot\n")) {
            // Some examples have mistakes on purpose, none in their YAML.
            let object: Value =
                serde_saphyr::from_str(document).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if object["spec"]["provider"]["type"] == "alicloud" {
                shoots.push((path.file_name().unwrap().to_string_lossy().into_owned(), object));
            }
        }
    }
    shoots.sort_by(|one, other| one.0.cmp(&other.0));
    shoots
}

/// The request of a preview.
pub fn preview(shoot: &Value) -> Value {
    json!({ "what": "controlPlane", "cluster": { "shoot": shoot } })
}
