//! Client tokens whose first call still waits for its effect, or failed in a way that stays with the token.
//!
//! Only faults bring a token here. So the world, which is kept in files and comes back from snapshots, has none of
//! them.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::action::{ErrorCode, common};

/// How many failed tokens are remembered, the newest ones.
const MOST: usize = 10_000;

/// The tokens.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<TokensInUse>);

#[derive(Debug, Default)]
struct TokensInUse {
    in_work: BTreeSet<String>,
    failed: VecDeque<String>,
}

/// A call with a token that waits for its effect. The token is free again when this is dropped.
#[derive(Debug)]
pub(super) struct InWork<'a> {
    attempts: &'a Attempts,
    token: Option<String>,
}

impl Attempts {
    fn kept(&self) -> MutexGuard<'_, TokensInUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a call with a token may be carried out now; a call without one always may.
    pub(super) fn check(&self, token: Option<&str>) -> Result<(), &'static ErrorCode> {
        self.kept().check(token)
    }

    /// Begins a call that waits for its effect.
    pub(super) fn begin(&self, token: Option<String>) -> Result<InWork<'_>, &'static ErrorCode> {
        let mut kept = self.kept();
        kept.check(token.as_deref())?;
        kept.in_work.extend(token.clone());
        drop(kept);
        Ok(InWork { attempts: self, token })
    }

    /// The first call with a token failed: no later one with the token is carried out.
    pub(super) fn fail(&self, token: String) {
        let mut kept = self.kept();
        if kept.failed.len() >= MOST {
            kept.failed.pop_front();
        }
        kept.failed.push_back(token);
    }

    /// Forgets which tokens failed.
    pub(super) fn forget(&self) {
        self.kept().failed.clear();
    }
}

impl TokensInUse {
    fn check(&self, token: Option<&str>) -> Result<(), &'static ErrorCode> {
        match token {
            Some(token) if self.in_work.contains(token) => Err(&common::TOKEN_PROCESSING),
            Some(token) if self.failed.iter().any(|failed| failed == token) => Err(&common::TOKEN_FAILED),
            _ => Ok(()),
        }
    }
}

impl Drop for InWork<'_> {
    fn drop(&mut self) {
        if let Some(token) = &self.token {
            self.attempts.kept().in_work.remove(token);
        }
    }
}
