//! What wakes objects that have not changed themselves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream::{self, Stream};
use tokio::sync::mpsc;

use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::{ClusterNeed, Kind, Machines, Metadata};

/// An object has changed that others depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The Cluster of this name.
    Cluster(String),
    /// The Secret of this namespace and name.
    Secret(String, String),
    /// The namespace of this name, of the Shoot with this UID.
    Namespace(String, String),
    /// A machine of the Worker of this namespace and name, whose nodes are updated in place.
    Machine(String, String),
}

impl Wake {
    /// Whether an object depends on what changed.
    pub fn concerns(&self, object: &Extension) -> bool {
        match self {
            Self::Cluster(name) => object.namespace() == name,
            Self::Secret(namespace, name) => {
                object.secret.as_ref().is_some_and(|secret| (&secret.0, &secret.1) == (namespace, name))
            }
            Self::Machine(namespace, worker) => {
                object.is_updated_by_hand && (object.namespace(), object.name()) == (namespace, worker)
            }
            Self::Namespace(name, uid) => {
                let entry = object.name();
                let entry = entry.strip_prefix("source-").unwrap_or(entry);
                entry.rsplit_once("--") == Some((name, uid))
            }
        }
    }

    /// Whether objects of a kind depend on such changes.
    pub fn is_for(&self, kind: &Kind) -> bool {
        let rules = &kind.rules;
        match self {
            Self::Cluster(_) => rules.cluster != ClusterNeed::Never,
            Self::Secret(..) => rules.woken_by.contains(&Metadata::Secrets),
            Self::Namespace(..) => rules.woken_by.contains(&Metadata::Namespaces),
            Self::Machine(..) => rules.machines == Machines::Watched,
        }
    }

    /// Whether it asks for a reconcile, whatever else does, because nobody else knows of the change.
    pub fn asks(&self) -> bool {
        matches!(self, Self::Machine(..))
    }
}

/// Reports such changes. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Wakes(Arc<Mutex<Vec<mpsc::UnboundedSender<Wake>>>>);

impl Wakes {
    /// What changes from now on.
    pub fn subscribe(&self) -> impl Stream<Item = Wake> + Send + use<> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.lock().push(sender);
        stream::unfold(receiver, async |mut receiver: mpsc::UnboundedReceiver<Wake>| {
            receiver.recv().await.map(|wake| (wake, receiver))
        })
    }

    /// Sends it to all who listen, and forgets those who do not listen any more.
    pub fn notify(&self, wake: &Wake) {
        self.lock().retain(|sender| sender.send(wake.clone()).is_ok());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<mpsc::UnboundedSender<Wake>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::controller::runtime::kind::{
        BACKUP_BUCKET, BACKUP_ENTRY, BASTION, DNS_RECORD, INFRASTRUCTURE, WORKER,
    };

    fn object(metadata: &Value, spec: &Value) -> Extension {
        serde_json::from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn a_change_concerns_the_objects_that_depend_on_it() {
        let [cluster, secret, namespace, _] = wakes();
        let of_secret = |name: &str| json!({ "secretRef": { "namespace": "garden", "name": name } });
        for (metadata, spec, concerned) in [
            (json!({ "name": "a", "namespace": "shoot--a--b" }), json!({}), [true, false, false]),
            (json!({ "name": "a", "namespace": "garden" }), json!({}), [false; 3]),
            (json!({ "name": "one" }), of_secret("s"), [false, true, false]),
            (json!({ "name": "two" }), of_secret("s"), [false, true, false]),
            (json!({ "name": "two" }), of_secret("another"), [false; 3]),
            (json!({ "name": "two" }), json!({ "secretRef": { "name": "s" } }), [false; 3]),
            (json!({ "name": "shoot--a--b--u" }), json!({}), [false, false, true]),
            (json!({ "name": "source-shoot--a--b--u" }), of_secret("s"), [false, true, true]),
            (json!({ "name": "shoot--a--b--another" }), json!({}), [false; 3]),
            (json!({ "name": "shoot--a--b" }), json!({}), [false; 3]),
        ] {
            let object = object(&metadata, &spec);
            assert_eq!(
                [&cluster, &secret, &namespace].map(|wake| wake.concerns(&object)),
                concerned,
                "{metadata}"
            );
        }
    }

    #[test]
    fn a_machine_concerns_its_worker_where_a_person_starts_updates() {
        let [.., machine] = wakes();
        let pools =
            |strategy: &str| json!({ "pools": [{ "name": "a" }, { "name": "b", "updateStrategy": strategy }] });
        for (namespace, name, strategy, is_concerned) in [
            ("shoot--a--b", "w", "ManualInPlaceUpdate", true),
            ("shoot--a--b", "w", "AutoInPlaceUpdate", false),
            ("shoot--a--b", "w", "AutoRollingUpdate", false),
            ("shoot--a--b", "another", "ManualInPlaceUpdate", false),
            ("shoot--a--c", "w", "ManualInPlaceUpdate", false),
        ] {
            let object = object(&json!({ "name": name, "namespace": namespace }), &pools(strategy));
            assert_eq!(machine.concerns(&object), is_concerned, "{namespace} {name} {strategy}");
        }
    }

    #[test]
    fn kinds_say_what_wakes_their_objects() {
        for (kind, is_woken) in [
            (&INFRASTRUCTURE, [true, false, false, false]),
            (&BACKUP_BUCKET, [false, true, false, false]),
            (&BACKUP_ENTRY, [false, true, true, false]),
            (&BASTION, [true, false, false, false]),
            (&DNS_RECORD, [true, false, false, false]),
            (&WORKER, [true, false, false, true]),
        ] {
            assert_eq!(wakes().map(|wake| wake.is_for(kind)), is_woken, "{}", kind.name);
        }
    }

    fn wakes() -> [Wake; 4] {
        let [shoot, garden, secret, uid, worker] = ["shoot--a--b", "garden", "s", "u", "w"].map(str::to_owned);
        let (cluster, machine) = (Wake::Cluster(shoot.clone()), Wake::Machine(shoot.clone(), worker));
        [cluster, Wake::Secret(garden, secret), Wake::Namespace(shoot, uid), machine]
    }
}
