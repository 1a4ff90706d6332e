//! Which idempotency token a step sends: the one of the plan, with the salt of the state, and with a number where
//! the cloud takes the first token for used up.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::document::{State, Step};

/// The most other tokens that a run takes for one resource.
pub(super) const MOST: u32 = 3;

/// How many other tokens the steps of a run took, by the id of the step. One step of a resource has a token.
#[derive(Debug, Default)]
pub struct Tokens(Mutex<BTreeMap<String, u32>>);

impl Tokens {
    /// Whether a step may take another token in this run, which then counts.
    pub(super) fn take(&self, step: &Step) -> bool {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(step.id.clone()).or_default();
        let may = *count < MOST;
        *count += u32::from(may);
        may
    }
}

/// The key of the state that has the number of the token of a step.
pub(super) fn key(step: &Step) -> String {
    format!("Token/{}", step.id)
}

/// The number of the token that a step sends: 0 for the first one, which the state does not have.
pub(super) fn number(step: &Step, state: &State) -> u64 {
    state.get(&key(step)).and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// The seed of the token with a number. `first` is the one of the plan.
pub(super) fn seed(salt: Option<&str>, first: &str, number: u64) -> String {
    let salted = match salt {
        Some(salt) => format!("{salt}/{first}"),
        None => first.to_owned(),
    };
    if number == 0 { salted } else { format!("{salted}#{number}") }
}
