//! The Secrets next to what a control plane delivers: certificates, and tokens for the Shoot's API server.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::bounds::{check_secrets, identity};
use super::{ControlPlanes, Stopped};
use crate::api_server::objects::{Head, Objects, ResourceVersions, name, namespace};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::SECRETS;
use crate::certificates::{CurrentCertificates, DesiredCertificates, KeepError, Keeper, Rotation, access};
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::secret_store::SecretsOf;
use crate::controller::runtime::status::Failure;
use trellis_policies::answer::Rendering;

impl From<KeepError<WriteError>> for Stopped {
    fn from(error: KeepError<WriteError>) -> Self {
        match error {
            KeepError::Store(error) => Self::Write(error),
            error => Failure::new(format!("the certificates of the control plane cannot be kept: {error}")).into(),
        }
    }
}

impl ControlPlanes {
    /// Makes certificates that are missing or due, and returns what is in use now.
    pub(super) async fn keep_certificates(
        &self,
        task: Task<'_>,
        objects: &Objects,
        rendering: &Rendering,
    ) -> Result<CurrentCertificates, Stopped> {
        let wanted =
            DesiredCertificates::read(&rendering.secrets).map_err(|error| Failure::new(error.to_string()))?;
        let shoot = task.cluster.and_then(Cluster::shoot).unwrap_or_default();
        let (place, rotation) = (namespace(task.object), Rotation::of(&shoot));
        Ok(self.keeper(objects, place).keep(place, &wanted, rotation, Timestamp::now()).await?)
    }

    /// Deletes certificates that nothing uses any more, once all that uses them knows the new ones.
    pub(super) async fn clean_certificates(
        &self,
        task: Task<'_>,
        objects: &Objects,
        kept: &CurrentCertificates,
    ) -> Result<(), Stopped> {
        Ok(self.keeper(objects, namespace(task.object)).clean(kept).await?)
    }

    /// Deletes all certificates.
    pub(super) async fn delete_certificates(&self, task: Task<'_>, objects: &Objects) -> Result<(), Stopped> {
        let manager = identity(&self.asking.provider);
        Ok(self.keeper(objects, namespace(task.object)).delete(&manager).await?)
    }

    /// Makes the Secrets that get tokens. Whatever token is there stays. Returns those Secrets as they were; none
    /// where one was not as it is wanted.
    pub(super) async fn keep_access(
        &self,
        task: Task<'_>,
        objects: &Objects,
        rendering: &Rendering,
    ) -> Result<Option<ResourceVersions>, Stopped> {
        let place = namespace(task.object);
        let mut seen = Some(ResourceVersions::new());
        let all = access::wanted(&rendering.secrets, place);
        if all.is_empty() {
            return Ok(seen);
        }
        let listed = objects.list(&SECRETS, place, &access::selector()).await?;
        for wanted in all {
            let change = |live: Option<&Value>| match live {
                None => Some(wanted.clone()),
                Some(live) => access::missing(live, &wanted),
            };
            let live = listed.iter().find(|live| name(live) == name(&wanted));
            if let Some(live) = live.filter(|live| change(Some(live)).is_none()) {
                let Head { name, version, .. } = Head::of(live);
                seen.as_mut().map(|seen| seen.insert(name, version));
                continue;
            }
            // One without its label is not among those that were listed.
            objects.change(&SECRETS, place, name(&wanted), change).await?;
            seen = None;
        }
        Ok(seen)
    }

    /// Deletes the Secrets with tokens. Where the policy cannot name them, they stay, because gardenlet deletes
    /// the namespace next.
    pub(super) async fn delete_access(&self, task: Task<'_>, objects: &Objects) -> Result<(), Stopped> {
        let place = namespace(task.object);
        let known = match self.asking.about(task, objects).preview().await {
            Ok(known) => known,
            Err(failure) => {
                tracing::warn!("Secrets with tokens stay until their namespace goes: {}", failure.message);
                return Ok(());
            }
        };
        check_secrets(&known.secrets, &self.asking.provider)?;
        for secret in access::wanted(&known.secrets, place) {
            objects.delete_named(&SECRETS, place, name(&secret)).await?;
        }
        Ok(())
    }

    fn keeper(&self, objects: &Objects, namespace: &str) -> Keeper<SecretsOf> {
        let secrets = SecretsOf { objects: objects.clone(), namespace: namespace.to_owned() };
        Keeper::with_keys(secrets, Arc::clone(&self.keys))
    }
}
