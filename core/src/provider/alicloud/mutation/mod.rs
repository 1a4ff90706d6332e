//! What the webhooks change (`alicloud-policy` 3.3 and 4).

mod cluster;
mod credentials;
mod deployments;
mod etcd;
mod nodes;
mod services;
mod sidecar;

use crate::policy::{MutateRequest, Mutated, Mutation, RequestError, Webhook, kind_of, unsupported_by};
use crate::report::{Report, Rule};

/// An object that is being changed, and what is found on the way.
struct Change<'c, 'r> {
    request: &'c MutateRequest<'r>,
    mutated: Mutated<'r>,
    report: Report<'c>,
}

impl Change<'_, '_> {
    /// Refuses the object, and says what to do.
    fn refuse(&mut self, rule: &'static Rule, pointer: &str, detail: String, remedy: &'static str) {
        let _ = self.report.deny(rule, pointer, detail).remedy(remedy);
    }
}

/// Changes an object as its webhook does.
pub fn mutate(request: &MutateRequest<'_>) -> Result<Mutation, RequestError> {
    let mut change = Change {
        request,
        mutated: Mutated::of(request.object),
        // An OperatingSystemConfig has secrets too.
        report: Report::of_secret(request.object),
    };
    let mutate = handler(request)?;
    if !request.is_deleted() {
        mutate(&mut change)?;
    }
    let (findings, undecided) = change.report.into_parts();
    Ok(Mutation::of(change.mutated, findings, undecided))
}

type Handler = fn(&mut Change<'_, '_>) -> Result<(), RequestError>;

/// What changes an object: objects of other names stay as they are, and other kinds do not come to the webhook.
fn handler(request: &MutateRequest<'_>) -> Result<Handler, RequestError> {
    let (kind, api_version) = kind_of(request.object);
    let handlers: &[(&str, Handler)] = match (request.webhook, api_version, kind) {
        (Webhook::ControlPlane, "apps/v1", "Deployment") => &[
            ("kube-controller-manager", deployments::kube_controller_manager),
            ("virtual-garden-kube-controller-manager", deployments::kube_controller_manager),
            ("machine-controller-manager", sidecar::machine_controller_manager),
        ],
        (Webhook::ControlPlane, "apps/v1", "StatefulSet") => &[],
        (Webhook::ControlPlane, "autoscaling.k8s.io/v1", "VerticalPodAutoscaler") => {
            &[("machine-controller-manager-vpa", sidecar::autoscaler)]
        }
        (Webhook::SeedProvider, "druid.gardener.cloud/v1alpha1", "Etcd") => &[
            ("etcd-main", etcd::main),
            ("etcd-events", etcd::others),
            ("virtual-garden-etcd-main", etcd::others),
            ("virtual-garden-etcd-events", etcd::others),
        ],
        (Webhook::CloudProvider, "v1", "Secret") => &[("cloudprovider", credentials::secret)],
        // Whatever their names.
        (Webhook::ControlPlane, "extensions.gardener.cloud/v1alpha1", "OperatingSystemConfig") => {
            return Ok(nodes::operating_system_config);
        }
        (Webhook::Shoot, "v1", "Service") => return Ok(services::service),
        (webhook, ..) => return Err(unsupported_by(request.object, seen_by(webhook))),
    };
    let known = handlers.iter().find(|(name, _)| *name == request.name());
    Ok(known.map_or(nothing, |(_, handler)| *handler))
}

/// What a webhook sees, as the end of a sentence.
fn seen_by(webhook: Webhook) -> &'static str {
    match webhook {
        Webhook::ControlPlane => {
            "the webhook `controlplane` sees; it sees Deployments, StatefulSets, VerticalPodAutoscalers and OperatingSystemConfigs"
        }
        Webhook::SeedProvider => "the webhook `seedprovider` sees; it sees Etcds",
        Webhook::CloudProvider => "the webhook `cloudprovider` sees; it sees Secrets",
        Webhook::Shoot => "the webhook `shoot` sees; it sees Services",
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a handler as the others")]
fn nothing(_: &mut Change<'_, '_>) -> Result<(), RequestError> {
    Ok(())
}
