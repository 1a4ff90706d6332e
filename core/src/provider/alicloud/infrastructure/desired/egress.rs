//! How each zone reaches the internet: its elastic IP, the association of that with the NAT gateway, and the SNAT
//! entry of its VSwitch (`alicloud-cloud` 2.7 and 2.14).

mod addresses;
mod snat;

use super::{Desired, Layout};

pub use addresses::EIP;

/// Declares the egress of every zone, and the SNAT entries of VSwitches that no zone has a place for.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    for zone in &layout.zones {
        addresses::declare(layout, zone, desired);
        snat::declare(layout, zone, desired);
    }
    for surplus in &layout.surplus {
        for entry in layout.snat_entries(Some(surplus)) {
            desired.resources.push(snat::surplus(layout, entry));
        }
    }
}
