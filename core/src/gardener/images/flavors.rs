//! The choice of a flavor: which flavors of an image version suit a machine type, and which of them is preferred.
//!
//! Source: the worker helpers of Gardener's extension library, and section 5.2 of the fact sheet
//! `alicloud-policy`.

use std::borrow::Cow;

use super::capabilities::render;
use super::mapping::{Mapping, RegionImage, of_architecture};
use crate::collections::{NameMap, NameSet};
use crate::gardener::types::capabilities::{ARCHITECTURE, Capabilities, Definition};

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

/// What a worker pool demands of an image: what its machine type demands, and an architecture where the machine
/// type names none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand<'m, 'c, 'v> {
    pub(super) machine: &'m Machine<'c, 'v>,
    pub(super) architecture: Option<&'v str>,
}

impl<'v> Demand<'_, '_, 'v> {
    fn values(&self, name: &str) -> Option<&[&'v str]> {
        match &self.architecture {
            Some(architecture) if name == ARCHITECTURE => Some(std::slice::from_ref(architecture)),
            _ => self.machine.capabilities.get(name).map(Vec::as_slice),
        }
    }

    /// Whether the demand names a value of a definition. `of_machine`: whether the machine type does.
    fn meets(&self, definition: &Definition<'_>, of_machine: bool) -> bool {
        match self.architecture {
            Some(architecture) if definition.name == ARCHITECTURE => definition.values.contains(&architecture),
            _ => of_machine,
        }
    }

    /// What distinguishes demands of one machine type: the architecture, where images differ in it.
    pub(super) fn key(&self, definitions: &[Definition<'_>]) -> &'v str {
        let differs = definitions.iter().any(|definition| definition.name == ARCHITECTURE);
        self.architecture.filter(|_| differs).unwrap_or_default()
    }

    /// As Go prints the capabilities.
    pub(super) fn render(&self) -> String {
        let Some(architecture) = self.architecture else { return render(self.machine.capabilities) };
        let mut capabilities = self.machine.capabilities.clone();
        capabilities.insert(ARCHITECTURE, vec![architecture]);
        render(&capabilities)
    }
}

/// A set of flavors of an image version, a bit for each of them: [`limit_flavors`](super::limit_flavors) refuses
/// more.
type Set = u128;

/// The flavors of an image version that have an id in the region.
#[derive(Debug)]
pub(super) struct Flavors<'v> {
    ids: Vec<&'v str>,
    /// For each definition, the flavors that offer its values.
    offers: Vec<CapabilityOffer<'v>>,
    /// Groups of flavors with the same values, in the order of preference: of two groups, the one comes first that
    /// has the first value which the other lacks.
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
    /// The flavors of the mappings of a version, each with the position of its image. The first image counts that
    /// has a flavor in the region; of several entries of a flavor for the region, the last. Images without flavors
    /// are one flavor for each architecture.
    pub(super) fn of(mappings: &[(usize, Mapping<'_, 'v>)], definitions: &[Definition<'v>], region: &str) -> Self {
        let here = |images: &&RegionImage<'v>| images.region == region;
        let mut flavors: Vec<(Cow<'_, Capabilities<'v>>, &'v str)> = Vec::new();
        let mut found = None;
        for (image, mapping) in mappings {
            if found.is_some_and(|found| found != image) {
                break;
            }
            if mapping.flavors.is_empty() {
                let mut plain = NameMap::new();
                for image in mapping.regions.iter().filter(here) {
                    plain.insert(image.architecture(), image.id);
                }
                flavors.extend(plain.iter().map(|(name, id)| (Cow::Owned(of_architecture(name)), *id)));
            }
            for (capabilities, images) in &mapping.flavors {
                let image = images.iter().rev().find(here);
                flavors.extend(image.map(|image| (Cow::Borrowed(*capabilities), image.id)));
            }
            found = found.or((!flavors.is_empty()).then_some(image));
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
                        for &part in &[rank & holders, rank & !holders] {
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

    /// Whether no flavor has an id in the region.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The flavors that share a value of every definition with a demand.
    pub(super) fn compatible(&self, demand: &Demand<'_, '_, '_>, definitions: &[Definition<'_>]) -> Set {
        let mut left: Set = (0..self.ids.len()).fold(0, |all, _| all << 1 | 1);
        for (offer, (definition, meets)) in self.offers.iter().zip(definitions.iter().zip(&demand.machine.meets)) {
            left &= demand.values(definition.name).map_or(offer.any, |values| {
                let open = if demand.meets(definition, *meets) { offer.open } else { Set::default() };
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
