//! What policies asked for, so that they are asked once the next time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use trellis_runner::document::Query;

/// The most objects of which the queries are remembered.
const MOST: usize = 10_000;

/// What policies asked for last, by function and object: with the answers of the same queries, a policy is asked
/// once.
#[derive(Clone, Debug, Default)]
pub struct Asked(Arc<Mutex<HashMap<String, Remembered>>>);

#[derive(Clone, Debug)]
struct Remembered {
    /// The identity of the object, and its generation, because another generation may name other Secrets.
    of: Value,
    queries: Vec<Query>,
}

impl Asked {
    /// The queries about an object, where it is the same one (`of`).
    pub(super) fn of(&self, key: &str, of: &Value) -> Vec<Query> {
        self.lock().get(key).filter(|known| known.of == *of).map(|known| known.queries.clone()).unwrap_or_default()
    }

    /// Keeps the queries about an object.
    pub(super) fn keep(&self, key: &str, of: Value, queries: Vec<Query>) {
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key.to_owned(), Remembered { of, queries });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
