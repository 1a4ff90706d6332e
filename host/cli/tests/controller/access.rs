//! The access of the program: the objects of a folder of `charts-templates`, or those of the charts of the existing
//! extension, a ServiceAccount, and a token of it.

use std::path::Path;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use kube::api::PostParams;
use serde_json::{Value, json};

use crate::seed::Seed;

/// The name of the ServiceAccount.
const ACCOUNT: &str = "trellis";

/// A manifest of this repository. A Role without a namespace is one of this namespace.
fn manifest(name: &str, namespace: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let mut manifest: Value = serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    if manifest["kind"] == "Role" && manifest["metadata"]["namespace"].is_null() {
        manifest["metadata"]["namespace"] = namespace.into();
    }
    manifest
}

/// Gives a role to the account of a namespace.
fn binding(of: &Value, namespace: &str) -> Value {
    let kind = of["kind"].as_str().unwrap();
    let mut binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": format!("{kind}Binding"),
        "metadata": { "name": of["metadata"]["name"] },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": of["metadata"]["name"] },
        "subjects": [{ "kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace }],
    });
    if kind == "Role" {
        binding["metadata"]["namespace"] = of["metadata"]["namespace"].clone();
    }
    binding
}

/// What `trellis run` may do in a seed.
pub const SEED: &[&str] = &["charts-templates/run/clusterrole.yaml", "charts-templates/run/role.yaml"];
/// What it may do in a garden.
pub const GARDEN: &[&str] = &["charts-templates/run-garden/clusterrole.yaml", "charts-templates/run/role.yaml"];
/// What it may do in a garden, where it is to see that a Secret changes.
pub const WATCHED_GARDEN: &[&str] = &[
    "charts-templates/run-garden/clusterrole.yaml",
    "charts-templates/run-garden/clusterrole-watch.yaml",
    "charts-templates/run/role.yaml",
];
/// What `trellis admission` may do in a garden in which it runs too, and which has the namespace
/// `gardener-system-public`.
pub const ADMISSION: &[&str] = &[
    "charts-templates/admission/clusterrole.yaml",
    "charts-templates/admission/role.yaml",
    "charts-templates/admission/runtime.yaml",
];
/// What the charts of the existing extension allow it: in a seed, in the cluster of a garden, and its admission.
pub mod existing {
    pub const SEED: &[&str] = &["host/cli/tests/support/existing_rights/provider.yaml"];
    pub const GARDEN: &[&str] = &["host/cli/tests/support/existing_rights/provider-runtime.yaml"];
    pub const ADMISSION: &[&str] = &[
        "host/cli/tests/support/existing_rights/admission.yaml",
        "host/cli/tests/support/existing_rights/admission-runtime.yaml",
    ];
}

/// Lets the account of a namespace have its Leases in another one: a second process of the program has its own there.
pub async fn lease_elsewhere(seed: &Seed, account: &str, namespace: &str) {
    seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } })).await;
    let role = manifest("charts-templates/run/role.yaml", namespace);
    seed.apply(&role).await;
    seed.apply(&binding(&role, account)).await;
}

/// Makes the namespace of the program with its account and roles, and nothing more. Answers with a token for an
/// hour.
pub async fn give(seed: &Seed, namespace: &str, manifests: &[&str]) -> String {
    seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } })).await;
    seed.apply(&json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": ACCOUNT, "namespace": namespace },
    }))
    .await;
    for name in manifests {
        let role = manifest(name, namespace);
        seed.apply(&role).await;
        seed.apply(&binding(&role, namespace)).await;
    }
    let accounts: Api<ServiceAccount> = Api::namespaced(seed.client.clone(), namespace);
    let request = TokenRequest {
        spec: TokenRequestSpec { expiration_seconds: Some(3600), ..TokenRequestSpec::default() },
        ..TokenRequest::default()
    };
    let made: TokenRequest =
        accounts.create_subresource("token", ACCOUNT, &PostParams::default(), &request).await.unwrap();
    made.status.unwrap().token
}
