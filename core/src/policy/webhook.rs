//! The webhooks of extensions.

/// A webhook of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Webhook {
    /// The objects of control planes, in the seed.
    ControlPlane,
    /// The objects of etcd, in the seed.
    SeedProvider,
    /// The Secrets with the credentials of control planes, in the seed.
    CloudProvider,
    /// The objects of Shoots, in the Shoot.
    Shoot,
}

impl Webhook {
    /// The webhook with a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "controlplane" => Some(Self::ControlPlane),
            "seedprovider" => Some(Self::SeedProvider),
            "cloudprovider" => Some(Self::CloudProvider),
            "shoot" => Some(Self::Shoot),
            _ => None,
        }
    }
}
