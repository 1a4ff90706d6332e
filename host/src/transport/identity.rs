//! Who the credentials belong to: asked once a credential, and the same for as long as a run goes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::call::ResolvedCall;

/// Answers that depend on nothing but the credentials. Clones share them: a process has one.
#[derive(Clone, Debug, Default)]
pub struct Identities(Arc<Mutex<Vec<Known>>>);

#[derive(Debug)]
struct Known {
    /// Identifier of the access key.
    key: String,
    call: ResolvedCall,
    answer: Value,
}

/// The account that a run belongs to.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// Identifiers of the access keys that are known to be the account's.
    pub(super) keys: Vec<String>,
    /// The call that tells the account.
    pub(super) call: ResolvedCall,
    /// Where the response tells the account.
    pub(super) at: String,
    /// The account, as the response tells it.
    pub(super) account: Option<Value>,
}

impl Identities {
    /// What was answered before.
    pub(super) fn get(&self, key: &str, call: &ResolvedCall) -> Option<Value> {
        let known = self.known();
        known.iter().find(|known| known.key == key && known.call == *call).map(|known| known.answer.clone())
    }

    /// Takes note of an answer.
    pub(super) fn learn(&self, key: &str, call: &ResolvedCall, answer: &Value) {
        self.known().push(Known { key: key.to_owned(), call: call.clone(), answer: answer.clone() });
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
