//! The loop of a controller: events of objects become reconciles, one at a time for each object.

mod memory;

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::FutureExt as _;
use futures_util::stream::{self, Stream, StreamExt as _};
use kube::core::ApiResource;
use kube::runtime::controller::{Action, Config, ReconcileRequest, applier};
use kube::runtime::reflector::{ObjectRef, Store};
use tokio::sync::mpsc::UnboundedReceiver;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::controller::runtime::actuator::Waits;
use crate::controller::runtime::cache::{Change, Key, Listener};
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::trigger::Filter;
use crate::controller::runtime::wake::Wake;
use crate::metrics::{ControllerMetrics, Outcome as Counted};
use memory::Memory;
use trellis_policies::engine::words;
use trellis_policies::span;
use trellis_runner::limits::stop::{Stop, StopSignal};

/// The wait for the cache, where the controller itself has seen a newer version of an object.
const BEHIND: Duration = Duration::from_millis(100);
/// The wait before an object is looked at again for which nothing can be done yet.
const LATER: Duration = Duration::from_secs(30);
/// The wait before something is done once more.
const AGAIN: Duration = Duration::from_secs(2);
/// The wait before a plan that is held back is looked at again, because the Shoot may have another annotation by
/// then.
const HELD: Duration = Duration::from_mins(10);

/// A controller of one kind.
pub struct Controller {
    /// Its objects.
    pub objects: Listener,
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

/// What attempts before left to do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfinished {
    /// Whether an attempt before was not done, whatever the object says.
    pub is_owed: bool,
    /// What an attempt before waits for.
    pub waits: Option<Waits>,
}

/// A reconcile of an object, and the newest version of the object that the reconcile saw.
pub type Ran = (Outcome, Option<u64>);

/// What all reconciles of a controller share.
struct Context {
    memory: Arc<Memory>,
    metrics: ControllerMetrics,
    resource: ApiResource,
    store: Store<Extension>,
}

impl Context {
    fn key(&self, object: &Extension) -> Key {
        ObjectRef::from_obj_with(object, self.resource.clone())
    }
}

impl Controller {
    /// Runs until it is stopped, and reconciles that go on have ended. `reconcile` gets what attempts before left
    /// to do. `filled` is called each time that all objects are known. `more` are changes of other objects that
    /// wake those of the controller.
    pub async fn run<R, F>(
        self,
        reconcile: R,
        more: impl Stream<Item = Wake> + Send + 'static,
        filled: impl Fn() + Send + 'static,
    ) where
        R: Fn(Arc<Extension>, Unfinished) -> F + Send + 'static,
        F: Future<Output = Ran> + Send + 'static,
    {
        let Self { objects: Listener { store, changes }, resource, filter, concurrency, metrics, stop } = self;
        let memory = Arc::<Memory>::default();
        let added = metrics.clone();
        let queue = stream::select(
            others(more, store.clone(), filter.clone(), resource.clone(), Arc::clone(&memory)),
            own(changes, filter, Arc::clone(&memory), store.clone(), metrics.clone(), filled),
        );
        let queue = queue.map(move |key: Key| {
            added.added(key.to_string());
            Ok::<_, Infallible>(ReconcileRequest::from(key))
        });
        let queue = queue.take_until(async move { stop.asked(Stop::Gracefully).await });
        let context = Arc::new(Context { memory, metrics, resource, store: store.clone() });
        let applied = applier(
            move |object: Arc<Extension>, context: Arc<Context>| {
                let key = context.key(&object);
                if context.memory.is_behind(&key, &object) {
                    return std::future::ready(Ok(Action::requeue(BEHIND))).boxed();
                }
                let left = context.memory.left(&key);
                attempt(reconcile(Arc::clone(&object), left), object, context).boxed()
            },
            // Never called, because an outcome is a value.
            |_, _: &Infallible, _| Action::await_change(),
            context,
            store,
            Box::pin(queue),
            Config::default().concurrency(concurrency),
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
}

/// The objects with which there is something to do.
fn own(
    changes: UnboundedReceiver<Change>,
    filter: Filter,
    memory: Arc<Memory>,
    store: Store<Extension>,
    metrics: ControllerMetrics,
    filled: impl Fn() + Send + 'static,
) -> impl Stream<Item = Key> + Send + 'static {
    let changes = stream::unfold(changes, async |mut changes| Some((changes.recv().await?, changes)));
    changes.filter_map(move |change| {
        let mut admitted = None;
        match change {
            Change::Object { key, old, new } => {
                let is_owed = filter.owes(old.as_deref(), &new);
                if is_owed {
                    memory.owe(&key);
                }
                admitted = (is_owed || filter.admits(old.as_deref(), &new)).then_some(key);
            }
            Change::Gone(key) => {
                memory.forget(&key);
                metrics.dropped(key.to_string());
            }
            Change::Filled => {
                memory.retain(|key| store.get(key).is_some());
                filled();
            }
        }
        std::future::ready(admitted)
    })
}

/// The objects for which something else changed.
fn others(
    wakes: impl Stream<Item = Wake> + Send + 'static,
    store: Store<Extension>,
    filter: Filter,
    resource: ApiResource,
    memory: Arc<Memory>,
) -> impl Stream<Item = Key> + Send + 'static {
    wakes.flat_map(move |wake| {
        let found = store.state_filter(|object| wake.concerns(object) && filter.admits_wake(&wake, object));
        let keys = found.iter().map(|object| ObjectRef::from_obj_with(&**object, resource.clone()));
        let keys: Vec<Key> = keys.collect();
        if wake.asks() {
            for key in &keys {
                memory.owe(key);
            }
        }
        stream::iter(keys)
    })
}

/// One reconcile, and when the next one is due.
async fn attempt(
    reconcile: impl Future<Output = Ran> + Send + 'static,
    object: Arc<Extension>,
    context: Arc<Context>,
) -> Result<Action, Infallible> {
    let Context { memory, metrics, resource, store } = &*context;
    let key = context.key(&object);
    let span = tracing::info_span!(
        parent: None, "reconcile", kind = %resource.kind, namespace = object.namespace(), name = object.name(), uid = object.metadata.uid,
        operation = Empty, outcome = Empty, "error.type" = Empty, otel.status_code = Empty
    );
    metrics.started(key.to_string());
    // A task of its own, because a panic is the failure of this object alone, and each worker thread of the
    // runtime may take it.
    let task = tokio::spawn(AssertUnwindSafe(reconcile).catch_unwind().instrument(span.clone()));
    let outcome = match task.await {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(panic)) => Err(words(&*panic)),
        Err(error) => Err(error.to_string()),
    };
    let _inside = span.enter();
    let name = outcome.as_ref().map_or("Panicked", |(outcome, _)| outcome.name());
    let (action, counted) = match outcome {
        Ok((outcome, newest)) => {
            memory.saw(&key, newest);
            due(&outcome, &key, memory)
        }
        Err(why) => {
            tracing::error!(why, "the reconcile broke off, which is a mistake in Trellis");
            memory.note(&key, Unfinished { is_owed: true, waits: None });
            (Action::requeue(memory.next(&key)), Counted::Panicked)
        }
    };
    // For traces alone, because no line of the log comes after this.
    span.record("operation", object.operation().name()).record("outcome", name);
    if matches!(counted, Counted::Error | Counted::Panicked) {
        span::failed(&span, name);
    }
    if store.get(&key).is_none() {
        memory.forget(&key);
    }
    metrics.finished(key.to_string(), counted);
    if matches!(counted, Counted::Error | Counted::Panicked) {
        metrics.retried();
    }
    Ok(action)
}

/// Logs an outcome, and says when the next reconcile is due.
fn due(outcome: &Outcome, key: &Key, memory: &Memory) -> (Action, Counted) {
    let waits = if let Outcome::Waiting(waits, _) = outcome { Some(*waits) } else { None };
    memory.note(key, Unfinished { is_owed: matches!(outcome, Outcome::Unwritten(_) | Outcome::Again(_)), waits });
    match outcome {
        Outcome::Idle(why) => {
            tracing::debug!("nothing to do: {why}");
            memory.forgive(key);
            (Action::await_change(), Counted::Success)
        }
        Outcome::Later(why) => {
            tracing::info!("waiting: {why}");
            memory.forgive(key);
            (Action::requeue(LATER), Counted::RequeueAfter)
        }
        Outcome::Done(operation) => {
            tracing::info!(operation = operation.name(), "done");
            memory.forgive(key);
            (Action::await_change(), Counted::Success)
        }
        Outcome::Again(operation) => {
            tracing::info!(operation = operation.name(), "done for now, and once more soon");
            memory.forgive(key);
            (Action::requeue(AGAIN), Counted::RequeueAfter)
        }
        Outcome::Waiting(waits, every) => {
            tracing::debug!("waiting for {}", waits.what);
            (Action::requeue(*every), Counted::RequeueAfter)
        }
        Outcome::Checked(every) => {
            memory.forgive(key);
            (Action::requeue(*every), Counted::RequeueAfter)
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
        Outcome::FailedFor(delay, why) => {
            tracing::error!(retry_seconds = delay.as_secs(), "{why}");
            memory.forgive(key);
            (Action::requeue(*delay), Counted::RequeueAfter)
        }
        Outcome::PermitEnded => {
            tracing::info!("stopped; the next process goes on");
            (Action::await_change(), Counted::Requeue)
        }
    }
}

#[cfg(test)]
mod tests;
