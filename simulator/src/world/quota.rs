//! Quotas.

/// How many resources of a kind there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name in the settings, such as `vpcs`.
    pub name: &'static str,
    /// How many by default.
    pub default: usize,
}

impl Quota {
    /// A quota with the number that the cloud's documentation gives.
    pub const fn new(name: &'static str, default: usize) -> Self {
        Self { name, default }
    }
}
