//! The names of Secrets that hold certificates, as they were last: with the right names, a policy is asked once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::controller::asking::Names;

/// Names by namespace.
#[derive(Debug, Default)]
pub struct Memory(Mutex<HashMap<String, Names>>);

impl Memory {
    /// The names of a namespace as they were last.
    pub fn names(&self, namespace: &str) -> Names {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(namespace).cloned().unwrap_or_default()
    }

    /// Keeps the names of a namespace.
    pub fn keep(&self, namespace: &str, names: &Names) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(namespace.to_owned(), names.clone());
    }

    /// Forgets a namespace.
    pub fn forget(&self, namespace: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(namespace);
    }
}
