//! The access of the program: the objects of a folder of `charts-templates`, a ServiceAccount, and a token of it.

use std::path::Path;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use kube::api::PostParams;
use serde_json::{Value, json};

use crate::seed::Seed;

/// The name of the ServiceAccount.
const ACCOUNT: &str = "trellis";

/// A manifest of `charts-templates`. A Role without a namespace is one of this namespace.
fn manifest(name: &str, namespace: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../charts-templates").join(name);
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
pub const SEED: &[&str] = &["run/clusterrole.yaml", "run/role.yaml"];
/// What it may do in a garden.
pub const GARDEN: &[&str] = &["run-garden/clusterrole.yaml", "run/role.yaml"];
/// What it may do in a garden, where it is to see that a Secret changes.
pub const WATCHED_GARDEN: &[&str] =
    &["run-garden/clusterrole.yaml", "run-garden/clusterrole-watch.yaml", "run/role.yaml"];

/// Lets the account of a namespace have its Leases in another one: a second process of the program has its own there.
pub async fn lease_elsewhere(seed: &Seed, account: &str, namespace: &str) {
    seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } })).await;
    let role = manifest("run/role.yaml", namespace);
    seed.apply(&role).await;
    seed.apply(&binding(&role, account)).await;
}

/// The access of `trellis admission` in a garden that has the namespace `gardener-system-public`.
pub async fn install_admission(garden: &Seed, namespace: &str) -> String {
    let manifests = ["clusterrole.yaml", "role.yaml", "runtime.yaml"].map(|name| format!("admission/{name}"));
    give(garden, namespace, &manifests).await
}

/// Makes the namespace of the program with its account and roles, and nothing more. Answers with a token for an
/// hour.
pub async fn give(seed: &Seed, namespace: &str, manifests: &[impl AsRef<str>]) -> String {
    seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } })).await;
    seed.apply(&json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": ACCOUNT, "namespace": namespace },
    }))
    .await;
    for name in manifests {
        let role = manifest(name.as_ref(), namespace);
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
