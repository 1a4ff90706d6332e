//! DNSRecords: a run of the policy's plans for each operation, with few calls a second.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::planned::{CONFIGURATION, Planned, UNAUTHENTICATED, reference};
use crate::api_server::member::text;
use crate::controller::runtime::actuator::{Actuator, Ended, Task};
use crate::controller::runtime::kind::{DNS_RECORD, Kind, Operation};
use crate::controller::runtime::status::Failure;

/// When an operation begins again for whose calls there was no room, as with the existing extension.
const THROTTLED: Duration = Duration::from_secs(30);
/// The code of a call for which there was no room among others.
const RATE_LIMITED: &str = "ERR_INFRA_RATE_LIMITS_EXCEEDED";
/// The codes of failures that another attempt does not change: the Secret is missing or lacks a part, or the cloud
/// does not take the credentials, or not for this.
const LASTING: [&str; 3] = [CONFIGURATION, UNAUTHENTICATED, "ERR_INFRA_UNAUTHORIZED"];

/// Reconciles DNSRecords.
pub struct DnsRecords {
    /// Carries out what the policy plans.
    pub planned: Arc<Planned>,
}

impl Actuator for DnsRecords {
    fn kind(&self) -> &'static Kind {
        &DNS_RECORD
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.operate(task).boxed()
    }
}

impl DnsRecords {
    async fn operate(&self, task: Task<'_>) -> Ended {
        // The records stay, and the state is in the status already.
        if task.operation == Operation::Migrate {
            return Ended::Done(Map::new());
        }
        let (failure, members) = match self.planned.operate(&DNS_RECORD, task).await {
            Ended::Failed(failure, members) => (failure, members),
            ended => return ended,
        };
        if task.is_forced && failure.codes.iter().any(|code| LASTING.contains(&code.as_str())) {
            self.show_what_stays(task, &failure).await;
            return Ended::Done(Map::new());
        }
        Ended::Failed(Failure { after: after(&failure), ..failure }, members)
    }

    /// Warns of the records that a forced deletion leaves behind.
    async fn show_what_stays(&self, task: Task<'_>, failure: &Failure) {
        let Some(reference) = reference(task.object, &DNS_RECORD) else { return };
        let of = |pointer: &str| text(task.object, pointer);
        let values = task.object.pointer("/spec/values").and_then(Value::as_array).into_iter().flatten();
        let values: Vec<&str> = values.filter_map(Value::as_str).collect();
        let (name, record_type, values) = (of("/spec/name"), of("/spec/recordType"), values.join(", "));
        let words = format!(
            "the records {name} {record_type} ({values}) stay, because nobody can delete them: {}",
            failure.message
        );
        tracing::warn!("{words}");
        task.events.warn(&reference, "RecordsLeft", task.operation, &words).await;
    }
}

/// When an operation begins again that failed, where that is not the usual time.
fn after(failure: &Failure) -> Option<Duration> {
    failure.codes.iter().any(|code| code == RATE_LIMITED).then_some(THROTTLED)
}

#[cfg(test)]
mod tests;
