//! The loop of a controller: events of objects become reconciles, one at a time for each object.

use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::FutureExt as _;
use futures_util::stream::{self, Stream, StreamExt as _};
use kube::core::ApiResource;
use kube::runtime::controller::{Action, Config, ReconcileRequest, applier};
use kube::runtime::reflector::{ObjectRef, Store};
use kube::runtime::watcher::{self, Event, watcher};
use kube::runtime::{WatchStreamExt as _, reflector};
use kube::{Api, Client};
use tracing::Instrument as _;

use super::extension::Extension;
use super::metrics::{ControllerMetrics, Outcome as Counted};
use super::reconcile::Outcome;
use super::trigger::Filter;
use crate::engine::words;
use crate::plan::stop::{Stop, StopSignal};

/// The wait before an operation that failed is tried again. It doubles from time to time, up to [`LONGEST`].
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(1000);
/// The wait for the cache, where the controller itself has seen a newer version of an object.
const BEHIND: Duration = Duration::from_millis(100);
/// The wait before a plan that is held back is looked at again: the Shoot may have another annotation by then.
const HELD: Duration = Duration::from_mins(10);

/// A controller of one kind.
pub struct Controller {
    /// Its client.
    pub client: Client,
    /// The API of its objects.
    pub resource: ApiResource,
    /// Which objects it reconciles, and when.
    pub filter: Filter,
    /// The most reconciles at a time.
    pub concurrency: u16,
    /// Counts them.
    pub metrics: ControllerMetrics,
    /// Asks for an end: no further reconcile begins.
    pub stop: StopSignal,
}

/// A reconcile of an object, and the newest version of the object that the reconcile saw.
pub type Ran = (Outcome, Option<u64>);

/// What a controller remembers of objects.
#[derive(Default)]
struct Memory(Mutex<HashMap<Key, Remembered>>);

#[derive(Clone, Copy, Default)]
struct Remembered {
    /// How often the object failed, one time after the other.
    failures: u32,
    /// The newest version of the object that a reconcile saw.
    newest: u64,
}

type Key = ObjectRef<Extension>;
type Context = (Arc<Memory>, ControllerMetrics, ApiResource);

impl Controller {
    /// Runs until it is stopped, and reconciles that go on have ended. `ready` is told once all objects are known. `more` are
    /// further reasons to reconcile the objects of a namespace.
    pub async fn run<R, F>(
        self,
        reconcile: R,
        more: impl Stream<Item = String> + Send + 'static,
        ready: impl Fn(bool) + Send + 'static,
    ) where
        R: Fn(Arc<Extension>) -> F + Send + 'static,
        F: Future<Output = Ran> + Send + 'static,
    {
        let writer = reflector::store::Writer::new(self.resource.clone());
        let store = writer.as_reader();
        let memory = Arc::<Memory>::default();
        let own = self.requests(writer, store.clone(), Arc::clone(&memory), ready);
        let queue = stream::select(own, others(more, store.clone(), self.filter.clone(), self.resource.clone()));
        let metrics = self.metrics.clone();
        let queue = queue.map(move |key: Key| {
            metrics.added(key.to_string());
            Ok::<_, Infallible>(ReconcileRequest::from(key))
        });
        let stop = self.stop.clone();
        let queue = queue.take_until(async move { stop.asked(Stop::Gracefully).await });
        let context = Arc::new((memory, self.metrics.clone(), self.resource.clone()));
        let applied = applier(
            move |object: Arc<Extension>, context: Arc<Context>| {
                if context.0.is_behind(&ObjectRef::from_obj_with(&*object, context.2.clone()), &object) {
                    return std::future::ready(Ok(Action::requeue(BEHIND))).boxed();
                }
                attempt(reconcile(Arc::clone(&object)), object, context).boxed()
            },
            // Never called: an outcome is a value.
            |_, _: &Infallible, _| Action::await_change(),
            context,
            store,
            Box::pin(queue),
            Config::default().concurrency(self.concurrency),
        );
        applied
            .for_each(|result| {
                if let Err(error) = result {
                    tracing::debug!(%error, "an object is gone before its reconcile");
                }
                std::future::ready(())
            })
            .await;
    }

    /// The objects with which there is something to do.
    fn requests(
        &self,
        mut writer: reflector::store::Writer<Extension>,
        store: Store<Extension>,
        memory: Arc<Memory>,
        ready: impl Fn(bool) + Send + 'static,
    ) -> impl Stream<Item = Key> + Send + 'static {
        let api: Api<Extension> = Api::all_with(self.client.clone(), &self.resource);
        let (filter, resource, metrics) = (self.filter.clone(), self.resource.clone(), self.metrics.clone());
        let events = watcher(api, watcher::Config::default()).default_backoff();
        events.filter_map(move |event| {
            let admitted = match event {
                Ok(event) => {
                    let admitted = admitted(&event, &store, &filter, &resource);
                    if let Event::Delete(object) = &event {
                        let key = ObjectRef::from_obj_with(object, resource.clone());
                        memory.forget(&key);
                        metrics.dropped(key.to_string());
                    }
                    writer.apply_watcher_event(&event);
                    if matches!(event, Event::InitDone) {
                        ready(true);
                    }
                    admitted
                }
                Err(error) => {
                    tracing::warn!(%error, kind = resource.kind, "the watch failed, and starts again");
                    None
                }
            };
            std::future::ready(admitted)
        })
    }
}

/// The object of an event, where the event gives something to do.
fn admitted(
    event: &Event<Extension>,
    store: &Store<Extension>,
    filter: &Filter,
    resource: &ApiResource,
) -> Option<Key> {
    let (Event::Apply(new) | Event::InitApply(new)) = event else { return None };
    let key = ObjectRef::from_obj_with(new, resource.clone());
    let old = store.get(&key).filter(|old| old.metadata.uid == new.metadata.uid);
    filter.admits(old.as_deref(), new).then_some(key)
}

/// The objects in namespaces for which something else changed.
fn others(
    namespaces: impl Stream<Item = String> + Send + 'static,
    store: Store<Extension>,
    filter: Filter,
    resource: ApiResource,
) -> impl Stream<Item = Key> + Send + 'static {
    namespaces.flat_map(move |namespace| {
        let found = store.state_filter(|object| object.namespace() == namespace && filter.is_own(object));
        let keys = found.iter().map(|object| ObjectRef::from_obj_with(&**object, resource.clone()));
        stream::iter(keys.collect::<Vec<_>>())
    })
}

/// One reconcile, and when the next one is due.
async fn attempt(
    reconcile: impl Future<Output = Ran> + Send + 'static,
    object: Arc<Extension>,
    context: Arc<Context>,
) -> Result<Action, Infallible> {
    let (memory, metrics, resource) = &*context;
    let key = ObjectRef::from_obj_with(&*object, resource.clone());
    let span = tracing::info_span!(
        parent: None, "reconcile", kind = %resource.kind, namespace = object.namespace(), name = object.name(), uid = object.metadata.uid
    );
    metrics.started(key.to_string());
    // A task of its own: a panic is the failure of this object alone, and each worker thread of the runtime may take it.
    let task = tokio::spawn(AssertUnwindSafe(reconcile).catch_unwind().instrument(span.clone()));
    let outcome = match task.await {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(panic)) => Err(words(&*panic)),
        Err(error) => Err(error.to_string()),
    };
    let _inside = span.enter();
    let (action, counted) = match outcome {
        Ok((outcome, newest)) => {
            memory.saw(&key, newest);
            due(&outcome, &key, memory)
        }
        Err(why) => {
            tracing::error!(why, "the reconcile broke off, which is a mistake in Trellis");
            (Action::requeue(memory.next(&key)), Counted::Panicked)
        }
    };
    metrics.finished(key.to_string(), counted);
    if matches!(counted, Counted::Error | Counted::Panicked) {
        metrics.retried();
    }
    Ok(action)
}

/// Logs an outcome, and says when the next reconcile is due.
fn due(outcome: &Outcome, key: &Key, memory: &Memory) -> (Action, Counted) {
    match outcome {
        Outcome::Idle(why) => {
            tracing::debug!("nothing to do: {why}");
            memory.forgive(key);
            (Action::await_change(), Counted::Success)
        }
        Outcome::Done(operation) => {
            tracing::info!(operation = operation.name(), "done");
            memory.forgive(key);
            (Action::await_change(), Counted::Success)
        }
        Outcome::Held(hold) => {
            tracing::warn!(reason = hold.reason(), "{hold}");
            memory.forgive(key);
            (Action::requeue(HELD), Counted::RequeueAfter)
        }
        Outcome::Failed(why) | Outcome::Unwritten(why) => {
            let delay = memory.next(key);
            tracing::error!(retry_seconds = delay.as_secs(), "{why}");
            (Action::requeue(delay), Counted::Error)
        }
        Outcome::Halted => {
            tracing::info!("stopped; the next process goes on");
            (Action::await_change(), Counted::Requeue)
        }
    }
}

impl Memory {
    /// How long to wait after one more failure.
    fn next(&self, key: &Key) -> Duration {
        let mut known = self.lock();
        let failures = &mut known.entry(key.clone()).or_default().failures;
        let delay = FIRST * 2u32.saturating_pow((*failures).min(16));
        *failures += 1;
        delay.min(LONGEST)
    }

    /// The object has not failed.
    fn forgive(&self, key: &Key) {
        if let Some(known) = self.lock().get_mut(key) {
            known.failures = 0;
        }
    }

    /// The newest version of the object that a reconcile saw.
    fn saw(&self, key: &Key, newest: Option<u64>) {
        if let Some(newest) = newest {
            self.lock().entry(key.clone()).or_default().newest = newest;
        }
    }

    /// Whether the cache has an older version than a reconcile saw: what the cache says was done may be done already.
    fn is_behind(&self, key: &Key, object: &Extension) -> bool {
        let newest = self.lock().get(key).map_or(0, |known| known.newest);
        object.version().is_some_and(|version| version < newest)
    }

    /// The object is gone.
    fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
