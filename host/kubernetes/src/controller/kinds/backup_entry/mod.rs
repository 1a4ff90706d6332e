//! BackupEntries: the Secret that etcd's backups need, and a run of the policy's plans that deletes what a bucket holds of
//! one control plane (reference: gardener-contract 1.7, A.2, A.3).

mod etcd_secret;

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::planned::{CONFIGURATION, Planned, reference};
use super::secret_finalizer::NamedSecret;
use crate::api_server::member::text;
use crate::api_server::objects::{Objects, is_deleted, name};
use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Actuator, Ended, Prepared, Retry, Task};
use crate::controller::runtime::kind::{BACKUP_ENTRY, Kind, Operation};
use crate::controller::runtime::status::Failure;
use etcd_secret::{EtcdSecret, share_backups};
use trellis_policies::answer;
use trellis_policies::engine::{Asker, Function};
use trellis_runner::document::{State, SubjectStatus};
use trellis_runner::plan::guard::Guard;

/// Reconciles BackupEntries.
pub struct BackupEntries(pub Arc<Planned>);

impl Actuator for BackupEntries {
    fn kind(&self) -> &'static Kind {
        &BACKUP_ENTRY
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        async move { self.carry_out(task).await.unwrap_or_else(|ended| ended) }.boxed()
    }

    fn prepare<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<Prepared, Retry>> {
        self.look_at_secret(task).boxed()
    }

    fn released<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<(), Retry>> {
        async move { self.secret(task).release().await }.boxed()
    }
}

impl BackupEntries {
    /// The Secret with the credentials must be there, and stay. An entry that is deleted without one is given up: nobody
    /// could delete anything.
    async fn look_at_secret(&self, task: Task<'_>) -> Result<Prepared, Retry> {
        let secret = self.secret(task);
        match task.operation {
            Operation::Delete if secret.read().await?.is_none() => Ok(Prepared::Release),
            Operation::Delete | Operation::Migrate => Ok(Prepared::Go),
            _ => secret.hold().await.map(|()| Prepared::Go),
        }
    }

    async fn carry_out(&self, task: Task<'_>) -> Result<Ended, Ended> {
        let objects = Objects::new(self.0.client.clone(), task.permit.clone(), task.deadline);
        let secret = EtcdSecret::of(name(task.object));
        match task.operation {
            // The other seed goes on with the same objects in the bucket.
            Operation::Migrate => Ok(Ended::Done(Map::new())),
            Operation::Delete => {
                let delete = async || {
                    let deleted = secret.delete(&objects).await;
                    deleted.map_err(|error| failed("failed to delete etcd secret", error))
                };
                // A cap of nothing may hold the deletion back, and etcd goes on with its backups meanwhile.
                let may_be_held = task.guard == Guard::Destructive(0);
                if !may_be_held {
                    delete().await?;
                }
                let ended = self.delete_backups(task, &objects).await?;
                if may_be_held && matches!(ended, Ended::Done(_)) {
                    delete().await?;
                }
                Ok(ended)
            }
            _ => {
                let has_place = secret.has_place(&objects).await;
                if has_place.map_err(|error| failed("failed to get seed namespace", error))? {
                    self.write_secret(task, &objects, secret).await?;
                }
                Ok(Ended::Done(Map::new()))
            }
        }
    }

    /// Writes the Secret that etcd's backups need.
    async fn write_secret(&self, task: Task<'_>, objects: &Objects, secret: EtcdSecret<'_>) -> Result<(), Ended> {
        let mut more = self.further_texts(task).await?;
        more.insert("bucketName".to_owned(), text(task.object, "/spec/bucketName").to_owned());
        let named = self.secret(task);
        let credentials = match named.read().await {
            Ok(Some(credentials)) => credentials,
            Ok(None) => return Err(failed_with(named.missing())),
            Err(Retry::Failed(why)) => return Err(failed_with(why)),
            Err(Retry::PermitEnded) => return Err(Ended::PermitEnded),
        };
        secret
            .write(objects, &credentials, &more)
            .await
            .map_err(|error| failed("failed to write etcd secret", error))
    }

    /// What the policy adds to the Secret.
    async fn further_texts(&self, task: Task<'_>) -> Result<State, Ended> {
        let Planned { policies, provider, threads, .. } = &*self.0;
        let request = json!({ "request": { "operation": "reconcile", "backupEntry": task.object } });
        let asker = Asker::new(policies.current(), provider, threads.clone());
        let answer = asker.ask(Function::Status, request.to_string(), task.deadline).await;
        let answer = answer.map_err(answer::Failure::from).and_then(|answer| answer::read(&answer));
        answer.map(|status: SubjectStatus| status.etcd_backup).map_err(unanswered)
    }

    /// Deletes what the bucket holds of the control plane, unless another entry keeps its backups there.
    async fn delete_backups(&self, task: Task<'_>, objects: &Objects) -> Result<Ended, Ended> {
        let all = objects.list(&BACKUP_ENTRY.objects(), "", "").await;
        let all = all.map_err(|error| failed("failed to list backup entries", error))?;
        let is_other = |other: &&Value| name(other) != name(task.object) && share_backups(other, task.object);
        match all.iter().filter(is_other).find(|other| !is_deleted(other)) {
            None => Ok(self.0.operate(&BACKUP_ENTRY, task).await),
            Some(other) => {
                let bucket = text(task.object, "/spec/bucketName");
                let note = format!(
                    "the objects in the bucket `{bucket}` stay: the BackupEntry `{}` has its backups there too, and they stay \
                     until it is deleted",
                    name(other)
                );
                tracing::info!("{note}");
                if let Some(reference) = reference(task.object, &BACKUP_ENTRY) {
                    task.events.inform(&reference, "ObjectsKept", task.operation, &note).await;
                }
                Ok(Ended::Done(Map::new()))
            }
        }
    }

    fn secret<'t>(&self, task: Task<'t>) -> NamedSecret<'t> {
        NamedSecret::of(&BACKUP_ENTRY, &self.0.client, task)
    }
}

/// The policy has no answer, perhaps because of what a person has to fix in the object.
fn unanswered(failure: answer::Failure) -> Ended {
    let is_malformed = failure.code == answer::Failure::MALFORMED;
    let failure = Failure::new(failure.message);
    Ended::Failed(if is_malformed { failure.coded(CONFIGURATION) } else { failure }, Map::new())
}

fn failed(what: &str, error: WriteError) -> Ended {
    match error {
        WriteError::PermitEnded(_) => Ended::PermitEnded,
        error @ WriteError::Api(_) => failed_with(format!("{what}: {error}")),
    }
}

fn failed_with(why: String) -> Ended {
    Ended::Failed(Failure::new(why), Map::new())
}

#[cfg(test)]
mod tests;
