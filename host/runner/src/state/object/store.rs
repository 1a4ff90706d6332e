//! The store: hands states to the task that saves them.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;

use super::keeper::Keeper;
use super::order::{Options, Order, Save, Waiting};
use super::{Form, Objects};
use crate::document::State;
use crate::limits::lease::LeaseSignal;
use crate::plan::ledger::{StateStore, StoreError};

/// Keeps the state of a run in `status.state` of one object. Each run has its own.
#[derive(Debug)]
pub struct ObjectStore {
    orders: mpsc::UnboundedSender<Order>,
    task: JoinHandle<Result<(), StoreError>>,
    limit: Duration,
}

impl ObjectStore {
    /// Starts the task, on the runtime that this is called on. `lease_signal` says for how long this process may
    /// change things.
    ///
    /// A store that is dropped leaves the task to save what it was given; [`close`](Self::close) waits for that.
    pub fn start<O, F>(objects: O, form: F, lease_signal: LeaseSignal, options: Options) -> Self
    where
        O: Objects + 'static,
        F: Form + 'static,
    {
        let (orders, receiver) = mpsc::unbounded_channel();
        let limit = options.limit;
        let task =
            tokio::spawn(Keeper::new(objects, form, lease_signal, options, receiver).run().in_current_span());
        Self { orders, task, limit }
    }

    /// Waits until the task has saved what it was given, no longer than a time. After that the task sends nothing
    /// more.
    ///
    /// Fails where the last state is not saved, or may not be.
    pub async fn close(self, limit: Duration) -> Result<(), StoreError> {
        let Self { orders, mut task, .. } = self;
        drop(orders);
        match timeout(limit, &mut task).await {
            Ok(Ok(saved)) => saved,
            Ok(Err(error)) => Err(StoreError::unkept(error)),
            Err(_) => {
                task.abort();
                let why =
                    format!("the API server did not confirm the last state within {} s", limit.as_secs_f64());
                Err(StoreError::unkept(why))
            }
        }
    }
}

/// Why a caller has no answer of the task.
const BROKE_OFF: &str = "the task that keeps the state broke off, which is a mistake in Trellis";

impl StateStore for ObjectStore {
    /// The state in the object as it is now, never `None`: where the object has no state, no other one counts,
    /// such as that of an Infrastructure that somebody read before.
    async fn load(&self) -> Result<Option<State>, StoreError> {
        let (answer, reported) = oneshot::channel();
        // Where the task is no more, nobody answers.
        let _ = self.orders.send(Order::Load { until: Instant::now() + self.limit, answer });
        reported.await.unwrap_or_else(|_| Err(StoreError::unread(BROKE_OFF)))
    }

    async fn save(&self, state: &State) -> Result<(), StoreError> {
        let (answer, reported) = oneshot::channel();
        let waiting = Waiting { until: Instant::now() + self.limit, answer };
        // Where the task is no more, nobody answers.
        let _ = self.orders.send(Order::Save(Save { state: state.clone(), waiting }));
        reported.await.unwrap_or_else(|_| Err(StoreError::unkept(BROKE_OFF)))
    }
}
