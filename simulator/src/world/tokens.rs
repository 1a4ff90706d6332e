//! Client tokens: the same call twice has one effect.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How many tokens are remembered; the cloud forgets them after some time that it does not document.
const MOST: usize = 10_000;

/// The client tokens of calls that succeeded, the oldest first. Worlds that are kept share them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Tokens(VecDeque<Arc<UsedToken>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UsedToken {
    /// Account, region, action and token.
    key: String,
    /// A digest of the parameters that it was used with, which may be long.
    parameters: String,
    /// What was answered.
    answer: Map<String, Value>,
}

/// The use of a token.
pub(crate) enum Known {
    /// The token was used for the same call, which had this answer.
    Same(Map<String, Value>),
    /// The token was used for another call.
    Other,
}

impl Tokens {
    /// The former use of a token, compared with these parameters.
    pub(crate) fn get(&self, key: &str, parameters: &str) -> Option<Known> {
        let used = self.0.iter().rev().find(|used| used.key == key)?;
        Some(if used.parameters == parameters { Known::Same(used.answer.clone()) } else { Known::Other })
    }

    /// Whether a call with a token succeeded.
    pub(crate) fn is_used(&self, key: &str) -> bool {
        self.0.iter().any(|used| used.key == key)
    }

    /// Remembers a token.
    pub(crate) fn put(&mut self, key: String, parameters: String, answer: Map<String, Value>) {
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(UsedToken { key, parameters, answer }));
    }
}
