//! BackupBuckets: a run of the policy's plans for each operation, while a finalizer holds the Secret with the credentials
//! (reference: gardener-contract 1.6, A.1).

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::planned::Planned;
use super::secret_finalizer::NamedSecret;
use crate::controller::runtime::actuator::{Actuator, Ended, Prepared, Retry, Task};
use crate::controller::runtime::kind::{BACKUP_BUCKET, Kind, Operation};
use crate::controller::runtime::status::Failure;

/// How long to wait until objects of a bucket may have come to the end of their retention: they are kept for days.
const RETAINED: Duration = Duration::from_hours(1);
/// The code of what ends by itself.
const RETRYABLE: &str = "ERR_RETRYABLE_INFRA_DEPENDENCIES";

/// Reconciles BackupBuckets.
pub struct BackupBuckets(pub Arc<Planned>);

impl Actuator for BackupBuckets {
    fn kind(&self) -> &'static Kind {
        &BACKUP_BUCKET
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.carry_out(task).boxed()
    }

    fn prepare<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<Prepared, Retry>> {
        self.hold_secret(task).boxed()
    }

    fn released<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<(), Retry>> {
        async move { self.secret(task).release().await }.boxed()
    }
}

impl BackupBuckets {
    fn secret<'t>(&self, task: Task<'t>) -> NamedSecret<'t> {
        NamedSecret::of(&BACKUP_BUCKET, &self.0.client, task)
    }

    async fn hold_secret(&self, task: Task<'_>) -> Result<Prepared, Retry> {
        if task.operation != Operation::Delete {
            self.secret(task).hold().await?;
        }
        Ok(Prepared::Go)
    }

    async fn carry_out(&self, task: Task<'_>) -> Ended {
        match self.0.operate(&BACKUP_BUCKET, task).await {
            Ended::Failed(failure, members) => Ended::Failed(later(failure, task.operation), members),
            ended => ended,
        }
    }
}

/// A deletion that the policy refuses because of what ends by itself begins again after a while.
fn later(failure: Failure, operation: Operation) -> Failure {
    let is_retained = operation == Operation::Delete && failure.is_refused && failure.codes == [RETRYABLE];
    if is_retained { Failure { after: Some(RETAINED), ..failure } } else { failure }
}

#[cfg(test)]
mod tests;
