//! What a run asked of a cloud, in numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

/// Numbers of answered requests and of waits of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Requests by call, such as `vpc:CreateVpc`, and by the error code of the answer, which is empty where there
    /// was none.
    pub requests: BTreeMap<String, BTreeMap<String, u64>>,
    /// How often a call waited for its turn.
    pub waits: u64,
    /// How long calls waited for their turns, in milliseconds.
    pub waited: u64,
}

impl Tally {
    /// Counts a request.
    pub fn request(&mut self, service: &str, action: &str, code: &str) {
        *self.requests.entry(format!("{service}:{action}")).or_default().entry(code.to_owned()).or_default() += 1;
    }

    /// Counts a wait.
    pub fn wait(&mut self, time: Duration) {
        self.waits += 1;
        self.waited += u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    }
}
