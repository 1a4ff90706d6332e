//! The state of one infrastructure while a run changes it.

use std::sync::{Mutex, PoisonError};

use super::StateError;
use super::document::{Document, Identity, Last};
use super::lock::Lock;
use crate::plan::document::State;
use crate::plan::ledger::{StateStore, StoreError};

/// What is recorded of an infrastructure.
#[derive(Debug)]
pub struct Recorded<'l> {
    lock: &'l Lock,
    identity: Identity,
    document: Mutex<Option<Document>>,
    /// The manifest that is applied, until it is kept.
    manifest: Mutex<Option<String>>,
}

impl<'l> Recorded<'l> {
    pub(super) fn new(lock: &'l Lock, identity: Identity, document: Option<Document>) -> Self {
        Self { lock, identity, document: Mutex::new(document), manifest: Mutex::default() }
    }

    /// As it is kept now; `None` where nothing was ever recorded.
    pub fn document(&self) -> Option<Document> {
        self.document.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The state as it is kept now; `None` where nothing was ever recorded.
    pub fn state(&self) -> Option<State> {
        self.document().map(|document| document.state)
    }

    /// Tells which manifest is applied. It is kept with the first change of the state, or when the run ends: what was looked
    /// at and left is not.
    pub fn applies(&self, manifest: String) {
        *self.manifest.lock().unwrap_or_else(PoisonError::into_inner) = Some(manifest);
    }

    /// Tells how a run ended. Nothing is written where the last one ended alike, and nothing was `written` since.
    pub fn finish(&self, last: Last, written: bool) -> Result<(), StateError> {
        self.keep_manifest()?;
        let is_taken_down = last.done && last.operation == "delete";
        self.update(|document| {
            let alike = document.last.as_ref().is_some_and(|known| {
                (&known.operation, &known.ending, known.done) == (&last.operation, &last.ending, last.done)
            });
            if written || !alike {
                document.last = Some(last);
            }
        })?;
        if is_taken_down { self.lock.write_manifest(None) } else { Ok(()) }
    }

    fn keep_manifest(&self) -> Result<(), StateError> {
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = manifest.as_ref() {
            self.lock.write_manifest(Some(text))?;
        }
        *manifest = None;
        Ok(())
    }

    /// Changes the document; keeps it where something changed, and else does nothing.
    fn update(&self, change: impl FnOnce(&mut Document)) -> Result<(), StateError> {
        let mut known = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut document = known.clone().unwrap_or_else(|| Document::new(self.identity.clone(), State::new()));
        change(&mut document);
        if document.identity.cloud.is_none() {
            document.identity.cloud.clone_from(&self.identity.cloud);
        }
        if document.identity.uid.is_none() {
            document.identity.uid.clone_from(&self.identity.uid);
        }
        if known.as_ref() != Some(&document) {
            document.serial += 1;
            self.lock.write(&document)?;
            *known = Some(document);
        }
        Ok(())
    }
}

impl StateStore for Recorded<'_> {
    async fn save(&self, state: &State) -> Result<(), StoreError> {
        let kept = self.keep_manifest().and_then(|()| {
            self.update(|document| {
                // What is built anew is no longer taken down, however the run ends.
                if document.is_taken_down() {
                    document.last = None;
                }
                document.state.clone_from(state);
            })
        });
        kept.map_err(|error| StoreError(Box::new(error)))
    }
}
