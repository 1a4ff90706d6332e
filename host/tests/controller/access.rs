//! The access of the program: the objects of `charts-templates/run`, a ServiceAccount, and a token of it.

use std::path::Path;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use kube::api::PostParams;
use serde_json::{Value, json};

use crate::seed::Seed;

/// The name of the ServiceAccount.
const ACCOUNT: &str = "trellis";

/// A manifest of `charts-templates/run`.
fn manifest(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../charts-templates/run").join(name);
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn binding(kind: &str, of: &Value, namespace: &str) -> Value {
    let mut binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": format!("{kind}Binding"),
        "metadata": { "name": of["metadata"]["name"] },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": of["metadata"]["name"] },
        "subjects": [{ "kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace }],
    });
    if kind == "Role" {
        binding["metadata"]["namespace"] = namespace.into();
    }
    binding
}

/// Makes the namespace of the program with its account and roles, and nothing more. Answers with a token for an hour.
pub async fn install(seed: &Seed, namespace: &str) -> String {
    seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } })).await;
    seed.apply(&json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": ACCOUNT, "namespace": namespace },
    }))
    .await;
    let everywhere = manifest("clusterrole.yaml");
    let mut here = manifest("role.yaml");
    here["metadata"]["namespace"] = namespace.into();
    for object in [&everywhere, &here] {
        seed.apply(object).await;
    }
    seed.apply(&binding("ClusterRole", &everywhere, namespace)).await;
    seed.apply(&binding("Role", &here, namespace)).await;
    let accounts: Api<ServiceAccount> = Api::namespaced(seed.client.clone(), namespace);
    let request = TokenRequest {
        spec: TokenRequestSpec { expiration_seconds: Some(3600), ..TokenRequestSpec::default() },
        ..TokenRequest::default()
    };
    let made: TokenRequest =
        accounts.create_subresource("token", ACCOUNT, &PostParams::default(), &request).await.unwrap();
    made.status.unwrap().token
}
