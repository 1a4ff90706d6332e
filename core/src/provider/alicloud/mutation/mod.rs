//! What the webhooks change (`alicloud-policy` 3.3 and 4).

mod cluster;
mod credentials;
mod deployments;
mod etcd;
mod nodes;
mod services;
mod sidecar;

use crate::policy::{MutateRequest, Mutated, Mutation, RequestError, Webhook, kind_of, unsupported};
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
        drop(self.report.deny(rule, pointer, detail).remedy(remedy));
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
    let name = request.name();
    Ok(match (request.webhook, api_version, kind) {
        (Webhook::ControlPlane, "apps/v1", "Deployment") => match name {
            "kube-controller-manager" | "virtual-garden-kube-controller-manager" => {
                deployments::kube_controller_manager
            }
            "machine-controller-manager" => sidecar::machine_controller_manager,
            _ => nothing,
        },
        (Webhook::ControlPlane, "autoscaling.k8s.io/v1", "VerticalPodAutoscaler")
            if name == "machine-controller-manager-vpa" =>
        {
            sidecar::autoscaler
        }
        (Webhook::ControlPlane, "extensions.gardener.cloud/v1alpha1", "OperatingSystemConfig") => {
            nodes::operating_system_config
        }
        (Webhook::ControlPlane, "autoscaling.k8s.io/v1", "VerticalPodAutoscaler")
        | (Webhook::ControlPlane, "apps/v1", "StatefulSet") => nothing,
        (Webhook::SeedProvider, "druid.gardener.cloud/v1alpha1", "Etcd") => match name {
            "etcd-main" => etcd::main,
            "etcd-events" | "virtual-garden-etcd-main" | "virtual-garden-etcd-events" => etcd::others,
            _ => nothing,
        },
        (Webhook::CloudProvider, "v1", "Secret") if name == "cloudprovider" => credentials::secret,
        (Webhook::CloudProvider, "v1", "Secret") => nothing,
        (Webhook::Shoot, "v1", "Service") => services::service,
        _ => return Err(unsupported(request.object)),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "a handler as the others")]
fn nothing(_: &mut Change<'_, '_>) -> Result<(), RequestError> {
    Ok(())
}
