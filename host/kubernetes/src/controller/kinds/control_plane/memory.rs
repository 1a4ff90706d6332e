//! What is known of control planes, so that a reconcile asks less. A process that has just started knows nothing.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::controller::runtime::asking::Names;
use trellis_policies::answer::ObjectName;

/// What is known, by namespace.
#[derive(Debug, Default)]
pub struct Memory(Mutex<HashMap<String, Known>>);

/// What is known of a namespace.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The names of Secrets that hold certificates, as they were last: with the right names, a policy is asked
    /// once.
    pub names: Names,
    /// Objects that earlier releases left behind, and that were deleted or missing: nobody makes them again.
    pub gone: Vec<ObjectName>,
}

impl Memory {
    /// What is known of a namespace.
    pub fn of(&self, namespace: &str) -> Known {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(namespace).cloned().unwrap_or_default()
    }

    /// Keeps what is known of a namespace.
    pub fn keep(&self, namespace: &str, known: Known) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(namespace.to_owned(), known);
    }

    /// Forgets a namespace.
    pub fn forget(&self, namespace: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(namespace);
    }
}
