//! The webhooks for objects of a Shoot are there before anything that they change.

use std::time::Duration;

use serde_json::Value;

use super::reconcile::wait as wait_until_gone;
use super::{ControlPlanes, SHOOT_WEBHOOKS, Stopped};
use crate::api_server::member::text;
use crate::api_server::objects::{Objects, namespace};
use crate::controller::health_check::{condition, managed_resource};
use crate::controller::runtime::actuator::{Ended, Task, Wait};
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::delivered::Delivered;
use crate::controller::runtime::managed_resources::deliver;
use crate::controller::runtime::status::Failure;

/// How long to wait until the gardener-resource-manager has applied them.
const MOST: Duration = Duration::from_mins(2);
/// How often to look.
const EVERY: Duration = Duration::from_secs(2);

impl ControlPlanes {
    /// Delivers the registration of the webhooks, and waits until the Shoot has it. In a Shoot that sleeps nobody
    /// applies it.
    pub(super) async fn deliver_webhooks(
        &self,
        task: Task<'_>,
        objects: &Objects,
        delivered: &Delivered,
    ) -> Result<(), Stopped> {
        let Some(webhooks) = self.webhooks() else { return Ok(()) };
        let listed = &delivered.resources;
        if listed.is_going(SHOOT_WEBHOOKS) {
            return Err(Stopped::Ended(wait_until_gone(SHOOT_WEBHOOKS)));
        }
        deliver(objects, namespace(task.object), listed, &webhooks, |secret| delivered.has(secret)).await?;
        if task.cluster.is_some_and(Cluster::hibernates) {
            return Ok(());
        }
        // What was written just now is not applied yet.
        let live = listed.get(SHOOT_WEBHOOKS);
        let is_current = |live: &&Value| live.pointer("/spec/secretRefs") == webhooks.spec.get("secretRefs");
        match live.filter(is_current).map(applied) {
            Some(Ok(())) => Ok(()),
            Some(Err(why)) => Err(Stopped::Ended(wait(&why))),
            None => Err(Stopped::Ended(wait("it has just been written"))),
        }
    }
}

/// Whether the gardener-resource-manager has applied all, and nothing is on its way any more.
fn applied(live: &Value) -> Result<(), String> {
    managed_resource::check(live)?;
    match condition(live, "ResourcesProgressing").map(|condition| text(condition, "/status")) {
        Some("False") => Ok(()),
        _ => Err("its objects are still on their way".to_owned()),
    }
}

fn wait(why: &str) -> Ended {
    let late = format!(
        "the ManagedResource `{SHOOT_WEBHOOKS}` is not healthy after {} minutes: {why}",
        MOST.as_secs() / 60
    );
    Ended::Waiting(Wait {
        what: "webhooks",
        text: format!("Waiting until the ManagedResource {SHOOT_WEBHOOKS} is applied: {why}"),
        every: EVERY,
        most: MOST,
        late: Failure::new(late),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn webhooks_are_applied_once_nothing_is_on_its_way() {
        let live = |progressing: Option<&str>| {
            let condition = |kind: &str, status: &str| json!({ "type": kind, "status": status, "message": "m" });
            let mut all = vec![condition("ResourcesApplied", "True"), condition("ResourcesHealthy", "True")];
            all.extend(progressing.map(|status| condition("ResourcesProgressing", status)));
            json!({
                "metadata": { "name": SHOOT_WEBHOOKS, "namespace": "n", "generation": 1 },
                "status": { "observedGeneration": 1, "conditions": all },
            })
        };
        for (progressing, is_applied) in [(Some("False"), true), (Some("True"), false), (None, false)] {
            assert_eq!(applied(&live(progressing)).is_ok(), is_applied, "{progressing:?}");
        }
        assert!(applied(&json!({ "metadata": { "generation": 2 } })).is_err(), "nobody has looked at it");
    }
}
