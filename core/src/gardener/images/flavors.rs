//! The choice of a flavor: which flavors of an image version suit a machine type, and which of them is preferred.
//!
//! Source: the worker helpers of Gardener's extension library, and section 5.2 of the fact sheet `alicloud-policy`.

use super::mapping::{Mapping, RegionImage, of_architecture};
use crate::collections::{NameMap, NameSet};
use crate::gardener::types::capabilities::{Capabilities, Definition};

/// A machine type, prepared once for all images.
#[derive(Debug)]
pub(super) struct Machine<'c, 'v> {
    pub(super) name: &'v str,
    pub(super) capabilities: &'c Capabilities<'v>,
    /// For each definition, whether the machine type has any of its values.
    meets: Vec<bool>,
}

impl<'c, 'v> Machine<'c, 'v> {
    /// Prepares a machine type that demands `capabilities`.
    pub(super) fn of(name: &'v str, capabilities: &'c Capabilities<'v>, definitions: &[Definition<'v>]) -> Self {
        let meets = |definition: &Definition<'v>| {
            capabilities.get(definition.name).is_some_and(|own| {
                let own: NameSet<'_> = own.iter().copied().collect();
                definition.values.iter().any(|value| own.contains(value))
            })
        };
        Self { name, capabilities, meets: definitions.iter().map(meets).collect() }
    }
}

/// A set of flavors of an image version, a bit for each of them: [`limit_flavors`](super::limit_flavors) refuses more.
type Set = u128;

/// The flavors of an image version that have an id in the region.
#[derive(Debug)]
pub(super) struct Flavors<'v> {
    ids: Vec<&'v str>,
    /// For each definition, the flavors that offer its values.
    offers: Vec<CapabilityOffer<'v>>,
    /// Groups of flavors with the same values, in the order of preference: of two groups, the one comes first that has the
    /// first value which the other lacks.
    ranks: Vec<Set>,
}

/// The flavors that offer values of a capability.
#[derive(Debug, Default)]
struct CapabilityOffer<'v> {
    /// By value, the flavors that name it.
    named: NameMap<'v, Set>,
    /// The flavors that do not name the capability, and so have all values.
    open: Set,
    /// The flavors with any of the defined values.
    any: Set,
}

impl CapabilityOffer<'_> {
    fn named(&self, value: &str) -> Set {
        self.named.get(value).copied().unwrap_or_default()
    }
}

impl<'v> Flavors<'v> {
    /// The flavors of a mapping. Of several entries for the region the last counts. Images without flavors are one flavor for
    /// each architecture.
    pub(super) fn of(mapping: &Mapping<'_, 'v>, definitions: &[Definition<'v>], region: &str) -> Self {
        let here = |images: &&RegionImage<'v>| images.region == region;
        let mut plain = NameMap::new();
        let mut flavors: Vec<(&Capabilities<'v>, &'v str)> = Vec::new();
        if mapping.flavors.is_empty() {
            for image in mapping.regions.iter().filter(here) {
                plain.insert(image.architecture(), (of_architecture(image.architecture()), image.id));
            }
            flavors.extend(plain.iter().map(|(_, (capabilities, id))| (capabilities, *id)));
        }
        for (capabilities, images) in &mapping.flavors {
            flavors.extend(images.iter().rev().find(here).map(|image| (*capabilities, image.id)));
        }
        let mut ranks = vec![Set::MAX];
        let offers = definitions.iter().map(|definition| {
            let mut offer = CapabilityOffer::default();
            let mut bit: Set = 1;
            for (capabilities, _) in &flavors {
                match capabilities.get(definition.name) {
                    None => offer.open |= bit,
                    Some(values) => {
                        for value in values {
                            *offer.named.or_insert_with(value, Set::default) |= bit;
                        }
                    }
                }
                bit <<= 1;
            }
            let mut before = Set::default();
            for value in &definition.values {
                let holders = offer.open | offer.named(value);
                if holders != before {
                    let mut split = Vec::new();
                    for rank in &ranks {
                        for part in [rank & holders, rank & !holders] {
                            if part != 0 {
                                split.push(part);
                            }
                        }
                    }
                    ranks = split;
                }
                before = holders;
                offer.any |= holders;
            }
            offer
        });
        Self { offers: offers.collect(), ids: flavors.iter().map(|(_, id)| *id).collect(), ranks }
    }

    /// The flavors that share a value of every definition with a machine type.
    pub(super) fn compatible(&self, machine: &Machine<'_, '_>, definitions: &[Definition<'_>]) -> Set {
        let mut left: Set = (0..self.ids.len()).fold(0, |all, _| all << 1 | 1);
        for (offer, (definition, meets)) in self.offers.iter().zip(definitions.iter().zip(&machine.meets)) {
            left &= machine.capabilities.get(definition.name).map_or(offer.any, |values| {
                let open = if *meets { offer.open } else { Set::default() };
                values.iter().fold(open, |all, value| all | offer.named(value))
            });
        }
        left
    }

    /// The id of the preferred flavor in a set; none where several are preferred alike.
    pub(super) fn best(&self, among: Set) -> Option<&'v str> {
        let best = self.ranks.iter().map(|rank| rank & among).find(|rank| *rank != 0)?;
        if best.is_power_of_two() { self.ids.get(best.trailing_zeros() as usize).copied() } else { None }
    }
}
