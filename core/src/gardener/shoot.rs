//! Shoots.

use std::borrow::Cow;

use serde::Deserialize;

use super::Metadata;
use crate::document::Value;

/// A cluster that Gardener manages.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Shoot<'a> {
    /// Metadata.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// What is wanted.
    #[serde(borrow)]
    pub spec: ShootSpec<'a>,
    /// What is there.
    #[serde(borrow)]
    pub status: ShootStatus<'a>,
}

/// What is wanted of a Shoot.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ShootSpec<'a> {
    /// Name of the CloudProfile (older form).
    pub cloud_profile_name: Option<&'a str>,
    /// Reference to a CloudProfile or NamespacedCloudProfile.
    #[serde(borrow)]
    pub cloud_profile: Option<CloudProfileReference<'a>>,
    /// Region of the cloud.
    pub region: &'a str,
    /// What the cluster is for.
    pub purpose: Option<&'a str>,
    /// Name of the SecretBinding.
    pub secret_binding_name: Option<&'a str>,
    /// Name of the CredentialsBinding.
    pub credentials_binding_name: Option<&'a str>,
    /// Seed that is to run the control plane.
    pub seed_name: Option<&'a str>,
    /// Address ranges.
    #[serde(borrow)]
    pub networking: Option<Networking<'a>>,
    /// The cloud's part.
    #[serde(borrow)]
    pub provider: Provider<'a>,
}

/// Reference to a CloudProfile or NamespacedCloudProfile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CloudProfileReference<'a> {
    /// Which of the two.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// Address ranges of a Shoot. Their texts may be anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Networking<'a> {
    /// Network plug-in, such as `calico`.
    #[serde(rename = "type")]
    pub network_type: Option<&'a str>,
    /// Addresses of nodes.
    pub nodes: Option<&'a str>,
    /// Addresses of pods.
    pub pods: Option<&'a str>,
    /// Addresses of services.
    pub services: Option<&'a str>,
}

/// The cloud's part of a Shoot.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Provider<'a> {
    /// Worker pools.
    #[serde(borrow)]
    pub workers: Vec<Worker<'a>>,
}

/// A worker pool.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Worker<'a> {
    /// Name, unique in the Shoot.
    pub name: &'a str,
    /// What the nodes are.
    #[serde(borrow)]
    pub machine: Machine<'a>,
    /// Most nodes.
    pub maximum: i32,
    /// The system disk.
    #[serde(borrow)]
    pub volume: Option<Volume<'a>>,
    /// Further disks.
    #[serde(borrow)]
    pub data_volumes: Vec<DataVolume<'a>>,
    /// Zones that the nodes are spread over.
    #[serde(borrow)]
    pub zones: Vec<&'a str>,
    /// How changes reach the nodes.
    pub update_strategy: Option<&'a str>,
}

impl Worker<'_> {
    /// Whether changes are made to running nodes instead of replacing them.
    pub fn updates_in_place(&self) -> bool {
        matches!(self.update_strategy, Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate"))
    }
}

/// What the nodes of a pool are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Machine<'a> {
    /// Machine type.
    #[serde(rename = "type")]
    pub machine_type: &'a str,
    /// Image; the API server fills it in.
    #[serde(borrow)]
    pub image: Option<MachineImage<'a>>,
}

/// Name and version of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct MachineImage<'a> {
    /// Name.
    pub name: &'a str,
    /// Version.
    pub version: Option<&'a str>,
}

/// The system disk of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Volume<'a> {
    /// Disk category.
    #[serde(rename = "type")]
    pub volume_type: Option<&'a str>,
    /// Size, a quantity.
    pub size: &'a str,
    /// Whether it is encrypted.
    pub encrypted: Option<bool>,
}

/// A further disk of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct DataVolume<'a> {
    /// Name.
    pub name: &'a str,
    /// Disk category.
    #[serde(rename = "type")]
    pub volume_type: Option<&'a str>,
    /// Size, a quantity.
    pub size: &'a str,
    /// Whether it is encrypted.
    pub encrypted: Option<bool>,
}

/// What is there of a Shoot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ShootStatus<'a> {
    /// What Gardener did last.
    #[serde(borrow)]
    pub last_operation: Option<LastOperation<'a>>,
    /// Seed that runs the control plane.
    pub seed_name: Option<&'a str>,
}

/// What Gardener did last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct LastOperation<'a> {
    /// `Create`, `Reconcile`, `Migrate`, …
    #[serde(rename = "type")]
    pub operation: &'a str,
    /// `Processing`, `Succeeded`, …
    pub state: &'a str,
}

/// A part of a Shoot that is the provider's own, as JSON.
pub fn provider_config<'v>(shoot: &'v Value<'v>, name: &str) -> Option<&'v Value<'v>> {
    shoot.at(&["spec", "provider", name])
}

/// The part of a worker pool that is the provider's own, as JSON.
pub fn worker_config<'v>(shoot: &'v Value<'v>, index: usize) -> Option<&'v Value<'v>> {
    shoot.at(&["spec", "provider", "workers"])?.items().get(index)?.get("providerConfig")
}

/// Where [`kubernetes_version`] is.
pub const KUBERNETES_VERSION: &str = "/spec/kubernetes/version";

/// `spec.kubernetes.version`, and whether it was read as a number. YAML makes a number of `1.30`; its spelling
/// is what the person meant.
pub fn kubernetes_version<'v>(shoot: &'v Value<'v>) -> (Cow<'v, str>, bool) {
    match shoot.at(&["spec", "kubernetes", "version"]) {
        Some(Value::String(text)) => (Cow::Borrowed(text), false),
        Some(Value::Number(text)) => (Cow::Borrowed(text), true),
        _ => (Cow::Borrowed(""), false),
    }
}
