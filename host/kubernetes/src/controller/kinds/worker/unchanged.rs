//! What a step of a Worker saw that had nothing to do:
//! [`Unchanged`](crate::controller::runtime::unchanged::Unchanged).

use jiff::Timestamp;
use serde_json::Value;

use super::classes::SECRETS_OF_CLASSES;
use super::{During as _, Read, Stopped, Workers, status};
use crate::api_server::objects::{Head, Objects, ResourceVersions, namespace};
use crate::api_server::resource::{MACHINE_CLASSES, MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, SECRETS};
use crate::controller::runtime::actuator::{Ended, Task};
use crate::controller::runtime::unchanged::StepInput;
use trellis_policies::digest::Digest;

/// What a step saw.
#[derive(Clone)]
pub struct Seen {
    /// Of all machine deployments, machine sets, machines and machine classes, and of the Secrets of the classes.
    machines: Digest,
    /// The Secrets that the policy asked for.
    secrets: ResourceVersions,
}

impl Workers {
    /// Ends the step of a Worker of which nothing has changed; none where something has, or may have.
    pub(super) async fn unchanged(
        &self,
        task: Task<'_>,
        subject: &StepInput,
        objects: &Objects,
    ) -> Result<Option<Ended>, Stopped> {
        let worker = task.object;
        let is_same = match self.unchanged.of(task, subject) {
            Some(seen) => Box::pin(seen.is_there(objects, namespace(worker))).await?,
            None => false,
        };
        if !is_same {
            self.unchanged.forget(worker);
            return Ok(None);
        }
        // gardenlet waits for a later list at each request.
        Ok(Some(Ended::Done(status::again(worker, Timestamp::now()))))
    }

    /// Remembers what a step saw that is done. `secrets` are those that the policy asked for.
    pub(super) fn remember(&self, task: Task<'_>, subject: StepInput, read: &Read, secrets: ResourceVersions) {
        let heads = |objects: &[Value]| objects.iter().map(Head::of).collect::<Vec<_>>();
        let Read { deployments, sets, machines, classes, secrets: of_classes } = read;
        let machines = versions([deployments, sets, machines, classes, of_classes].map(|all| heads(all)));
        self.unchanged.keep(task.object, subject, Seen { machines, secrets });
    }
}

impl Seen {
    /// Whether the objects of a namespace are those that the step saw.
    async fn is_there(&self, objects: &Objects, namespace: &str) -> Result<bool, Stopped> {
        let read = tokio::try_join!(
            objects.heads(&MACHINE_DEPLOYMENTS, namespace),
            objects.heads(&MACHINE_SETS, namespace),
            objects.heads(&MACHINES, namespace),
            objects.heads(&MACHINE_CLASSES, namespace),
            objects.heads(&SECRETS, namespace),
        );
        let (deployments, sets, machines, classes, secrets) = read.during("the machines cannot be read")?;
        let asked: ResourceVersions = secrets
            .iter()
            .filter(|secret| self.secrets.contains_key(&secret.name))
            .map(|secret| (secret.name.clone(), secret.version.clone()))
            .collect();
        let is_of_class = |secret: &Head| {
            SECRETS_OF_CLASSES.split_once('=').is_some_and(|(label, value)| secret.has_label(label, value))
        };
        let of_classes = secrets.into_iter().filter(is_of_class).collect();
        Ok(asked == self.secrets && versions([deployments, sets, machines, classes, of_classes]) == self.machines)
    }
}

/// Names and versions of objects, kind by kind.
fn versions(kinds: [Vec<Head>; 5]) -> Digest {
    let mut text = String::new();
    for mut heads in kinds {
        heads.sort_by(|a, b| a.name.cmp(&b.name));
        for Head { name, version, .. } in heads {
            text.extend([&name, " ", &version, "\n"]);
        }
        text.push('\n');
    }
    Digest::of(text.as_bytes())
}
