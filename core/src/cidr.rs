//! Address ranges, which are read and compared as the existing extensions read and compare them.

mod room;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::Serialize;

pub use room::{Room, Span};

/// The protocol of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AddressFamily"))]
pub enum Family {
    /// Addresses of 32 bits.
    IPv4,
    /// Addresses of 128 bits.
    IPv6,
}

impl Family {
    /// The number of bits of an address.
    pub fn bits(self) -> u8 {
        match self {
            Self::IPv4 => 32,
            Self::IPv6 => 128,
        }
    }

    /// The bits of an address after a prefix of that length, all set; `None` where the prefix is longer than an
    /// address.
    fn hosts(self, prefix_length: u8) -> Option<u128> {
        let bits = self.bits().checked_sub(prefix_length)?;
        Some(1_u128.checked_shl(bits.into()).map_or(u128::MAX, |size| size - 1))
    }

    /// The text of the address of that number.
    pub fn text(self, number: u128) -> String {
        self.address(number).to_string()
    }

    /// The address of that number.
    fn address(self, number: u128) -> IpAddr {
        match self {
            Self::IPv4 => Ipv4Addr::from(u32::try_from(number).unwrap_or(u32::MAX)).into(),
            Self::IPv6 => Ipv6Addr::from(number).into(),
        }
    }
}

/// A range in CIDR notation. IPv4-mapped IPv6 ranges count as IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    address: IpAddr,
    network: IpNet,
}

impl Cidr {
    /// Reads `<address>/<bits>`; `None` where the text has another form. Octets must not have leading zeros, and
    /// addresses must not have zone identifiers; the bits may have leading zeros.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let address: IpAddr = address.parse().ok()?;
        if bits.is_empty() || !bits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let bits = match bits.trim_start_matches('0') {
            "" => 0,
            digits => digits.parse::<u8>().ok()?,
        };
        let network = match address {
            IpAddr::V4(address) => IpNet::V4(Ipv4Net::new(address, bits).ok()?),
            IpAddr::V6(address) => {
                let network = Ipv6Net::new(address, bits).ok()?;
                // A range with a shorter prefix has more than the mapped addresses.
                match (address.to_ipv4_mapped(), bits.checked_sub(96)) {
                    (Some(mapped), Some(bits)) => IpNet::V4(Ipv4Net::new(mapped, bits).ok()?),
                    _ => IpNet::V6(network),
                }
            }
        };
        Some(Self { address: network.addr(), network: network.trunc() })
    }

    /// The range with a prefix of that length around an address, which is given as a number.
    pub fn around(family: Family, number: u128, prefix_length: u8) -> Option<Self> {
        let network = IpNet::new(family.address(number), prefix_length).ok()?.trunc();
        Some(Self { address: network.addr(), network })
    }

    /// The protocol of the range.
    pub fn family(&self) -> Family {
        match self.network {
            IpNet::V4(_) => Family::IPv4,
            IpNet::V6(_) => Family::IPv6,
        }
    }

    /// The length of the prefix that all addresses of the range have.
    pub fn prefix_length(&self) -> u8 {
        self.network.prefix_len()
    }

    /// The first and the last address, as numbers.
    pub fn span(&self) -> Span {
        let first = match self.network.addr() {
            IpAddr::V4(address) => u32::from(address).into(),
            IpAddr::V6(address) => u128::from(address),
        };
        Span { first, last: first | self.family().hosts(self.prefix_length()).unwrap_or_default() }
    }

    /// The range, from its first address on.
    pub fn network(&self) -> IpNet {
        self.network
    }

    /// Whether the text named the range by its first address.
    pub fn is_canonical(&self) -> bool {
        self.address == self.network.network()
    }

    /// Whether `other` lies within this range. Ranges of different families never do.
    pub fn contains(&self, other: &Self) -> bool {
        self.network.contains(&other.network)
    }

    /// Whether the ranges share an address. Ranges of different families never do.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.contains(other) || other.contains(self)
    }

    /// The number of addresses, at most `u128::MAX`.
    pub fn size(&self) -> u128 {
        let bits = u32::from(self.network.max_prefix_len() - self.network.prefix_len());
        1_u128.checked_shl(bits).unwrap_or(u128::MAX)
    }
}

/// Whether two texts name ranges that share an address. A text that is no range overlaps with everything, as in
/// the existing extensions where they guard reserved ranges.
pub fn may_overlap(a: &str, b: &str) -> bool {
    match (Cidr::parse(a), Cidr::parse(b)) {
        (Some(a), Some(b)) => a.overlaps(&b),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_are_read_as_the_existing_extensions_read_them() {
        for (text, network) in [
            ("10.250.0.0/16", Some("10.250.0.0/16")),
            ("10.250.1.2/16", Some("10.250.0.0/16")),
            ("10.250.0.0/016", Some("10.250.0.0/16")),
            ("10.0.0.0/00", Some("0.0.0.0/0")),
            ("::ffff:10.1.0.0/112", Some("10.1.0.0/16")),
            ("::ffff:10.1.0.0/96", Some("0.0.0.0/0")),
            ("::ffff:10.1.0.0/90", Some("::ffc0:0:0/90")),
            ("fd00::/8", Some("fd00::/8")),
            ("010.250.0.0/16", None),
            ("10.250.0.0", None),
            ("10.250.0.0/ 16", None),
            ("10.250.0.0/33", None),
            ("10.250.0.0/+8", None),
            ("10.250.0.0/", None),
            ("fe80::1%eth0/64", None),
            ("fd00::/129", None),
            ("10.0.0.0/8/8", None),
            ("", None),
        ] {
            assert_eq!(Cidr::parse(text).map(|cidr| cidr.network().to_string()).as_deref(), network, "{text}");
        }
    }

    fn ranges() -> impl Strategy<Value = Cidr> {
        (any::<bool>(), any::<u32>(), any::<u128>(), 0_u8..=32, 0_u8..=128).prop_map(|(v4, a, b, p, q)| {
            let text = if v4 {
                format!("{}/{p}", std::net::Ipv4Addr::from(a & 0x0f0f_0000))
            } else {
                format!("{}/{q}", Ipv6Addr::from(b & (0x0f0f << 112) | (1 << 125)))
            };
            Cidr::parse(&text).unwrap()
        })
    }

    proptest! {
        #[test]
        fn overlap_is_symmetric_and_follows_from_containment(a in ranges(), b in ranges()) {
            prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
            prop_assert!(!a.contains(&b) || a.overlaps(&b));
            prop_assert!(a.contains(&a));
        }

        #[test]
        fn containment_is_transitive_and_orders_sizes(a in ranges(), b in ranges(), c in ranges()) {
            prop_assert!(!(a.contains(&b) && b.contains(&c)) || a.contains(&c));
            prop_assert!(!a.contains(&b) || a.size() >= b.size());
        }

        #[test]
        fn ranges_are_disjoint_or_nested(a in ranges(), b in ranges()) {
            let shared = a.network().contains(&b.network().network()) || b.network().contains(&a.network().network());
            prop_assert_eq!(a.overlaps(&b), shared);
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = Cidr::parse(&text);
        }
    }
}
