//! What to do about the error of a call, and what to tell the person (section 6.7 of the fact sheet `azure`).

use crate::gardener::infrastructure::error_codes::{self, Patterns};
use crate::gardener::infrastructure::error_words::told;
use crate::policy::{CallError, Classification, Outcome};

/// What the extension of Azure has beside the patterns of all clouds.
const PATTERNS: Patterns = &[];

/// Classifies the error of a call: whether the same call may succeed later, has nothing to do, or will not succeed; and what to
/// tell the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let codes = error_codes::codes(&format!("{}\n{}", error.code, error.message), PATTERNS);
    let deletes = error.action.rsplit('.').next().unwrap_or_default().eq_ignore_ascii_case("delete");
    let outcome = match error.http_status {
        404 if deletes => Outcome::AlreadySatisfied,
        // No response, too many calls, or a failure of the service.
        0 | 408 | 429 | 500.. => Outcome::Retry,
        _ => Outcome::Fail,
    };
    Classification { outcome, message: told("Azure", "", error), codes }
}
