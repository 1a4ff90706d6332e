//! The configuration kind.

use trellis_core::gardener::provider_config::Config;
use trellis_core::record;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "toy.provider.extensions.gardener.cloud/v1alpha1";
/// The kinds that the group registers.
pub const KINDS: &[&str] = &["InfrastructureConfig"];

record! {
    /// The network of a Shoot.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct InfrastructureConfig<'a> {
        /// Group and version.
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// The range of the network.
        pub cidr: Option<&'a str>,
    }
}

impl<'v> Config<'v> for InfrastructureConfig<'v> {
    const API_VERSION: &'static str = API_VERSION;
    const KINDS: &'static [&'static str] = KINDS;
    const KIND: &'static str = "InfrastructureConfig";
}
