//! The webhooks for objects of Shoots: each Shoot gets their registration by a ManagedResource (reference:
//! gardener-contract 3.1, 5.4).

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use serde_json::value::to_raw_value;

use crate::api_server::objects::{Objects, is_deleted, name};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MANAGED_RESOURCES, NAMESPACES};
use crate::controller::runtime::managed_resources::{REFERENCE, renew, text};
use trellis_policies::answer::{ManagedResource, ManifestSecret};
use trellis_policies::digest::Digest;

/// The ManagedResource with the webhooks for objects of a Shoot.
pub const NAME: &str = "extension-controlplane-shoot-webhooks";
/// The most namespaces that are brought to other webhooks at a time.
const MOST_AT_A_TIME: usize = 8;

/// The ManagedResource with objects that register webhooks; none where there are none.
pub fn rendered(registered: &[Value]) -> Option<Arc<ManagedResource>> {
    if registered.is_empty() {
        return None;
    }
    // Never fails, because the objects are values of JSON already.
    let objects: Vec<_> = registered.iter().filter_map(|object| to_raw_value(object).ok()).collect();
    let of = |text: &str| Digest::of(text.as_bytes()).to_string();
    let secret = format!("{NAME}-{:.8}", of(&of(&text(&objects))));
    let annotation = (format!("{REFERENCE}secret-{:.8}", of(&secret)), secret.clone());
    let secret = ManifestSecret {
        name: secret,
        data_key: "webhooks.yaml".to_owned(),
        labels: [("resources.gardener.cloud/garbage-collectable-reference".to_owned(), "true".to_owned())].into(),
        type_: "Opaque".to_owned(),
        immutable: true,
    };
    Some(Arc::new(ManagedResource::in_shoot(NAME, secret, annotation, objects)))
}

/// Brings the Shoots of a provider that have webhooks to these, all that can be, and returns the first error. A
/// Shoot without them gets them with its ControlPlane.
pub async fn renew_all(objects: &Objects, provider: &str, rendered: &ManagedResource) -> Result<(), WriteError> {
    let selector = format!("gardener.cloud/role=shoot,shoot.gardener.cloud/provider={provider}");
    let mut namespaces = objects.list(&NAMESPACES, "", &selector).await?;
    namespaces.retain(|namespace| !is_deleted(namespace));
    let renewed = stream::iter(namespaces)
        .map(|namespace| async move {
            match objects.get(&MANAGED_RESOURCES, name(&namespace), NAME).await? {
                Some(live) if !is_deleted(&live) => renew(objects, &live, rendered).await,
                _ => Ok(()),
            }
        })
        .buffer_unordered(MOST_AT_A_TIME);
    // What is wrong with one Shoot keeps no other from its webhooks.
    renewed.fold(Ok(()), |all, one| std::future::ready(all.and(one))).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api_server::resource::SECRETS;
    use crate::controller::runtime::testing::Server;

    fn webhooks(bundle: &str) -> Arc<ManagedResource> {
        rendered(&[json!({ "kind": "MutatingWebhookConfiguration", "webhooks": [{ "caBundle": bundle }] })])
            .unwrap()
    }

    fn namespace(name: &str) -> Value {
        let labels = json!({ "gardener.cloud/role": "shoot", "shoot.gardener.cloud/provider": "alicloud" });
        json!({ "metadata": { "name": name, "labels": labels } })
    }

    fn managed_resource(namespace: &str) -> Value {
        let secret = "extension-controlplane-shoot-webhooks-0";
        json!({
            "metadata": {
                "name": NAME, "namespace": namespace, "labels": { "other": "x" },
                "annotations": { "reference.resources.gardener.cloud/secret-0": secret },
            },
            "spec": { "secretRefs": [{ "name": secret }] },
        })
    }

    #[test]
    fn the_secret_is_named_after_what_it_holds() {
        let names = ["one", "two"].map(|bundle| webhooks(bundle).secret.clone().unwrap().name);
        assert_ne!(names[0], names[1]);
        let webhooks = webhooks("one");
        assert_eq!(webhooks.spec["secretRefs"], json!([{ "name": names[0] }]));
        let (key, value) = webhooks.annotations.first_key_value().unwrap();
        assert!(key.starts_with("reference.resources.gardener.cloud/secret-") && *value == names[0], "{key}");
        assert!(rendered(&[]).is_none());
    }

    #[tokio::test]
    async fn shoots_that_have_webhooks_get_others_and_no_other_shoot_gets_any() {
        let mut going = managed_resource("going");
        going["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        let mut ending = namespace("ending");
        ending["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        let server = Server::default();
        let server = ["with", "without", "going"]
            .into_iter()
            .fold(server, |server, name| server.with(&NAMESPACES, namespace(name)))
            .with(&NAMESPACES, ending)
            .with(&MANAGED_RESOURCES, managed_resource("with"))
            .with(
                &NAMESPACES,
                json!({ "metadata": { "name": "other", "labels": { "gardener.cloud/role": "shoot" } } }),
            )
            .with(&MANAGED_RESOURCES, managed_resource("ending"))
            .with(&MANAGED_RESOURCES, managed_resource("other"))
            .with(&MANAGED_RESOURCES, going.clone());
        let webhooks = webhooks("one");
        renew_all(&server.objects(), "alicloud", &webhooks).await.unwrap();
        let secret = webhooks.secret.clone().unwrap().name;
        let live = server.object(&MANAGED_RESOURCES, "with", NAME).unwrap();
        assert_eq!(live["spec"]["secretRefs"], json!([{ "name": secret }]));
        assert_eq!(live["metadata"]["annotations"], json!(webhooks.annotations), "the reference before is gone");
        assert_eq!(live["metadata"]["labels"], json!({ "other": "x" }));
        assert!(server.object(&SECRETS, "with", &secret).is_some());
        for namespace in ["without", "ending", "going", "other"] {
            assert!(server.object(&SECRETS, namespace, &secret).is_none(), "{namespace}");
        }
        assert!(server.object(&MANAGED_RESOURCES, "without", NAME).is_none());
        server.requests();
        renew_all(&server.objects(), "alicloud", &webhooks).await.unwrap();
        let again = server.requests();
        assert!(
            again.iter().all(|request| request.starts_with("GET") || request.starts_with("LIST")),
            "{again:?}"
        );
    }

    #[tokio::test]
    async fn what_is_wrong_with_one_shoot_keeps_no_other_from_its_webhooks() {
        let names = ["one", "two", "three"];
        let server = names.into_iter().fold(Server::default(), |server, name| {
            server.with(&NAMESPACES, namespace(name)).with(&MANAGED_RESOURCES, managed_resource(name))
        });
        let server = server.failing(0, 403);
        renew_all(&server.objects(), "alicloud", &webhooks("one")).await.unwrap_err();
        let secret = webhooks("one").secret.clone().unwrap().name;
        let renewed = names.iter().filter(|namespace| {
            let live = server.object(&MANAGED_RESOURCES, namespace, NAME).unwrap();
            live["spec"]["secretRefs"] == json!([{ "name": secret }])
        });
        assert_eq!(renewed.count(), 2);
    }
}
