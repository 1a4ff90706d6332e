//! The text of answers.

use super::{Failure, RequestError};

pub(super) use crate::document::write as text;

/// The answer that says why there is no other.
pub fn failure(error: RequestError) -> String {
    text(&Failure::from(error))
}
