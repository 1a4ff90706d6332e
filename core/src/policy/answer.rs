//! The text of answers.

use serde::Serialize;

use super::{Failure, RequestError};

/// The answer that tells why there is no other.
pub fn failure(error: RequestError) -> String {
    text(&Failure::from(error))
}

/// The text of an answer.
pub(super) fn text<T: Serialize>(answer: &T) -> String {
    // Never fails: answers have string keys and no fallible parts.
    serde_json::to_string(answer).unwrap_or_default()
}
