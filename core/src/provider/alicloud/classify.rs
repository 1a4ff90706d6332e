//! What to do about the error of a call.

use super::error_codes::codes;
use crate::policy::{CallError, Classification, Outcome};

/// Whether the call may succeed later, has nothing to do, or will not succeed; and what to tell the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    Classification { outcome: Outcome::Fail, codes: codes(error.message), message: error.message.to_owned() }
}
