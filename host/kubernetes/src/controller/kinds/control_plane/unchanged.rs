//! What a step of a ControlPlane saw that is done:
//! [`Unchanged`](crate::controller::runtime::unchanged::Unchanged).

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::Instant;

use super::bounds::{IDENTITY, identity};
use super::{ControlPlanes, Stopped};
use crate::api_server::objects::{Head, Objects, ResourceVersions, namespace};
use crate::api_server::resource::{DEPLOYMENTS, MANAGED_RESOURCES, SECRETS};
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::asking::ReadObjects;
use crate::controller::runtime::delivered::{Delivered, PREFIX};
use crate::controller::runtime::unchanged::StepInput;
use trellis_policies::answer::{ManagedResource, Rendering};

/// How long nothing but versions is looked at. Certificates are due days before their end, so a day later is early
/// enough.
const MOST: Duration = Duration::from_hours(24);

/// What a step saw.
#[derive(Clone)]
pub struct Seen {
    /// The ManagedResources of the control plane.
    resources: ResourceVersions,
    /// The Secrets: with manifests, with certificates, for tokens, and those that the policy asked for.
    secrets: ResourceVersions,
    /// The Deployments that the policy asked for.
    deployments: ResourceVersions,
    /// What registers webhooks in the Shoot.
    webhooks: Option<Arc<ManagedResource>>,
    at: Instant,
}

impl ControlPlanes {
    /// Whether nothing has changed of a ControlPlane, and nothing is due.
    pub(super) async fn is_unchanged(
        &self,
        task: Task<'_>,
        subject: &StepInput,
        objects: &Objects,
    ) -> Result<bool, Stopped> {
        let is_same = match self.unchanged.of(task, subject) {
            Some(seen) if self.is_current(&seen) => self.is_there(&seen, objects, namespace(task.object)).await?,
            _ => false,
        };
        if !is_same {
            self.unchanged.forget(task.object);
        }
        Ok(is_same)
    }

    /// Remembers what a step saw that is done. `read` is what it read in addition to what was delivered. A step
    /// that made manifests has not seen them, and is not remembered.
    pub(super) fn remember(
        &self,
        task: Task<'_>,
        subject: StepInput,
        rendering: &Rendering,
        delivered: &Delivered,
        read: ReadObjects,
    ) {
        let ReadObjects { mut secrets, deployments } = read;
        let resources = delivered.resources.versions(PREFIX);
        secrets.extend(delivered.secrets.clone());
        let webhooks = self.webhooks();
        let rendered = || rendering.managed_resources.iter().flatten().chain(webhooks.as_deref());
        let has_seen_all = rendered().all(|one| {
            let manifests = one.secret.as_ref();
            resources.contains_key(&one.name) && manifests.is_none_or(|secret| secrets.contains_key(&secret.name))
        });
        if has_seen_all {
            let seen = Seen { resources, secrets, deployments, webhooks, at: Instant::now() };
            self.unchanged.keep(task.object, subject, seen);
        }
    }

    fn is_current(&self, seen: &Seen) -> bool {
        let is_same = match (&seen.webhooks, &self.webhooks()) {
            (Some(seen), Some(now)) => Arc::ptr_eq(seen, now),
            (seen, now) => seen.is_none() && now.is_none(),
        };
        is_same && seen.at.elapsed() < MOST
    }

    /// Whether the objects of a namespace are those that the step saw, and there are no further ones of their
    /// kinds.
    async fn is_there(&self, seen: &Seen, objects: &Objects, namespace: &str) -> Result<bool, Stopped> {
        let deployments = seen.deployments.keys().map(|name| objects.head(&DEPLOYMENTS, namespace, name));
        let (resources, secrets, deployments) = tokio::try_join!(
            objects.heads(&MANAGED_RESOURCES, namespace),
            objects.heads(&SECRETS, namespace),
            try_join_all(deployments),
        )?;
        let manager = identity(&self.asking.provider);
        let is_seen =
            |secret: &Head| seen.secrets.contains_key(&secret.name) || secret.has_label(IDENTITY, &manager);
        let deployments = deployments.into_iter().flatten().collect();
        Ok(versions(resources, |resource| resource.name.starts_with(PREFIX)) == seen.resources
            && versions(secrets, is_seen) == seen.secrets
            && versions(deployments, |_| true) == seen.deployments)
    }
}

fn versions(all: Vec<Head>, is_seen: impl Fn(&Head) -> bool) -> ResourceVersions {
    all.into_iter().filter(is_seen).map(|Head { name, version, .. }| (name, version)).collect()
}
