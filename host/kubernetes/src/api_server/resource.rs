//! Kinds of objects that controllers keep in addition to extension resources.

use std::borrow::Cow;

use serde::Deserialize;

/// A kind of objects in namespaces, as requests name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Resource {
    /// The API group; empty for the first kinds of Kubernetes.
    pub group: &'static str,
    /// Its version; `*` for all of them in a rule of a webhook.
    pub version: &'static str,
    /// Such as `Secret`.
    pub kind: &'static str,
    /// Such as `secrets`, or `shoots/status` in a rule of a webhook.
    pub plural: &'static str,
}

impl Resource {
    const fn new(group: &'static str, version: &'static str, kind: &'static str, plural: &'static str) -> Self {
        Self { group, version, kind, plural }
    }

    /// The kind in all versions, for a rule of a webhook.
    pub const fn in_all_versions(self) -> Self {
        Self { version: "*", ..self }
    }

    /// `apiVersion` of its objects.
    pub fn api_version(&self) -> Cow<'static, str> {
        if self.group.is_empty() { self.version.into() } else { format!("{}/{}", self.group, self.version).into() }
    }

    /// As an API server says that it has no such object.
    pub(crate) fn not_found(&self, name: &str) -> String {
        let group = if self.group.is_empty() { String::new() } else { format!(".{}", self.group) };
        format!("{}{group} \"{name}\" not found", self.plural)
    }

    /// The path of the objects of a namespace; of all namespaces, and of objects without one, where it is empty.
    pub(crate) fn path(&self, namespace: &str) -> String {
        let root = if self.group.is_empty() { "/api" } else { "/apis" };
        let place = if namespace.is_empty() { String::new() } else { format!("namespaces/{namespace}/") };
        format!("{root}/{}/{place}{}", self.api_version(), self.plural)
    }
}

/// `v1` Secret.
pub static SECRETS: Resource = Resource::new("", "v1", "Secret", "secrets");
/// `v1` ConfigMap.
pub static CONFIG_MAPS: Resource = Resource::new("", "v1", "ConfigMap", "configmaps");
/// `v1` Pod.
pub static PODS: Resource = Resource::new("", "v1", "Pod", "pods");
/// `v1` Node, without a namespace.
pub static NODES: Resource = Resource::new("", "v1", "Node", "nodes");
/// `v1` Namespace, without one.
pub static NAMESPACES: Resource = Resource::new("", "v1", "Namespace", "namespaces");
/// What registers webhooks that change objects, without a namespace.
pub static MUTATING_WEBHOOKS: Resource =
    registered("MutatingWebhookConfiguration", "mutatingwebhookconfigurations");
/// What registers webhooks that judge objects, without a namespace.
pub static VALIDATING_WEBHOOKS: Resource =
    registered("ValidatingWebhookConfiguration", "validatingwebhookconfigurations");
/// `apps/v1` Deployment.
pub static DEPLOYMENTS: Resource = Resource::new("apps", "v1", "Deployment", "deployments");
/// `apps/v1` `StatefulSet`.
pub static STATEFUL_SETS: Resource = Resource::new("apps", "v1", "StatefulSet", "statefulsets");
/// `apps/v1` `DaemonSet`.
pub static DAEMON_SETS: Resource = Resource::new("apps", "v1", "DaemonSet", "daemonsets");
/// What the gardener-resource-manager applies.
pub static MANAGED_RESOURCES: Resource =
    Resource::new("resources.gardener.cloud", "v1alpha1", "ManagedResource", "managedresources");
/// What gardenlet says of a Shoot to extensions, without a namespace.
pub static CLUSTERS: Resource = Resource::new("extensions.gardener.cloud", "v1alpha1", "Cluster", "clusters");
/// What a garden offers, without a namespace.
pub static CLOUD_PROFILES: Resource = core("CloudProfile", "cloudprofiles");
/// What a project adds to it.
pub static NAMESPACED_CLOUD_PROFILES: Resource = core("NamespacedCloudProfile", "namespacedcloudprofiles");
/// What runs the control planes of Shoots, without a namespace.
pub static SEEDS: Resource = core("Seed", "seeds");
/// Where a Seed keeps backups, without a namespace.
pub static BACKUP_BUCKETS: Resource = core("BackupBucket", "backupbuckets");
/// A cluster of a project.
pub static SHOOTS: Resource = core("Shoot", "shoots");
/// What moves with a Shoot to another seed.
pub static SHOOT_STATES: Resource = core("ShootState", "shootstates");
/// The Secret that Shoots of a project may use.
pub static SECRET_BINDINGS: Resource = core("SecretBinding", "secretbindings");
/// Credentials that only Gardener reads.
pub static INTERNAL_SECRETS: Resource = core("InternalSecret", "internalsecrets");
/// The credentials that Shoots of a project may use.
pub static CREDENTIALS_BINDINGS: Resource = security("CredentialsBinding", "credentialsbindings");
/// Credentials that a cloud takes from Gardener's own tokens.
pub static WORKLOAD_IDENTITIES: Resource = security("WorkloadIdentity", "workloadidentities");
/// What a machine is made of.
pub static MACHINE_CLASSES: Resource = machine("MachineClass", "machineclasses");
/// Machines of one class, rolled as a Deployment is.
pub static MACHINE_DEPLOYMENTS: Resource = machine("MachineDeployment", "machinedeployments");
/// Machines of one class.
pub static MACHINE_SETS: Resource = machine("MachineSet", "machinesets");
/// A machine.
pub static MACHINES: Resource = machine("Machine", "machines");

const fn core(kind: &'static str, plural: &'static str) -> Resource {
    Resource::new("core.gardener.cloud", "v1beta1", kind, plural)
}

const fn security(kind: &'static str, plural: &'static str) -> Resource {
    Resource::new("security.gardener.cloud", "v1alpha1", kind, plural)
}

const fn machine(kind: &'static str, plural: &'static str) -> Resource {
    Resource::new("machine.sapcloud.io", "v1alpha1", kind, plural)
}

const fn registered(kind: &'static str, plural: &'static str) -> Resource {
    Resource::new("admissionregistration.k8s.io", "v1", kind, plural)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_kubernetes() {
        assert_eq!(SECRETS.path("a"), "/api/v1/namespaces/a/secrets");
        assert_eq!(NODES.path(""), "/api/v1/nodes");
        assert_eq!(DEPLOYMENTS.path("a"), "/apis/apps/v1/namespaces/a/deployments");
        assert_eq!(MACHINES.path("a"), "/apis/machine.sapcloud.io/v1alpha1/namespaces/a/machines");
    }
}
