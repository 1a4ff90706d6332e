//! A ControlPlane of which nothing has changed is not computed again, and any change is seen.

use super::*;

type Change = (&'static str, fn(&mut Landscape));

/// Everything that a step reads, changed by somebody else.
const CHANGES: [Change; 16] = [
    ("the specification", |landscape| landscape.object["metadata"]["generation"] = json!(2)),
    ("a label", |landscape| landscape.object["metadata"]["labels"] = json!({ "x": "1" })),
    ("an annotation", |landscape| landscape.object["metadata"]["annotations"] = json!({ "x": "1" })),
    ("the status", |landscape| landscape.object["status"] = json!({ "providerStatus": {} })),
    ("another object of its name", |landscape| landscape.object["metadata"]["uid"] = json!("v")),
    ("the Shoot", |landscape| landscape.shoot["spec"] = json!({ "hibernation": { "enabled": true } })),
    ("the credentials", |landscape| landscape.touch(&SECRETS, "cloudprovider")),
    ("kube-apiserver", |landscape| landscape.touch(&DEPLOYMENTS, "kube-apiserver")),
    ("a Secret for a token", |landscape| landscape.touch(&SECRETS, "shoot-access-a")),
    ("the Secret with manifests", |landscape| landscape.touch(&SECRETS, "extension-controlplane-seed-1")),
    ("a certificate", |landscape| {
        let authority = landscape.authority();
        landscape.touch(&SECRETS, &authority);
    }),
    ("a further certificate", |landscape| {
        let mut other = landscape.server.object(&SECRETS, NAMESPACE, &landscape.authority()).unwrap();
        other["metadata"]["name"] = json!("ca-provider-old");
        landscape.put(&SECRETS, other);
    }),
    ("the ManagedResource", |landscape| landscape.touch(&MANAGED_RESOURCES, SEED)),
    ("the webhooks' ManagedResource", |landscape| landscape.touch(&MANAGED_RESOURCES, SHOOT_WEBHOOKS)),
    ("a further ManagedResource", |landscape| {
        landscape.put(
            &MANAGED_RESOURCES,
            json!({ "metadata": { "name": "extension-controlplane-x", "namespace": NAMESPACE } }),
        );
    }),
    ("the policy", |landscape| {
        drop(landscape.control_planes.asking.policies.swap(engine(&landscape.policy)));
    }),
];

impl Landscape {
    fn put(&self, of: &crate::api_server::resource::Resource, object: Value) {
        drop(self.server.clone().with(of, object));
    }

    /// Somebody writes an object.
    fn touch(&self, of: &crate::api_server::resource::Resource, name: &str) {
        self.put(of, self.server.object(of, NAMESPACE, name).unwrap());
    }

    /// A reconcile lists versions, and nothing else.
    async fn glances(&self) {
        let mut requests = self.reconcile().await;
        requests.sort();
        assert_eq!(requests, ["GET deployments/kube-apiserver", "LIST managedresources", "LIST secrets"]);
    }

    /// The name of the Secret with the authority.
    fn authority(&self) -> String {
        let known = self.control_planes.memory.of(NAMESPACE);
        known.names["ca-provider"].clone()
    }
}

/// A ControlPlane after steps that made everything, and one that saw it.
async fn settled() -> (Landscape, Publisher) {
    let (publisher, webhooks) = published();
    let landscape = Landscape::new(Server::default(), Some(webhooks));
    landscape.act(Operation::Create).await;
    landscape.apply_webhooks();
    landscape.reconcile().await;
    landscape.reconcile().await;
    landscape.glances().await;
    (landscape, publisher)
}

#[tokio::test]
async fn of_a_control_plane_of_which_nothing_changed_the_versions_alone_are_read() {
    let (mut landscape, _publisher) = settled().await;
    let calls = landscape.calls();
    for time in ["1", "2", "3"] {
        // What passes, and others' objects.
        landscape.object["metadata"]["annotations"] = json!({ "gardener.cloud/timestamp": time });
        landscape.object["status"] =
            json!({ "conditions": [{ "type": time }], "lastOperation": { "progress": 1 } });
        landscape.shoot["status"] = json!({ "lastOperation": { "description": time } });
        for of in [&SECRETS, &MANAGED_RESOURCES] {
            landscape.put(of, json!({ "metadata": { "name": "of-somebody-else", "namespace": NAMESPACE } }));
        }
        landscape.glances().await;
    }
    assert_eq!(landscape.calls(), calls);
}

#[tokio::test]
async fn whatever_somebody_changes_is_looked_at() {
    for (what, change) in CHANGES {
        let (mut landscape, _publisher) = settled().await;
        let calls = landscape.calls();
        change(&mut landscape);
        landscape.act(Operation::Reconcile).await;
        assert!(landscape.calls() > calls, "{what}");
    }
    for operation in [Operation::Create, Operation::Restore] {
        let (landscape, _publisher) = settled().await;
        let calls = landscape.calls();
        landscape.act(operation).await;
        assert!(landscape.calls() > calls, "{operation:?}");
    }
}

#[tokio::test]
async fn a_policy_that_is_swapped_while_it_is_asked_is_not_taken_for_the_one_that_answered() {
    let (landscape, _publisher) = settled().await;
    let policies = Arc::clone(&landscape.control_planes.asking.policies);
    let (renderer, others) = (Arc::clone(&landscape.policy), Arc::clone(&policies));
    let swapping = move |request: &str| {
        drop(others.swap(engine(&renderer)));
        renderer.render(request)
    };
    drop(policies.swap(Arc::new(policy_answering(swapping))));
    landscape.reconcile().await;
    let calls = landscape.calls();
    landscape.reconcile().await;
    assert_eq!(landscape.calls(), calls + 1);
    landscape.glances().await;
}

#[tokio::test]
async fn what_somebody_deletes_is_made_again() {
    for (of, name) in
        [(&SECRETS, "shoot-access-a"), (&SECRETS, "extension-controlplane-seed-1"), (&MANAGED_RESOURCES, SEED)]
    {
        let (landscape, _publisher) = settled().await;
        landscape.server.objects().delete_named(of, NAMESPACE, name).await.unwrap();
        landscape.reconcile().await;
        assert!(landscape.server.object(of, NAMESPACE, name).is_some(), "{name}");
    }
}

#[tokio::test]
async fn other_webhooks_are_delivered() {
    let (landscape, publisher) = settled().await;
    publisher
        .send_replace(rendered(&[json!({ "kind": "MutatingWebhookConfiguration", "webhooks": [] })]).unwrap());
    let (ended, _) = landscape.act(Operation::Reconcile).await;
    assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_due_by_time_is_looked_at_once_a_day() {
    let (landscape, _publisher) = settled().await;
    let calls = landscape.calls();
    tokio::time::advance(Duration::from_hours(23)).await;
    landscape.reconcile().await;
    assert_eq!(landscape.calls(), calls);
    tokio::time::advance(Duration::from_hours(1)).await;
    landscape.reconcile().await;
    assert_eq!(landscape.calls(), calls + 1);
    landscape.glances().await;
}
