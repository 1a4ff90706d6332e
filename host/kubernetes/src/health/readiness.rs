//! Whether the process is ready for what it is there for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Conditions that have to be met. Without any, the process is ready. Clones are the same conditions.
#[derive(Clone, Debug, Default)]
pub struct Readiness(Arc<Mutex<BTreeMap<String, bool>>>);

/// Says whether a condition is met.
#[derive(Clone, Debug)]
pub struct Setter {
    readiness: Readiness,
    name: String,
}

impl Readiness {
    /// A further condition, which is not met yet. `/readyz` shows its name as long as it is not met.
    pub fn condition(&self, name: impl Into<String>) -> Setter {
        let name = name.into();
        self.lock().insert(name.clone(), false);
        Setter { readiness: self.clone(), name }
    }

    /// The conditions that are not met, by name.
    pub fn missing(&self) -> Vec<String> {
        self.lock().iter().filter(|(_, is_met)| !**is_met).map(|(name, _)| name.clone()).collect()
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Setter {
    /// The condition is met, or no longer met.
    pub fn set(&self, is_met: bool) {
        self.readiness.lock().insert(self.name.clone(), is_met);
    }
}
