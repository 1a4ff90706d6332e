//! Whether the process is ready for what it is there for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a kubelet can ask of readiness alone, by the names of Gardener's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The caches are filled.
    Caches,
    /// Reviews are answered.
    Webhooks,
    /// The process is not to stop.
    Process,
}

impl Check {
    /// All, in the order in which they are shown.
    pub(super) const ALL: [Self; 3] = [Self::Caches, Self::Webhooks, Self::Process];

    /// Its name, also below `/readyz`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Caches => "informer-sync",
            Self::Webhooks => "webhook-server",
            Self::Process => "shutdown",
        }
    }

    /// The check that the path below `/readyz` names.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// Conditions that have to be met. Without any, the process is ready. Clones are the same conditions.
#[derive(Clone, Debug, Default)]
pub struct Readiness(Arc<Mutex<BTreeMap<String, Condition>>>);

#[derive(Clone, Copy, Debug)]
struct Condition {
    check: Check,
    is_met: bool,
}

/// Says whether a condition is met.
#[derive(Clone, Debug)]
pub struct Setter {
    readiness: Readiness,
    name: String,
    check: Check,
}

impl Readiness {
    /// A further condition, which is not met yet. `/readyz` shows its name as long as it is not met.
    pub fn condition(&self, check: Check, name: impl Into<String>) -> Setter {
        let setter = Setter { readiness: self.clone(), name: name.into(), check };
        setter.set(false);
        setter
    }

    /// The conditions that are not met, by name.
    pub fn missing(&self) -> Vec<String> {
        self.missing_where(|_| true)
    }

    /// Those that are not met of a check.
    pub(super) fn missing_of(&self, check: Check) -> Vec<String> {
        self.missing_where(|of| of == check)
    }

    fn missing_where(&self, is_asked: impl Fn(Check) -> bool) -> Vec<String> {
        let conditions = self.lock();
        let missing = conditions.iter().filter(|(_, condition)| !condition.is_met && is_asked(condition.check));
        missing.map(|(name, _)| name.clone()).collect()
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Condition>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Setter {
    /// The condition is met, or no longer met.
    pub fn set(&self, is_met: bool) {
        self.readiness.lock().insert(self.name.clone(), Condition { check: self.check, is_met });
    }
}
