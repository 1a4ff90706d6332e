//! The providers, a folder each, and the list of them: the one place that knows their names.

pub mod alicloud;
pub mod aws;
pub mod azure;
pub mod equinixmetal;
pub mod gardener;
pub mod gcp;
pub mod openstack;

/// Declares the providers that there are, in order of their names: a line each. A provider that implements
/// `Infrastructure` has one more word: `plans`, or `classifies` where it lacks `plan`. One that implements
/// `Renders` or `Mutates` has a word for each. In brackets stand policies that judge objects of every provider;
/// their names are no provider types.
#[macro_export]
macro_rules! providers {
    (
        $($module:ident::$policy:ident: judges $(and $does:ident)? $(and also $renders:ident)? $(, $mutates:ident)?;)+
        $([$general:ident::$judges:ident];)*
    ) => {
        /// The policy of a provider type, or of a name that is none.
        pub fn policy(provider: &str) -> Option<&'static dyn $crate::policy::Policy> {
            match provider {
                $($module::TYPE => Some(&$module::$policy),)+
                $($general::TYPE => Some(&$general::$judges),)*
                _ => None,
            }
        }

        /// The policy of a provider type that tells the addresses of Shoots.
        pub fn addressing(provider: &str) -> Option<&'static dyn $crate::policy::Addressing> {
            match provider {
                $($module::TYPE => Some(&$module::$policy),)+
                _ => None,
            }
        }

        /// The policy of a provider type that plans infrastructures, or that only classifies errors.
        pub fn infrastructure(provider: &str) -> Option<&'static dyn $crate::policy::Infrastructure> {
            match provider {
                $($(
                    $module::TYPE => {
                        let $does: &'static dyn $crate::policy::Infrastructure = &$module::$policy;
                        Some($does)
                    }
                )?)+
                _ => None,
            }
        }

        /// The policy of a provider type that renders control planes.
        pub fn rendering(provider: &str) -> Option<&'static dyn $crate::policy::Renders> {
            match provider {
                $($(
                    $module::TYPE => {
                        let $renders: &'static dyn $crate::policy::Renders = &$module::$policy;
                        Some($renders)
                    }
                )?)+
                _ => None,
            }
        }

        /// The policy of a provider type that changes the objects that webhooks see.
        pub fn mutating(provider: &str) -> Option<&'static dyn $crate::policy::Mutates> {
            match provider {
                $($(
                    $module::TYPE => {
                        let $mutates: &'static dyn $crate::policy::Mutates = &$module::$policy;
                        Some($mutates)
                    }
                )?)+
                _ => None,
            }
        }

        /// The provider types whose webhooks change objects, in order of their names.
        pub fn mutated() -> impl Iterator<Item = &'static str> {
            providers().filter(|provider| mutating(provider).is_some())
        }

        /// The provider types whose control planes are rendered, in order of their names.
        pub fn rendered() -> impl Iterator<Item = &'static str> {
            providers().filter(|provider| rendering(provider).is_some())
        }

        /// The provider types that there are policies for, in order of their names. Apart from the policies, so
        /// that a module that only asks for the names holds none of them.
        pub fn providers() -> impl Iterator<Item = &'static str> {
            const TYPES: &[&str] = &[$($module::TYPE),+];
            TYPES.iter().copied()
        }

        /// The names of the policies that judge objects of every provider, in order of these names.
        pub fn general() -> impl Iterator<Item = &'static str> {
            const NAMES: &[&str] = &[$($general::TYPE),*];
            NAMES.iter().copied()
        }

        /// The provider types whose errors are classified, in order of their names.
        pub fn classified() -> impl Iterator<Item = &'static str> {
            providers().filter(|provider| infrastructure(provider).is_some())
        }

        /// The provider types whose infrastructure is planned, in order of their names.
        pub fn infrastructures() -> impl Iterator<Item = &'static str> {
            let plans = |policy: &dyn $crate::policy::Infrastructure| !policy.lacks().contains(&"plan");
            classified().filter(move |provider| infrastructure(provider).is_some_and(plans))
        }

        /// Where a policy stands in this module, such as `toy::Toy`, for code that names it.
        pub fn path(policy: &str) -> Option<&'static str> {
            match policy {
                $($module::TYPE => Some(concat!(stringify!($module), "::", stringify!($policy))),)+
                $($general::TYPE => Some(concat!(stringify!($general), "::", stringify!($judges))),)*
                _ => None,
            }
        }

        /// The names of all policies, in order: the provider types, then the policies that judge objects of every
        /// provider.
        pub fn policies() -> impl Iterator<Item = &'static str> {
            const NAMES: &[&str] = &[$($module::TYPE,)+ $($general::TYPE,)*];
            NAMES.iter().copied()
        }
    };
}

providers! {
    alicloud::Alicloud: judges and plans and also renders, mutates;
    aws::Aws: judges and classifies;
    azure::Azure: judges and classifies;
    equinixmetal::EquinixMetal: judges;
    gcp::Gcp: judges and classifies;
    openstack::OpenStack: judges and classifies;
    [gardener::Gardener];
}
