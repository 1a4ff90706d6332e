//! A ControlPlane is made, or brought to what is wanted.

use std::time::Duration;

use serde_json::Map;

use super::bounds::check;
use super::memory::Known;
use super::{ControlPlanes, Stopped};
use crate::api_server::objects::{Objects, namespace};
use crate::controller::runtime::actuator::{Ended, Task, Wait};
use crate::controller::runtime::delivered::Delivered;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::managed_resources::deliver;
use crate::controller::runtime::status::Failure;
use crate::controller::runtime::unchanged::StepInput;
use trellis_policies::answer::{ObjectName, Rendering};

/// How long to wait until a ManagedResource that somebody deletes is gone.
const MOST: Duration = Duration::from_mins(2);
/// How often to look.
const EVERY: Duration = Duration::from_secs(2);

impl ControlPlanes {
    /// Brings everything to what the policy renders.
    pub(super) async fn make(
        &self,
        task: Task<'_>,
        subject: StepInput,
        objects: &Objects,
    ) -> Result<Ended, Stopped> {
        let place = namespace(task.object);
        let mut conversation = self.asking.about(task, objects);
        self.deliver_webhooks(task, objects, conversation.delivered().await?).await?;
        let known = self.memory.of(place);
        let mut rendering = conversation.control_plane(&known.names).await?;
        check(&rendering, &self.asking.provider, place)?;
        let kept = self.keep_certificates(task, objects, &rendering).await?;
        if *kept.secrets() != known.names {
            rendering = conversation.control_plane(kept.secrets()).await?;
            check(&rendering, &self.asking.provider, place)?;
        }
        let access = self.keep_access(task, objects, &rendering).await?;
        if rendering.delete != known.gone {
            delete_leftovers(objects, Granted::of(&self.asking.provider), &rendering.delete).await?;
        }
        self.memory.keep(place, Known { names: kept.secrets().clone(), gone: rendering.delete.clone() });
        deliver_all(objects, place, &rendering, conversation.delivered().await?).await?;
        self.clean_certificates(task, objects, &kept).await?;
        if rendering.requeue {
            return Ok(Ended::Again(Map::new()));
        }
        let asked = conversation.read_besides_delivered();
        if let Some((access, mut asked)) = access.zip(asked) {
            asked.secrets.extend(access);
            asked.secrets.extend(kept.versions().clone());
            let delivered = conversation.delivered().await?;
            self.remember(task, subject, &rendering, delivered, asked);
        }
        Ok(Ended::Done(Map::new()))
    }
}

async fn deliver_all(
    objects: &Objects,
    namespace: &str,
    rendering: &Rendering,
    delivered: &Delivered,
) -> Result<(), Stopped> {
    let Some(all) = &rendering.managed_resources else {
        return Err(Failure::new("the policy renders nothing and does not say why").into());
    };
    for resource in all {
        if delivered.resources.is_going(&resource.name) {
            return Err(Stopped::Ended(wait(&resource.name)));
        }
        deliver(objects, namespace, &delivered.resources, resource, |secret| delivered.has(secret)).await?;
    }
    Ok(())
}

async fn delete_leftovers(objects: &Objects, granted: &Granted, all: &[ObjectName]) -> Result<(), Stopped> {
    for object in all {
        let of = granted.delete(object).map_err(|error| Failure::new(error.to_string()))?;
        objects.delete_named(of, &object.namespace, &object.name).await?;
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
