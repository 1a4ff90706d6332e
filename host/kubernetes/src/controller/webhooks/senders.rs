//! Which Shoot a review comes from (reference: gardener-contract 5.3).

use std::net::IpAddr;

use serde_json::Value;

use crate::api_server::objects::{Objects, namespace};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::PODS;

/// The labels of the pods of the API servers of Shoots.
const API_SERVERS: &str = "app=kubernetes,role=apiserver";

/// The namespace of the Shoot whose API server has an address; none where no API server has it.
pub async fn namespace_of(objects: &Objects, sender: IpAddr) -> Result<Option<String>, WriteError> {
    let pods = objects.list(&PODS, "", API_SERVERS).await?;
    let found = pods.iter().find(|pod| has_address(pod, sender.to_canonical()));
    Ok(found.map(|pod| namespace(pod).to_owned()))
}

fn has_address(pod: &Value, address: IpAddr) -> bool {
    let all = pod.pointer("/status/podIPs").and_then(Value::as_array).into_iter().flatten();
    let all = all.filter_map(|one| one.get("ip")).chain(pod.pointer("/status/podIP"));
    all.filter_map(Value::as_str).any(|ip| ip.parse() == Ok(address))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::controller::runtime::testing::Server;

    #[tokio::test]
    async fn a_shoot_is_known_by_the_address_of_its_api_server() {
        let pod = |namespace: &str, status: Value| {
            json!({
                "metadata": {
                    "name": "kube-apiserver", "namespace": namespace,
                    "labels": { "app": "kubernetes", "role": "apiserver" },
                },
                "status": status,
            })
        };
        let other = json!({
            "metadata": { "name": "other", "namespace": "other", "labels": { "app": "kubernetes" } },
            "status": { "podIP": "10.0.0.9" },
        });
        let server = Server::default()
            .with(&PODS, pod("one", json!({ "podIP": "10.0.0.1" })))
            .with(
                &PODS,
                pod("two", json!({ "podIP": "10.0.0.2", "podIPs": [{ "ip": "10.0.0.2" }, { "ip": "fd00::2" }] })),
            )
            .with(&PODS, pod("three", json!({})))
            .with(&PODS, other);
        for (sender, namespace) in [
            ("10.0.0.1", Some("one")),
            ("::ffff:10.0.0.2", Some("two")),
            ("fd00::2", Some("two")),
            ("10.0.0.3", None),
            ("10.0.0.9", None),
        ] {
            let found = namespace_of(&server.objects(), sender.parse().unwrap()).await.unwrap();
            assert_eq!(found.as_deref(), namespace, "{sender}");
        }
    }
}
