//! Why a policy has no answer.

use serde::{Deserialize, Serialize};

use super::Failure;

impl Failure {
    /// Code of the failure by which defaulting refuses an object.
    pub const DENIED: &str = "Denied";
    /// Code of the failure for an object that is not what the policy reads.
    pub const MALFORMED: &str = "Malformed";
    /// Code of the failure by which a zone is refused.
    pub const IMPOSSIBLE: &str = "Impossible";
    /// Code of the failure for an answer of an unknown form.
    pub const UNKNOWN_ANSWER: &str = "UnknownAnswer";

    /// A failure that is not about a place.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            rule: None,
            pointer: None,
            at_key: false,
            remedy: None,
            fix: None,
            assume: Vec::new(),
        }
    }

    /// The failure as the JSON document that stands in place of an answer.
    pub fn to_answer(&self) -> String {
        #[derive(Serialize)]
        struct Failed<'f> {
            error: &'f Failure,
        }
        // Never fails: there are only texts in it.
        serde_json::to_string(&Failed { error: self }).unwrap_or_default()
    }

    /// Whether defaulting refuses the object.
    pub fn is_denied(&self) -> bool {
        self.code == Self::DENIED
    }
}

/// An answer, or the failure that came in its place.
pub fn read<'a, T: Deserialize<'a>>(answer: &'a str) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Failed<E> {
        error: E,
    }
    // What a failure says is worth more than that its fix has another form.
    #[derive(Deserialize)]
    struct Words {
        code: String,
        message: String,
    }
    if let Ok(Failed { error }) = serde_json::from_str(answer) {
        return Err(error);
    }
    if let Ok(Failed { error: Words { code, message } }) = serde_json::from_str(answer) {
        return Err(Failure::new(&code, message));
    }
    let unreadable = |error| format!("the policy's answer cannot be read: {error}");
    serde_json::from_str(answer).map_err(|error| Failure::new(Failure::UNKNOWN_ANSWER, unreadable(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_whose_fix_has_another_form_says_what_it_says() {
        let text = r#"{"error":{"code":"Denied","message":"no","fix":[{"op":"replace"}]}}"#;
        let failure = read::<serde_json::Value>(text).unwrap_err();
        assert_eq!((failure.code.as_str(), failure.message.as_str()), (Failure::DENIED, "no"));
    }
}
