//! The providers, a folder each, and the list of them: the one place that knows their names.

#[cfg(feature = "alicloud")]
pub mod alicloud;
#[cfg(feature = "equinixmetal")]
pub mod equinixmetal;
#[cfg(feature = "openstack")]
pub mod openstack;

/// Declares the providers that there are, in order of their names: a line each, with the condition under which the provider
/// is compiled, and whether it plans infrastructures too.
#[macro_export]
macro_rules! providers {
    ($($condition:meta => $module:ident::$policy:ident: judges $(and $plans:ident)?;)+) => {
        /// The policy of a provider type.
        pub fn policy(provider: &str) -> Option<&'static dyn $crate::policy::Policy> {
            match provider {
                $(#[cfg($condition)] $module::TYPE => Some(&$module::$policy),)+
                _ => None,
            }
        }

        /// The policy of a provider type that tells the addresses of Shoots.
        pub fn addressing(provider: &str) -> Option<&'static dyn $crate::policy::Addressing> {
            match provider {
                $(#[cfg($condition)] $module::TYPE => Some(&$module::$policy),)+
                _ => None,
            }
        }

        /// The policy of a provider type that plans infrastructures.
        pub fn infrastructure(provider: &str) -> Option<&'static dyn $crate::policy::Infrastructure> {
            match provider {
                $($(
                    #[cfg($condition)]
                    $module::TYPE => {
                        let $plans: &'static dyn $crate::policy::Infrastructure = &$module::$policy;
                        Some($plans)
                    }
                )?)+
                _ => None,
            }
        }

        /// The provider types that there are policies for, in order of their names. Apart from the policies, so that a
        /// module that only asks for the names holds none of them.
        pub fn providers() -> impl Iterator<Item = &'static str> {
            const TYPES: &[&str] = &[$(#[cfg($condition)] $module::TYPE),+];
            TYPES.iter().copied()
        }
    };
}

providers! {
    feature = "alicloud" => alicloud::Alicloud: judges and plans;
    feature = "equinixmetal" => equinixmetal::EquinixMetal: judges;
    feature = "openstack" => openstack::OpenStack: judges;
}

/// The provider types whose infrastructure is planned, in order of their names.
pub fn infrastructures() -> impl Iterator<Item = &'static str> {
    providers().filter(|provider| infrastructure(provider).is_some())
}
