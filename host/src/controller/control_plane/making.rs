//! A ControlPlane is made, or brought to what is wanted.

use std::time::Duration;

use serde_json::Map;

use super::bounds::check;
use super::{ControlPlanes, Stopped};
use crate::answer::{ObjectName, Rendering};
use crate::controller::actuator::{Ended, Task, Wait};
use crate::controller::asking::Conversation;
use crate::controller::managed_resources::{Listed, deliver};
use crate::controller::objects::{Objects, namespace};
use crate::controller::resource::{AUTOSCALERS, DEPLOYMENTS, DISRUPTION_BUDGETS, Resource, SERVICES};
use crate::controller::status::Failure;

/// How long to wait until a ManagedResource that somebody deletes is gone.
const MOST: Duration = Duration::from_mins(2);
/// How often to look.
const EVERY: Duration = Duration::from_secs(2);
/// Kinds of what earlier releases left behind.
static LEFT: [&Resource; 4] = [&DEPLOYMENTS, &SERVICES, &DISRUPTION_BUDGETS, &AUTOSCALERS];

impl ControlPlanes {
    /// Brings everything to what the policy renders.
    pub(super) async fn make(&self, task: Task<'_>, objects: &Objects) -> Result<Ended, Stopped> {
        let place = namespace(task.object);
        let listed = Listed::read(objects, place).await?;
        self.deliver_webhooks(task, objects, &listed).await?;
        let mut conversation = self.asking.about(task, objects);
        let known = self.memory.names(place);
        let mut rendering = conversation.control_plane(&known).await?;
        check(&rendering, &self.asking.provider, place)?;
        let kept = self.keep_certificates(task, objects, &rendering).await?;
        if *kept.secrets() != known {
            rendering = conversation.control_plane(kept.secrets()).await?;
            check(&rendering, &self.asking.provider, place)?;
            self.memory.keep(place, kept.secrets());
        }
        self.keep_access(task, objects, &rendering).await?;
        delete_leftovers(objects, &rendering).await?;
        self.deliver_all(place, objects, &listed, &rendering, &conversation).await?;
        self.clean_certificates(task, objects, &kept).await?;
        Ok(if rendering.requeue { Ended::Again(Map::new()) } else { Ended::Done(Map::new()) })
    }

    async fn deliver_all(
        &self,
        place: &str,
        objects: &Objects,
        listed: &Listed,
        rendering: &Rendering,
        conversation: &Conversation<'_>,
    ) -> Result<(), Stopped> {
        let Some(all) = &rendering.managed_resources else {
            return Err(Failure::new("the policy renders nothing and does not say why").into());
        };
        for resource in all {
            if listed.is_going(&resource.name) {
                return Err(Stopped::Ended(wait(&resource.name)));
            }
            deliver(objects, place, listed, resource, |secret| conversation.has_seen(secret)).await?;
        }
        Ok(())
    }
}

async fn delete_leftovers(objects: &Objects, rendering: &Rendering) -> Result<(), Stopped> {
    for ObjectName { api_version, kind, namespace, name } in &rendering.delete {
        let known = LEFT.iter().find(|of| of.kind == kind && of.api_version() == *api_version);
        let of =
            known.ok_or_else(|| Failure::new(format!("the policy wants a {kind} deleted, which nobody may")))?;
        objects.delete_named(of, namespace, name).await?;
    }
    Ok(())
}

/// Waits until a ManagedResource is gone that an operation before has deleted.
pub(super) fn wait(name: &str) -> Ended {
    Ended::Waiting(Wait {
        what: "deletion",
        text: format!("Waiting until the ManagedResource {name} of an operation before is deleted"),
        every: EVERY,
        most: MOST,
        late: Failure::new(format!("the ManagedResource `{name}` is being deleted, and does not go")),
    })
}
