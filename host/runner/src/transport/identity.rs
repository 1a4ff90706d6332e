//! The account that credentials belong to. The host asks once for each credential; the account stays the same
//! during a run.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::call::ResolvedCall;

/// The most credentials whose accounts are known at a time.
const MOST: usize = 4_096;

/// Answers that depend on nothing but the credentials, and the accounts that they name.
#[derive(Debug, Default)]
pub(super) struct Identities(Mutex<Vec<Known>>);

#[derive(Debug)]
struct Known {
    /// The identifier of the credential.
    key: String,
    call: ResolvedCall,
    answer: Value,
    /// The account, once somebody said where the answer names it.
    account: Option<String>,
}

/// The account that a run belongs to.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// The identifiers of the credentials that are known to belong to the account.
    pub(super) keys: Vec<String>,
    /// The call whose response names the account.
    pub(super) call: ResolvedCall,
    /// Where the response names the account.
    pub(super) at: String,
    /// The account, as the response names it.
    pub(super) account: Option<Value>,
}

impl Identities {
    /// The answer to the same call with the same credential, if there was one.
    pub(super) fn get(&self, key: &str, call: &ResolvedCall) -> Option<Value> {
        let known = self.known();
        known.iter().find(|known| known.key == key && known.call == *call).map(|known| known.answer.clone())
    }

    /// Stores an answer.
    pub(super) fn learn(&self, key: &str, call: &ResolvedCall, answer: &Value) {
        let mut known = self.known();
        if known.len() >= MOST {
            // It is asked again.
            known.remove(0);
        }
        known.push(Known { key: key.to_owned(), call: call.clone(), answer: answer.clone(), account: None });
    }

    /// Takes note of where the answers to a call name the account.
    pub(super) fn name(&self, call: &ResolvedCall, at: &str) {
        for known in self.known().iter_mut().filter(|known| known.call == *call && known.account.is_none()) {
            known.account = known.answer.pointer(at).and_then(Value::as_str).map(str::to_owned);
        }
    }

    /// The account of a credential, by its identifier; the identifier itself where nobody knows the account.
    pub(super) fn account(&self, key: &str) -> String {
        let known = self.known();
        let account = known.iter().find(|known| known.key == key).and_then(|known| known.account.clone());
        account.unwrap_or_else(|| key.to_owned())
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
