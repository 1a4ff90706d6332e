//! What becomes of each resource.

use super::record::recorded;
use super::{Attribute, Difference, Refused, Resource};
use crate::collections::sorted;
use crate::policy::{Action, State};

/// A resource among others, which it names by their places.
#[derive(Debug)]
pub(super) struct Entry {
    pub resource: Resource,
    pub needs: Vec<usize>,
    pub uses: Vec<usize>,
    pub within: Option<usize>,
    /// What becomes of it; `None` where nothing does.
    pub action: Option<Action>,
    /// The resource that takes it along when it goes.
    pub carrier: Option<usize>,
}

/// Resources with the places of those that they name. What nobody declared is left out.
pub(super) fn entries(resources: Vec<Resource>) -> Vec<Entry> {
    let places =
        sorted(resources.iter().enumerate().map(|(place, resource)| (resource.id.as_str(), place)).collect());
    debug_assert!(places.is_sorted_by(|(one, _), (next, _)| one < next), "two resources have the same id");
    let place = |id: &String| {
        let found = places.binary_search_by(|(known, _)| (*known).cmp(id)).ok()?;
        places.get(found).map(|(_, place)| *place)
    };
    let of = |ids: &[String]| ids.iter().filter_map(place).collect::<Vec<_>>();
    let links: Vec<_> = resources
        .iter()
        .map(|resource| (of(&resource.needs), of(&resource.uses), resource.within.as_ref().and_then(place)))
        .collect();
    let entry =
        |(resource, (needs, uses, within))| Entry { resource, needs, uses, within, action: None, carrier: None };
    resources.into_iter().zip(links).map(entry).collect()
}

/// Decides what becomes of each resource; why there can be no plan, where there cannot.
pub(super) fn decide(entries: &mut [Entry], state: &State) -> Vec<Refused> {
    for entry in entries.iter_mut() {
        entry.action = entry.resource.action(state);
    }
    while let Some(place) = entries.iter().position(|entry| entry.is_struck(entries)) {
        if let Some(entry) = entries.get_mut(place) {
            entry.action = Some(Action::Replace);
        }
    }
    for place in 0..entries.len() {
        let carrier = entries.get(place).and_then(|entry| entry.container(entries));
        if let Some(entry) = entries.get_mut(place) {
            entry.carrier = carrier;
        }
    }
    while let Some(place) = entries.iter().position(|entry| entry.goes_earlier(entries)) {
        if let Some(entry) = entries.get_mut(place) {
            entry.carrier = None;
        }
    }
    entries.iter().flat_map(|entry| entry.refusals(entries)).collect()
}

/// Whether one resource stands on another one at present, by itself or by others that go with it.
fn stands_on(entries: &[Entry], place: usize, other: usize) -> bool {
    let mut seen = vec![false; entries.len()];
    let mut open = vec![place];
    while let Some(place) = open.pop() {
        if place == other {
            return true;
        }
        let Some(is_seen) = seen.get_mut(place).filter(|is_seen| !**is_seen) else { continue };
        *is_seen = true;
        open.extend(entries.get(place).iter().flat_map(|entry| &entry.uses));
        let inside = entries.iter().filter(|entry| entry.within == Some(place));
        open.extend(inside.flat_map(|entry| &entry.uses).filter(|used| **used != place));
    }
    false
}

impl Entry {
    /// Whether the resource that is there goes.
    pub fn is_removed(&self) -> bool {
        matches!(self.action, Some(Action::Replace | Action::Delete))
    }

    /// Whether it comes, for the first time or once more.
    pub fn is_made(&self) -> bool {
        matches!(self.action, Some(Action::Create | Action::Associate | Action::Replace))
    }

    /// The resource that it is within, where both go.
    fn container(&self, entries: &[Entry]) -> Option<usize> {
        self.within.filter(|place| self.is_removed() && entries.get(*place).is_some_and(Self::is_removed))
    }

    /// Whether its carrier cannot take it along, as something that it uses has to go before that: not what goes with the
    /// same carrier.
    fn goes_earlier(&self, entries: &[Entry]) -> bool {
        self.carrier.is_some_and(|carrier| {
            let is_apart = |used: &&usize| {
                **used != carrier && entries.get(**used).is_some_and(|entry| entry.carrier != Some(carrier))
            };
            self.uses.iter().filter(is_apart).any(|used| stands_on(entries, *used, carrier))
        })
    }

    /// Whether it has to be replaced because of another one, which is not known of it yet.
    fn is_struck(&self, entries: &[Entry]) -> bool {
        let Resource { wanted, foreign, found, .. } = &self.resource;
        let action = |place: &usize| entries.get(*place).and_then(|entry| entry.action);
        *wanted
            && !foreign
            && found.is_some()
            && self.action != Some(Action::Replace)
            && (self.within.is_some_and(|place| entries.get(place).is_some_and(Self::is_removed))
                || self.needs.iter().chain(&self.uses).any(|place| action(place) == Some(Action::Replace)))
    }

    fn refusals(&self, entries: &[Entry]) -> Vec<Refused> {
        let resource = &self.resource;
        let refused =
            |attribute, remedy: &str| Refused { id: resource.id.clone(), attribute, remedy: remedy.to_owned() };
        let mut refusals = Vec::new();
        if resource.foreign {
            if resource.wanted && resource.found.is_none() {
                refusals.push(refused(None, "it is not there and is not made here: make it, or name another one"));
            }
            let within =
                self.within.and_then(|place| entries.get(place)).filter(|container| container.is_removed());
            if resource.found.is_some()
                && let Some(container) = within
            {
                let remedy =
                    format!("it would go with `{}` and is not ours: remove it first", container.resource.id);
                refusals.push(refused(None, &remedy));
            }
        }
        if self.is_removed()
            && let Some(remedy) = &resource.protected
        {
            refusals.push(refused(None, remedy));
        }
        for attribute in resource.differences() {
            if let Difference::Refuse(remedy) = &attribute.difference {
                refusals.push(refused(Some(attribute.name), remedy));
            }
        }
        refusals
    }
}

impl Resource {
    /// What becomes of it by itself.
    fn action(&self, state: &State) -> Option<Action> {
        let Some(found) = &self.found else {
            let action = if self.kind.association { Action::Associate } else { Action::Create };
            return (self.wanted && !self.foreign).then_some(action);
        };
        if self.foreign {
            return None;
        }
        if !self.wanted {
            return Some(Action::Delete);
        }
        let is_recorded = self.key.as_ref().is_none_or(|key| recorded(state, key) == Some(found));
        let differs =
            |what: fn(&Difference) -> bool| self.differences().any(|attribute| what(&attribute.difference));
        if differs(|difference| matches!(difference, Difference::Replace)) {
            Some(Action::Replace)
        } else if self.unmarked || !is_recorded {
            Some(Action::Adopt)
        } else if differs(|difference| matches!(difference, Difference::Mend(..))) {
            Some(Action::Update)
        } else {
            None
        }
    }

    /// Attributes of a resource that is there and wanted which are not as they should be.
    pub(super) fn differences(&self) -> impl Iterator<Item = &Attribute> {
        let is_compared = self.wanted && self.found.is_some();
        self.attributes.iter().filter(move |attribute| is_compared && attribute.differs())
    }
}

impl Attribute {
    /// Whether it is not as it should be.
    pub(super) fn differs(&self) -> bool {
        self.wanted.is_some() && self.wanted != self.found
    }
}
