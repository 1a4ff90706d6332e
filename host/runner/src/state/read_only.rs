//! A state that a run reads, and never changes.

use crate::document::State;
use crate::plan::ledger::{StateStore, StoreError};

/// The state of a run that only observes. It saves nothing.
#[derive(Clone, Debug, Default)]
pub struct ReadOnly(pub Option<State>);

impl StateStore for ReadOnly {
    async fn load(&self) -> Result<Option<State>, StoreError> {
        Ok(self.0.clone())
    }

    async fn save(&self, _: &State) -> Result<(), StoreError> {
        Err(StoreError::unkept("this run only observes"))
    }
}
