//! For which requests of gardenlet the list of machine deployments was reported.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::api_server::member::text;
use serde_json::Value;

/// The annotation with the time of gardenlet's request.
const TIME: &str = "/metadata/annotations/gardener.cloud~1timestamp";

/// The Workers that wait, by their uids, each with the time of the request. gardenlet waits for a new list at each
/// request, and may make one while an older one waits.
#[derive(Debug, Default)]
pub struct ReportedRequests(Mutex<HashMap<String, String>>);

impl ReportedRequests {
    /// Whether the list was reported for the newest request already.
    pub fn has(&self, worker: &Value) -> bool {
        let reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reported.get(text(worker, "/metadata/uid")).is_some_and(|time| time == text(worker, TIME))
    }

    /// Records that the list is reported.
    pub fn note(&self, worker: &Value) {
        let (uid, time) = (text(worker, "/metadata/uid").to_owned(), text(worker, TIME).to_owned());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(uid, time);
    }

    /// The Worker waits no longer: the next attempt reports the list again.
    pub fn forget(&self, worker: &Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(text(worker, "/metadata/uid"));
    }
}
