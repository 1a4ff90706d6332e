//! The providers, a folder each, and the list of them: the one place that knows their names.

#[cfg(feature = "alicloud")]
pub mod alicloud;
#[cfg(feature = "equinixmetal")]
pub mod equinixmetal;

use crate::policy::{Infrastructure, Policy};

/// Provider types with their policies, in order of their names.
const REGISTRY: &[(&str, &dyn Policy)] = &[
    #[cfg(feature = "alicloud")]
    (alicloud::TYPE, &alicloud::Alicloud),
    #[cfg(feature = "equinixmetal")]
    (equinixmetal::TYPE, &equinixmetal::EquinixMetal),
];

/// Provider types whose infrastructure is planned, in order of their names.
const INFRASTRUCTURES: &[(&str, &dyn Infrastructure)] = &[
    #[cfg(feature = "alicloud")]
    (alicloud::TYPE, &alicloud::Alicloud),
];

/// What decides of the infrastructure of a provider type.
pub fn infrastructure(provider: &str) -> Option<&'static dyn Infrastructure> {
    INFRASTRUCTURES.iter().find(|(name, _)| *name == provider).map(|(_, infrastructure)| *infrastructure)
}

/// The policy of a provider type.
pub fn policy(provider: &str) -> Option<&'static dyn Policy> {
    REGISTRY.iter().find(|(name, _)| *name == provider).map(|(_, policy)| *policy)
}

/// The provider types that there are policies for.
pub fn providers() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().map(|(name, _)| *name)
}

/// The provider types whose infrastructure is planned, in order of their names.
pub fn infrastructures() -> impl Iterator<Item = &'static str> {
    INFRASTRUCTURES.iter().map(|(name, _)| *name)
}
