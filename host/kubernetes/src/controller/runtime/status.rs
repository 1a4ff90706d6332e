//! What is written into the status, by merge patches (reference: gardener-contract 2.3).

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::controller::runtime::extension::SUCCEEDED;
use crate::controller::runtime::kind::{Kind, Operation};

/// The most bytes of a text.
const MOST_BYTES: usize = 4 << 10;

/// Why an operation is not done, for people and for gardenlet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Whether the configuration is refused, and nothing was tried.
    pub is_refused: bool,
    /// What is wrong, and what to do.
    pub message: String,
    /// Gardener error codes, sorted.
    pub codes: Vec<String>,
    /// When to try again, where the time is known; it does not count as one more failure then.
    pub after: Option<Duration>,
}

impl Failure {
    /// Something failed.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// With a Gardener error code.
    pub fn coded(self, code: &str) -> Self {
        Self { codes: vec![code.to_owned()], ..self }
    }
}

/// `lastOperation.state` of what goes on.
pub const PROCESSING: &str = "Processing";

/// An operation begins.
pub fn processing(kind: &Kind, operation: Operation) -> Value {
    let last = last_operation(operation, PROCESSING, 1, kind.words(operation).processing);
    json!({ "lastOperation": last })
}

/// What an operation waits for.
pub fn waiting(text: &str) -> Value {
    json!({ "lastOperation": { "description": text, "lastUpdateTime": now() } })
}

/// How far an operation is, in percent.
pub fn progress(percent: u8) -> Value {
    json!({ "lastOperation": { "progress": percent.clamp(1, 99), "lastUpdateTime": now() } })
}

/// An operation failed. `generation` is that of the object with which it began.
pub fn error(kind: &Kind, operation: Operation, generation: Option<i64>, failure: &Failure) -> Value {
    let text = text(kind, operation, failure);
    // A merge patch keeps what it does not name: old codes must go.
    let codes = if failure.codes.is_empty() { Value::Null } else { json!(failure.codes) };
    let last_error = json!({ "description": text, "lastUpdateTime": now(), "codes": codes });
    json!({
        "lastOperation": last_operation(operation, "Error", 50, &text),
        "lastError": last_error,
        "observedGeneration": generation,
    })
}

/// An operation is done. `members` are further members of the status.
pub fn success(kind: &Kind, operation: Operation, generation: Option<i64>, members: Map<String, Value>) -> Value {
    let mut status = members;
    let last = last_operation(operation, SUCCEEDED, 100, kind.words(operation).succeeded);
    status.insert("lastOperation".to_owned(), last);
    status.insert("lastError".to_owned(), Value::Null);
    status.insert("observedGeneration".to_owned(), json!(generation));
    Value::Object(status)
}

/// `<description>: <error>`, its first letter in upper case, cut to what people read.
pub fn text(kind: &Kind, operation: Operation, failure: &Failure) -> String {
    let words = kind.words(operation);
    let before = if failure.is_refused { words.refused } else { words.failed };
    let mut text = format!("{before}: {}", failure.message);
    if text.len() > MOST_BYTES {
        text.truncate(text.floor_char_boundary(MOST_BYTES - '…'.len_utf8()));
        text.push('…');
    }
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn last_operation(operation: Operation, state: &str, progress: u8, description: &str) -> Value {
    json!({
        "type": operation.name(),
        "state": state,
        "progress": progress,
        "description": description,
        "lastUpdateTime": now(),
    })
}

/// The time of this moment, cut to whole seconds: gardenlet compares it with the time of its annotation, which it
/// cuts too.
pub(super) fn now() -> String {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::kind::INFRASTRUCTURE;
    use super::*;

    fn without_times(mut patch: Value) -> Value {
        for part in ["lastOperation", "lastError"] {
            if let Some(part) = patch.get_mut(part).and_then(Value::as_object_mut) {
                let time = part.shift_remove("lastUpdateTime").unwrap();
                assert_eq!(time.as_str().unwrap().len(), "2026-01-01T00:00:00Z".len());
            }
        }
        patch
    }

    #[test]
    fn each_write_has_its_state_its_progress_and_its_words() {
        let begun = without_times(processing(&INFRASTRUCTURE, Operation::Create));
        let last = json!({ "type": "Create", "state": "Processing", "progress": 1, "description": "Reconciling the infrastructure" });
        assert_eq!(begun, json!({ "lastOperation": last }));
        let members = Map::from_iter([("egressCIDRs".to_owned(), json!(["192.0.2.1/32"]))]);
        let done = without_times(success(&INFRASTRUCTURE, Operation::Restore, Some(3), members));
        let last = json!({ "type": "Restore", "state": "Succeeded", "progress": 100, "description": "Successfully restored Infrastructure" });
        let status = json!({
            "egressCIDRs": ["192.0.2.1/32"], "lastOperation": last, "lastError": null, "observedGeneration": 3,
        });
        assert_eq!(done, status);
    }

    #[test]
    fn an_error_has_its_text_twice_and_no_codes_of_an_older_one() {
        let failure = Failure { codes: vec!["ERR_A".to_owned()], ..Failure::new("no quota") };
        let status = without_times(error(&INFRASTRUCTURE, Operation::Reconcile, Some(2), &failure));
        let text = "Error reconciling infrastructure: no quota";
        let last = json!({ "type": "Reconcile", "state": "Error", "progress": 50, "description": text });
        let last_error = json!({ "description": text, "codes": ["ERR_A"] });
        let expected = json!({ "lastOperation": last, "lastError": last_error, "observedGeneration": 2 });
        assert_eq!(status, expected);
        let refused = Failure { is_refused: true, ..Failure::new("zone") };
        let status = error(&INFRASTRUCTURE, Operation::Restore, None, &refused);
        assert_eq!(status["lastError"]["codes"], Value::Null);
        assert_eq!(status["lastError"]["description"], "Error checking Infrastructure config: zone");
        let long = super::text(&INFRASTRUCTURE, Operation::Delete, &Failure::new("ü".repeat(9000)));
        assert!(long.len() <= MOST_BYTES && long.ends_with("ü…"));
    }
}
