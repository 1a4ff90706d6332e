//! What a controller remembers of objects.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Unfinished;
use crate::controller::runtime::actuator::Waits;
use crate::controller::runtime::cache::Key;
use crate::controller::runtime::extension::Extension;

/// The wait before an operation that failed is tried again. It doubles from time to time, up to [`LONGEST`].
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(1000);
/// How often a reconcile waits for the cache. An API server that was restored from a backup has older versions for
/// good.
const MOST_BEHIND: u32 = 50;

/// What a controller remembers of objects, as long as they exist.
#[derive(Default)]
pub(super) struct Memory(Mutex<HashMap<Key, Remembered>>);

#[derive(Clone, Copy, Default)]
struct Remembered {
    /// How often the object failed, one time after the other.
    failures: u32,
    /// The newest version of the object that a reconcile saw.
    newest: u64,
    /// Whether a reconcile is not done, whatever the object says.
    owed: bool,
    /// Whether something has changed since the last reconcile began that asks for one, whatever the object says.
    asked: bool,
    /// What a reconcile waits for.
    waits: Option<Waits>,
    /// How often the cache was behind that version, one time after the other.
    behind: u32,
}

impl Memory {
    /// How long to wait after one more failure.
    pub fn next(&self, key: &Key) -> Duration {
        let mut known = self.lock();
        let failures = &mut known.entry(key.clone()).or_default().failures;
        let delay = FIRST * 2u32.saturating_pow((*failures).min(16));
        *failures += 1;
        delay.min(LONGEST)
    }

    /// The object has not failed.
    pub fn forgive(&self, key: &Key) {
        if let Some(known) = self.lock().get_mut(key) {
            known.failures = 0;
        }
    }

    /// Something has changed that asks for a reconcile, whatever the object says.
    pub fn owe(&self, key: &Key) {
        self.lock().entry(key.clone()).or_default().asked = true;
    }

    /// What the next reconcile finds.
    pub fn note(&self, key: &Key, left: Unfinished) {
        let mut known = self.lock();
        let known = known.entry(key.clone()).or_default();
        (known.owed, known.waits) = (left.is_owed, left.waits);
    }

    /// What a reconcile that begins finds. What changes from now on asks for another one.
    pub fn left(&self, key: &Key) -> Unfinished {
        let mut known = self.lock();
        let Some(known) = known.get_mut(key) else { return Unfinished::default() };
        let is_asked = std::mem::take(&mut known.asked);
        Unfinished { is_owed: known.owed || is_asked, waits: known.waits }
    }

    /// The newest version of the object that a reconcile saw.
    pub fn saw(&self, key: &Key, newest: Option<u64>) {
        if let Some(newest) = newest {
            self.lock().entry(key.clone()).or_default().newest = newest;
        }
    }

    /// Whether the cache has an older version than a reconcile saw: what the cache says was done may be done
    /// already.
    pub fn is_behind(&self, key: &Key, object: &Extension) -> bool {
        let mut memory = self.lock();
        let Some(known) = memory.get_mut(key) else { return false };
        let is_behind =
            object.version().is_some_and(|version| version < known.newest) && known.behind < MOST_BEHIND;
        known.behind = if is_behind { known.behind + 1 } else { 0 };
        is_behind
    }

    /// Forgets objects that are gone.
    pub fn retain(&self, exists: impl Fn(&Key) -> bool) {
        self.lock().retain(|key, _| exists(key));
    }

    /// The object is gone.
    pub fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use kube::runtime::reflector::ObjectRef;
    use serde_json::json;

    use super::*;
    use crate::controller::runtime::kind::INFRASTRUCTURE;

    fn key() -> Key {
        ObjectRef::new_with("a", INFRASTRUCTURE.resource()).within("s")
    }

    fn object(version: &str) -> Extension {
        serde_json::from_value(json!({ "metadata": { "name": "a", "resourceVersion": version } })).unwrap()
    }

    #[test]
    fn waits_double_up_to_a_limit_until_the_object_does_not_fail() {
        let memory = Memory::default();
        let seconds: Vec<u64> = (0..12).map(|_| memory.next(&key()).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000]);
        memory.forgive(&key());
        assert_eq!(memory.next(&key()).as_secs(), 1);
    }

    #[test]
    fn a_reconcile_waits_for_the_cache_and_not_for_ever() {
        let memory = Memory::default();
        assert!(!memory.is_behind(&key(), &object("1")));
        memory.saw(&key(), Some(7));
        assert!(memory.is_behind(&key(), &object("6")));
        assert!(!memory.is_behind(&key(), &object("7")));
        let waits = (0..1000).take_while(|_| memory.is_behind(&key(), &object("5"))).count();
        assert_eq!(waits, usize::try_from(MOST_BEHIND).unwrap());
        memory.forget(&key());
        assert!(!memory.is_behind(&key(), &object("5")));
    }

    #[test]
    fn what_asks_while_a_reconcile_goes_on_asks_for_another_one() {
        let memory = Memory::default();
        assert!(!memory.left(&key()).is_owed);
        memory.owe(&key());
        assert!(memory.left(&key()).is_owed);
        memory.note(&key(), Unfinished::default());
        assert!(!memory.left(&key()).is_owed, "once is enough");
        memory.owe(&key());
        memory.note(&key(), Unfinished::default());
        assert!(
            memory.left(&key()).is_owed,
            "the end of a reconcile does not answer what came after its beginning"
        );
    }

    #[test]
    fn a_version_that_is_no_number_is_never_behind() {
        let memory = Memory::default();
        memory.saw(&key(), Some(7));
        assert!(!memory.is_behind(&key(), &object("abc")));
    }
}
