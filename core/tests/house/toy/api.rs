//! The configuration kind.

use serde::Deserialize;
use trellis_core::gardener::provider_config::Config;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "toy.provider.extensions.gardener.cloud/v1alpha1";
/// The kinds that the group registers.
pub const KINDS: &[&str] = &["InfrastructureConfig"];

/// The network of a Shoot.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct InfrastructureConfig<'a> {
    /// Group and version.
    pub api_version: &'a str,
    /// `InfrastructureConfig`
    pub kind: &'a str,
    /// The range of the network.
    pub cidr: Option<&'a str>,
}

impl<'v> Config<'v> for InfrastructureConfig<'v> {
    const API_VERSION: &'static str = API_VERSION;
    const KINDS: &'static [&'static str] = KINDS;
    const KIND: &'static str = "InfrastructureConfig";
}
