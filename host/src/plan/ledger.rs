//! The state of a run, kept before anything builds on it.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use super::condition::Target;
use super::document::{Call, Effects, Probe, State};
use super::event::{Event, Listener};
use super::resolve::{self, ResolveError};
use crate::transport::ResolvedCall;

/// Keeps a state where a crash does not reach it.
pub trait StateStore: Send + Sync {
    /// Keeps the state. It is kept when this ends without an error.
    fn save(&self, state: &State) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// A state cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("the state cannot be kept: {0}")]
pub struct StoreError(#[source] pub Box<dyn Error + Send + Sync>);

/// The state, and where it is kept.
pub(super) struct Ledger<'r, S> {
    store: &'r S,
    listener: &'r Listener<'r>,
    page: Mutex<Page>,
    /// Number of changes of the state that is kept. Held while one is being kept, so that an older state never
    /// comes after a newer one.
    kept: tokio::sync::Mutex<u64>,
}

#[derive(Debug)]
struct Page {
    state: State,
    /// Number of changes so far.
    changes: u64,
}

impl<'r, S: StateStore> Ledger<'r, S> {
    pub(super) fn new(store: &'r S, listener: &'r Listener<'r>, state: State) -> Self {
        let page = Mutex::new(Page { state, changes: 0 });
        Self { store, listener, page, kept: tokio::sync::Mutex::new(0) }
    }

    /// The state.
    pub(super) fn state(&self) -> State {
        self.read(Clone::clone)
    }

    /// A call as it is sent now.
    pub(super) fn call(&self, call: &Call) -> Result<ResolvedCall, ResolveError> {
        self.read(|state| resolve::call(call, state))
    }

    /// What a probe looks at now.
    pub(super) fn target<'p>(&self, probe: &'p Probe) -> Result<Target<'p>, ResolveError> {
        self.read(|state| Target::new(probe, state))
    }

    /// Whether every key has a value.
    pub(super) fn has_all<'k>(&self, mut keys: impl Iterator<Item = &'k String>) -> bool {
        self.read(|state| keys.all(|key| state.contains_key(key)))
    }

    /// Replaces the state and keeps it.
    pub(super) async fn replace(&self, state: State) -> Result<(), StoreError> {
        let changes = self.change(|known| *known = state);
        self.keep(changes).await
    }

    /// Writes effects and keeps the state. Changes of several steps at a time are kept at once.
    pub(super) async fn write(&self, effects: &Effects) -> Result<(), StoreError> {
        let changes = self.change(|state| {
            for (key, value) in effects {
                match value {
                    Some(value) => state.insert(key.clone(), value.clone()),
                    None => state.remove(key),
                };
            }
        });
        self.keep(changes).await
    }

    /// Keeps the state as it is, where it is not kept yet.
    pub(super) async fn flush(&self) -> Result<(), StoreError> {
        let changes = self.page.lock().unwrap_or_else(PoisonError::into_inner).changes;
        self.keep(changes).await
    }

    async fn keep(&self, changes: u64) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().await;
        if *kept >= changes {
            return Ok(());
        }
        let (state, changes) = {
            let page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
            (page.state.clone(), page.changes)
        };
        self.store.save(&state).await?;
        *kept = changes;
        (self.listener)(Event::StateSaved { keys: state.len() });
        Ok(())
    }

    /// Changes the state; the number of changes that have to be kept for it.
    fn change(&self, change: impl FnOnce(&mut State)) -> u64 {
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        let before = page.state.clone();
        change(&mut page.state);
        if page.state != before {
            page.changes += 1;
        }
        page.changes
    }

    fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.page.lock().unwrap_or_else(PoisonError::into_inner).state)
    }
}
