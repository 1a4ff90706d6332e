//! Shoots.

use std::borrow::Cow;

use super::Metadata;
use super::binding::ObjectReference;
use super::worker::Worker;
use crate::document::Value;
use crate::record;

record! {
    /// A cluster that Gardener manages.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Shoot<'a> {
        /// Metadata.
        pub metadata: Metadata<'a>,
        /// The specification.
        pub spec: ShootSpec<'a>,
        /// The status.
        pub status: ShootStatus<'a>,
    }
}

record! {
    /// The specification of a Shoot.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ShootSpec<'a> {
        /// Name of the CloudProfile (older form).
        pub cloud_profile_name: Option<&'a str>,
        /// Reference to a CloudProfile or NamespacedCloudProfile.
        pub cloud_profile: Option<CloudProfileReference<'a>>,
        /// Region of the cloud.
        pub region: &'a str,
        /// The purpose, such as `production`.
        pub purpose: Option<&'a str>,
        /// Name of the SecretBinding.
        pub secret_binding_name: Option<&'a str>,
        /// Name of the CredentialsBinding.
        pub credentials_binding_name: Option<&'a str>,
        /// Name of the seed that is to run the control plane.
        pub seed_name: Option<&'a str>,
        /// Address ranges.
        pub networking: Option<Networking<'a>>,
        /// DNS of the cluster.
        pub dns: Option<Dns<'a>>,
        /// The cloud's part.
        pub provider: Provider<'a>,
    }
}

record! {
    /// Reference to a CloudProfile or NamespacedCloudProfile.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CloudProfileReference<'a> {
        /// `CloudProfile` or `NamespacedCloudProfile`.
        pub kind: &'a str,
        /// Its name.
        pub name: &'a str,
    }
}

record! {
    /// Address ranges of a Shoot, as a person wrote them: the texts need not be ranges.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Networking<'a> {
        /// Network plug-in, such as `calico`.
        #[name = "type"]
        pub network_type: Option<&'a str>,
        /// Addresses of nodes.
        pub nodes: Option<&'a str>,
        /// Addresses of pods.
        pub pods: Option<&'a str>,
        /// Addresses of services.
        pub services: Option<&'a str>,
    }
}

record! {
    /// DNS of a cluster.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Dns<'a> {
        /// Who serves the cluster's DNS records.
        pub providers: Vec<DnsProvider<'a>>,
    }
}

record! {
    /// Who serves DNS records of a cluster.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DnsProvider<'a> {
        /// Provider type.
        #[name = "type"]
        pub provider_type: Option<&'a str>,
        /// Whether the provider serves the cluster's own domain.
        pub primary: Option<bool>,
        /// Name of the Secret with credentials (older form).
        pub secret_name: Option<&'a str>,
        /// The credentials, in the Shoot's namespace.
        pub credentials_ref: Option<ObjectReference<'a>>,
    }
}

record! {
    /// The cloud's part of a Shoot.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Provider<'a> {
        /// Worker pools.
        pub workers: Vec<Worker<'a>>,
    }
}

record! {
    /// The status of a Shoot.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ShootStatus<'a> {
        /// What Gardener did last.
        pub last_operation: Option<LastOperation<'a>>,
        /// Name of the seed that runs the control plane.
        pub seed_name: Option<&'a str>,
    }
}

record! {
    /// What Gardener did last.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct LastOperation<'a> {
        /// `Create`, `Reconcile`, `Migrate`, …
        #[name = "type"]
        pub operation: &'a str,
        /// `Processing`, `Succeeded`, …
        pub state: &'a str,
    }
}

/// The place that [`kubernetes_version`] reads.
pub const KUBERNETES_VERSION: &str = "/spec/kubernetes/version";

/// `spec.kubernetes.version`, and whether it is a number. YAML makes a number of `1.30` without quotes; the person
/// means the text.
pub fn kubernetes_version<'v>(shoot: &'v Value<'v>) -> (Cow<'v, str>, bool) {
    match shoot.at(&["spec", "kubernetes", "version"]) {
        Some(Value::String(text)) => (Cow::Borrowed(text), false),
        Some(Value::Number(text)) => (Cow::Borrowed(text), true),
        _ => (Cow::Borrowed(""), false),
    }
}
