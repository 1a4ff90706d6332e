//! The providers, a folder each, and the list of them: the one place that knows their names.

#[cfg(feature = "alicloud")]
pub mod alicloud;
#[cfg(feature = "equinixmetal")]
pub mod equinixmetal;

use crate::policy::{Infrastructure, Policy};

/// What decides of the infrastructure of a provider type.
pub fn infrastructure(provider: &str) -> Option<&'static dyn Infrastructure> {
    match provider {
        #[cfg(feature = "alicloud")]
        alicloud::TYPE => Some(&alicloud::Alicloud),
        _ => None,
    }
}

/// The policy of a provider type.
pub fn policy(provider: &str) -> Option<&'static dyn Policy> {
    match provider {
        #[cfg(feature = "alicloud")]
        alicloud::TYPE => Some(&alicloud::Alicloud),
        #[cfg(feature = "equinixmetal")]
        equinixmetal::TYPE => Some(&equinixmetal::EquinixMetal),
        _ => None,
    }
}

/// The provider types that there are policies for, in order of their names. Apart from the policies, so that a module that
/// only asks for the names holds none of them.
pub fn providers() -> impl Iterator<Item = &'static str> {
    const TYPES: &[&str] = &[
        #[cfg(feature = "alicloud")]
        alicloud::TYPE,
        #[cfg(feature = "equinixmetal")]
        equinixmetal::TYPE,
    ];
    TYPES.iter().copied()
}

/// The provider types whose infrastructure is planned, in order of their names.
pub fn infrastructures() -> impl Iterator<Item = &'static str> {
    providers().filter(|provider| infrastructure(provider).is_some())
}
