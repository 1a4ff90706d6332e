//! The cache of the extension resources of a kind: one watch for all controllers that work with them.

use std::sync::Arc;

use futures_util::StreamExt as _;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::reflector::{ObjectRef, Store, store::Writer};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::api_server::requests::watch_trouble;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::Kind;
use crate::health::{Check, Readiness};

/// Names an object.
pub type Key = ObjectRef<Extension>;

/// What happens to the objects of a kind.
#[derive(Clone, Debug)]
pub enum Change {
    /// An object is new, or another one than before. The cache has it already.
    Object {
        /// Names it.
        key: Key,
        /// The object before, where it was known.
        old: Option<Arc<Extension>>,
        /// The object as it is.
        new: Arc<Extension>,
    },
    /// An object is gone.
    Gone(Key),
    /// The cache has all objects.
    Filled,
}

/// The objects of a kind, for one controller.
pub struct Listener {
    /// The objects as they are.
    pub store: Store<Extension>,
    /// What happens to them, in the order in which it happens.
    pub changes: UnboundedReceiver<Change>,
}

/// The caches of all kinds that somebody listens to.
#[derive(Default)]
pub struct Caches(Vec<Cache>);

struct Cache {
    kind: &'static Kind,
    writer: Writer<Extension>,
    listeners: Vec<UnboundedSender<Change>>,
}

impl Caches {
    /// A further listener, who misses nothing once the watches run.
    pub fn listen(&mut self, kind: &'static Kind) -> Listener {
        if let Some(cache) = self.0.iter_mut().find(|cache| cache.kind.plural == kind.plural) {
            return cache.listen();
        }
        let mut cache = Cache { kind, writer: Writer::new(kind.resource()), listeners: Vec::new() };
        let listener = cache.listen();
        self.0.push(cache);
        listener
    }

    /// Watches all kinds, in tasks of the background.
    pub fn watch(self, client: &Client, readiness: &Readiness, background: &mut JoinSet<()>) {
        for cache in self.0 {
            let ready = readiness.condition(Check::Caches, cache.kind.plural);
            background.spawn(cache.watch(client.clone(), move || ready.set(true)));
        }
    }
}

impl Cache {
    fn listen(&mut self) -> Listener {
        let (sender, changes) = unbounded_channel();
        self.listeners.push(sender);
        Listener { store: self.writer.as_reader(), changes }
    }

    async fn watch(mut self, client: Client, ready: impl Fn() + Send) {
        let api: Api<Extension> = Api::all_with(client, &self.kind.resource());
        let events = watcher(api, watcher::Config::default()).default_backoff();
        let mut events = std::pin::pin!(events);
        // While all objects are listed, the cache still has the old ones.
        let mut listed = Vec::new();
        while let Some(event) = events.next().await {
            match event {
                Ok(event) => {
                    self.take(&event, &mut listed);
                    if matches!(event, Event::InitDone) {
                        ready();
                    }
                }
                Err(error) => tracing::warn!(
                    kind = self.kind.name,
                    "the watch failed, and starts again: {}",
                    watch_trouble(&error)
                ),
            }
        }
    }

    fn take(&mut self, event: &Event<Extension>, listed: &mut Vec<(Key, Option<Arc<Extension>>)>) {
        let store = self.writer.as_reader();
        match event {
            Event::Init => listed.clear(),
            Event::InitApply(object) | Event::Apply(object) => {
                let key = self.key(object);
                let old = store.get(&key).filter(|old| old.metadata.uid == object.metadata.uid);
                listed.push((key, old));
            }
            Event::InitDone | Event::Delete(_) => {}
        }
        self.writer.apply_watcher_event(event);
        if matches!(event, Event::InitDone | Event::Apply(_)) {
            for (key, old) in std::mem::take(listed) {
                if let Some(new) = store.get(&key) {
                    self.notify(&Change::Object { key, old, new });
                }
            }
        }
        match event {
            Event::InitDone => self.notify(&Change::Filled),
            Event::Delete(object) => self.notify(&Change::Gone(self.key(object))),
            _ => {}
        }
    }

    /// Sends a change to all who listen, and forgets those who do not listen any more.
    fn notify(&mut self, change: &Change) {
        self.listeners.retain(|listener| listener.send(change.clone()).is_ok());
    }

    fn key(&self, object: &Extension) -> Key {
        ObjectRef::from_obj_with(object, self.kind.resource())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::controller::runtime::kind::CONTROL_PLANE;

    fn object(name: &str, uid: &str, version: &str) -> Extension {
        let metadata = json!({ "name": name, "namespace": "s", "uid": uid, "resourceVersion": version });
        serde_json::from_value(json!({ "metadata": metadata })).unwrap()
    }

    /// What a listener hears of events, in short.
    fn reported(caches: &mut Caches, listener: &mut Listener, events: Vec<Event<Extension>>) -> Vec<String> {
        let mut listed = Vec::new();
        for event in events {
            caches.0[0].take(&event, &mut listed);
        }
        let version = |object: &Extension| object.metadata.resource_version.clone().unwrap();
        let mut reported = Vec::new();
        while let Ok(change) = listener.changes.try_recv() {
            reported.push(match change {
                Change::Object { old: None, new, .. } => format!("{} {}", new.name(), version(&new)),
                Change::Object { old: Some(old), new, .. } => {
                    format!("{} {} after {}", new.name(), version(&new), version(&old))
                }
                Change::Gone(key) => format!("{} gone", key.name),
                Change::Filled => "filled".to_owned(),
            });
        }
        reported
    }

    #[test]
    fn each_listener_hears_of_each_object_with_what_it_was_before() {
        let mut caches = Caches::default();
        let (mut one, mut two) = (caches.listen(&CONTROL_PLANE), caches.listen(&CONTROL_PLANE));
        assert_eq!(caches.0.len(), 1);
        let listed = vec![Event::Init, Event::InitApply(object("a", "u", "1")), Event::InitDone];
        assert_eq!(reported(&mut caches, &mut one, listed), ["a 1", "filled"]);
        assert_eq!(reported(&mut caches, &mut two, Vec::new()), ["a 1", "filled"]);
        drop(two);
        let later = vec![
            Event::Apply(object("a", "u", "2")),
            Event::Apply(object("b", "v", "3")),
            Event::Delete(object("b", "v", "4")),
            Event::Apply(object("a", "another", "5")),
        ];
        assert_eq!(reported(&mut caches, &mut one, later), ["a 2 after 1", "b 3", "b gone", "a 5"]);
        assert_eq!(caches.0[0].listeners.len(), 1, "who is gone is forgotten");
    }

    #[test]
    fn while_all_objects_are_listed_again_the_cache_has_the_old_ones() {
        let mut caches = Caches::default();
        let mut listener = caches.listen(&CONTROL_PLANE);
        let first = vec![
            Event::Init,
            Event::InitApply(object("a", "u", "1")),
            Event::InitApply(object("b", "v", "1")),
            Event::InitDone,
        ];
        reported(&mut caches, &mut listener, first);
        let again = vec![Event::Init, Event::InitApply(object("a", "u", "2"))];
        assert_eq!(reported(&mut caches, &mut listener, again).len(), 0);
        assert_eq!(listener.store.len(), 2);
        // The list breaks off, and starts again.
        let again = vec![Event::Init, Event::InitApply(object("a", "u", "3")), Event::InitDone];
        assert_eq!(reported(&mut caches, &mut listener, again), ["a 3 after 1", "filled"]);
        assert_eq!(listener.store.len(), 1);
    }
}
