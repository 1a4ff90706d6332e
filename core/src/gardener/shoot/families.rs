//! The families of IP addresses that a Shoot asks for.

use crate::document::Value;

/// `spec.networking.ipFamilies` of a Shoot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Families {
    /// Whether nodes have IPv4; so they have where the Shoot says nothing.
    pub has_ipv4: bool,
    /// Whether nodes have IPv6.
    pub has_ipv6: bool,
}

impl Families {
    /// Reads the families of a Shoot.
    pub fn of(shoot: &Value<'_>) -> Self {
        let Some(families) = shoot.at(&["spec", "networking", "ipFamilies"]) else {
            return Self { has_ipv4: true, has_ipv6: false };
        };
        let has = |family: &str| families.items().iter().any(|entry| entry.as_str() == Some(family));
        Self { has_ipv4: has("IPv4"), has_ipv6: has("IPv6") }
    }
}
