//! The state of a run. The ledger saves a change of the state before the run goes on.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use super::condition::Target;
use super::event::{Event, Listener};
use super::token;
use crate::call::ResolvedCall;
use crate::call::resolve::{self, ResolveError};
use crate::document::{Call, Effects, Probe, State, Step};
use crate::limits::lease::LeaseSignal;

/// Keeps the state of an infrastructure, so that a crash does not lose it.
pub trait StateStore: Send + Sync {
    /// The state as the store has it now, not as somebody read it before; `None` where nothing is recorded.
    fn load(&self) -> impl Future<Output = Result<Option<State>, StoreError>> + Send;

    /// Saves the state. The state is safe when this ends without an error.
    fn save(&self, state: &State) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What distinguishes the tokens of this state from those of another one for the same names. It goes into each
    /// token, and each save keeps it. `None` where tokens need none: the plan makes them of a uid.
    fn salt(&self) -> Option<&str> {
        None
    }
}

/// Why a store has no state, or has not saved one.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot read the state.
    #[error("the state cannot be read: {0}")]
    Unread(#[source] Box<dyn Error + Send + Sync>),
    /// The store cannot save the state.
    #[error("the state cannot be kept: {0}")]
    Unkept(#[source] Box<dyn Error + Send + Sync>),
    /// Somebody else has changed the state since this run read or saved it last.
    #[error("somebody else has changed the state: {0}")]
    Overtaken(String),
    /// This process may no longer change things.
    #[error("the state was not saved: this process may no longer change things, as its lease was not renewed")]
    LeaseLost,
}

impl StoreError {
    /// An error of reading.
    pub fn unread(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unread(error.into())
    }

    /// An error of saving.
    pub fn unkept(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unkept(error.into())
    }

    /// Whether the run has to stop at once: what it does may undo what somebody else does.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Overtaken(_) | Self::LeaseLost)
    }
}

/// The state, and the store that saves it.
pub(super) struct Ledger<'r, S> {
    store: &'r S,
    listener: &'r Listener<'r>,
    lease_signal: &'r LeaseSignal,
    page: Mutex<Page>,
    /// The number of changes that are saved. The lock is held while the store saves a state, so that an older
    /// state never overwrites a newer one.
    kept: tokio::sync::Mutex<u64>,
}

#[derive(Debug)]
struct Page {
    state: State,
    /// The number of changes so far.
    changes: u64,
}

impl<'r, S: StateStore> Ledger<'r, S> {
    pub(super) fn new(
        store: &'r S,
        listener: &'r Listener<'r>,
        lease_signal: &'r LeaseSignal,
        state: State,
    ) -> Self {
        let page = Mutex::new(Page { state, changes: 0 });
        Self { store, listener, lease_signal, page, kept: tokio::sync::Mutex::new(0) }
    }

    /// The state.
    pub(super) fn state(&self) -> State {
        self.read(Clone::clone)
    }

    /// A call, resolved with the state as it is now.
    pub(super) fn call(&self, call: &Call) -> Result<ResolvedCall, ResolveError> {
        self.read(|state| resolve::call(call, state))
    }

    /// The call of a step, resolved with the state as it is now, with the token that the step sends.
    pub(super) fn call_of(&self, step: &Step) -> Result<ResolvedCall, ResolveError> {
        self.read(|state| {
            let mut call = resolve::call(&step.call, state)?;
            call.token = self.token(step, token::number(step, state));
            Ok(call)
        })
    }

    /// The seed of the token of a step with a number; `None` where its call has no token.
    pub(super) fn token(&self, step: &Step, number: u64) -> Option<String> {
        step.call.token.as_deref().map(|first| token::seed(self.store.salt(), first, number))
    }

    /// What a probe looks at, resolved with the state as it is now.
    pub(super) fn target<'p>(&self, probe: &'p Probe) -> Result<Target<'p>, ResolveError> {
        self.read(|state| Target::new(probe, state))
    }

    /// The number of the token after the one that a step sends.
    pub(super) fn next_token(&self, step: &Step) -> u64 {
        self.read(|state| token::number(step, state)).saturating_add(1)
    }

    /// Whether the state has every key.
    pub(super) fn has_all<'k>(&self, mut keys: impl Iterator<Item = &'k String>) -> bool {
        self.read(|state| keys.all(|key| state.contains_key(key)))
    }

    /// Whether the state has any of the keys that a step writes before its call: an earlier run came as far as
    /// that.
    pub(super) fn has_begun(&self, step: &Step) -> bool {
        let mut written = step.remember.iter().filter(|(_, value)| value.is_some());
        self.read(|state| written.any(|(key, _)| state.contains_key(key)))
    }

    /// Replaces the state, and saves it.
    pub(super) async fn replace(&self, state: State) -> Result<(), StoreError> {
        let changes = self.change(|known| *known = state);
        self.keep(changes).await
    }

    /// Writes effects, and saves the state. One save serves the changes of several steps at a time.
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

    /// Saves the state, where a change is not saved yet.
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
        if !self.lease_signal.holds() {
            return Err(StoreError::LeaseLost);
        }
        self.store.save(&state).await?;
        *kept = changes;
        (self.listener)(Event::StateSaved { keys: state.len() });
        Ok(())
    }

    /// Changes the state, and gives the number of changes that must be saved for that.
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
