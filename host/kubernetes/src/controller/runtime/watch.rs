//! Watches that wake what depends on their objects.

use std::collections::HashMap;
use std::fmt::Debug;

use futures_util::StreamExt as _;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Resource};
use serde::de::DeserializeOwned;

use crate::api_server::requests::watch_trouble;
use crate::controller::runtime::wake::{Wake, Wakes};

/// Watches objects. `kept` is what is kept of one, and `wake` says what one wakes that is new or has changed: it gets what was
/// kept before, where the object was known. Those that are there at first wake nobody, because every object of the controllers
/// is looked at then anyway.
pub(super) async fn watch<K, S>(
    api: Api<K>,
    config: watcher::Config,
    wakes: Wakes,
    kept: impl Fn(&K) -> S + Send,
    wake: impl Fn(Option<&S>, &K) -> Option<Wake> + Send,
) where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + 'static,
    S: Send,
{
    let events = watcher(api, config).default_backoff();
    let mut events = std::pin::pin!(events);
    let notify = |before: Option<&S>, object: &K| wake(before, object).iter().for_each(|wake| wakes.notify(wake));
    // Of objects that are listed again most have not changed.
    let (mut known, mut listed) = (HashMap::new(), HashMap::new());
    let mut is_filled = false;
    while let Some(event) = events.next().await {
        match event {
            Ok(Event::Init) => listed.clear(),
            Ok(Event::InitApply(object)) => {
                let name = name(&object);
                if is_filled {
                    notify(known.get(&name), &object);
                }
                listed.insert(name, kept(&object));
            }
            Ok(Event::InitDone) => {
                known = std::mem::take(&mut listed);
                is_filled = true;
            }
            Ok(Event::Apply(object)) => {
                let before = known.insert(name(&object), kept(&object));
                notify(before.as_ref(), &object);
            }
            Ok(Event::Delete(object)) => _ = known.remove(&name(&object)),
            Err(error) => {
                tracing::warn!(kind = %K::kind(&()), "the watch failed, and starts again: {}", watch_trouble(&error));
            }
        }
    }
}

/// Namespace and name of an object.
fn name<K: Resource>(object: &K) -> (Option<String>, Option<String>) {
    (object.meta().namespace.clone(), object.meta().name.clone())
}

#[cfg(test)]
pub(super) mod testing;
