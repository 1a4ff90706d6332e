//! The state of one infrastructure while a run changes it.

use std::sync::{Mutex, PoisonError};

use super::document::{LastRun, StateDocument, SubjectId};
use super::lock::Lock;
use super::{StateError, read};
use crate::document::State;
use crate::plan::ledger::{StateStore, StoreError};

/// The record of an infrastructure.
#[derive(Debug)]
pub struct Recorded<'l> {
    lock: &'l Lock,
    identity: SubjectId,
    document: Mutex<Option<StateDocument>>,
    /// The salt in the file, or the one that the first save puts there.
    salt: Option<String>,
    /// The manifest of this run, until it is saved.
    manifest: Mutex<Option<String>>,
}

impl StateDocument {
    /// The document for an infrastructure; an error where it is another one's. After a destroy, any infrastructure
    /// of the name may use it.
    pub fn of(mut self, given: &SubjectId) -> Result<Self, StateError> {
        if self.identity.is_same(given) {
            return Ok(self);
        }
        if self.is_taken_down() {
            self.identity = given.clone();
            return Ok(self);
        }
        Err(StateError::Foreign { recorded: Box::new(self.identity), given: Box::new(given.clone()) })
    }
}

impl Lock {
    /// The record of an infrastructure, to be changed.
    pub fn open(&self, identity: SubjectId) -> Result<Recorded<'_>, StateError> {
        let document = read(self.folder())?.map(|document| document.of(&identity)).transpose()?;
        Ok(Recorded::new(self, identity, document))
    }
}

impl<'l> Recorded<'l> {
    pub(super) fn new(lock: &'l Lock, identity: SubjectId, document: Option<StateDocument>) -> Self {
        let salt = match &document {
            // Older versions record no salt; a run that they began goes on with the tokens that it has sent.
            Some(document) if document.salt.is_some() || !document.state.is_empty() => document.salt.clone(),
            _ => identity.uid.is_none().then(|| format!("{:032x}", fastrand::u128(..))),
        };
        Self { lock, identity, document: Mutex::new(document), salt, manifest: Mutex::default() }
    }

    /// The document in the file; `None` where nothing was ever recorded.
    pub fn document(&self) -> Option<StateDocument> {
        self.document.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The state in the file; `None` where nothing was ever recorded.
    pub fn state(&self) -> Option<State> {
        self.document().map(|document| document.state)
    }

    /// Names the manifest of this run. It is saved with the first change of the state, or when the run ends; the
    /// manifest of a plan that nobody carries out is not saved.
    pub fn applies(&self, manifest: String) {
        *self.manifest.lock().unwrap_or_else(PoisonError::into_inner) = Some(manifest);
    }

    /// Records how a run ended. Nothing is written where the last run ended alike, and this one has not `written`
    /// anything.
    pub fn finish(&self, last: LastRun, written: bool) -> Result<(), StateError> {
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

    /// Changes the document, and saves it where that changed something.
    fn update(&self, change: impl FnOnce(&mut StateDocument)) -> Result<(), StateError> {
        let mut known = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut document =
            known.clone().unwrap_or_else(|| StateDocument::new(self.identity.clone(), State::new()));
        change(&mut document);
        document.salt.clone_from(&self.salt);
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
    async fn load(&self) -> Result<Option<State>, StoreError> {
        // The lock keeps everybody else from changing the file.
        Ok(self.state())
    }

    async fn save(&self, state: &State) -> Result<(), StoreError> {
        let kept = self.keep_manifest().and_then(|()| {
            self.update(|document| {
                // A network that is built again no longer counts as destroyed, however the run ends.
                if document.is_taken_down() {
                    document.last = None;
                }
                document.state.clone_from(state);
            })
        });
        kept.map_err(StoreError::unkept)
    }

    fn salt(&self) -> Option<&str> {
        self.salt.as_deref()
    }
}
