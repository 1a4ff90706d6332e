//! What people read of a plan.

use super::diff::Entry;
use super::{Attribute, Difference, Resource};
use crate::collections::NameMap;
use crate::policy::{Action, Note, PlannedResource, ResourceChange};

type Values = NameMap<'static, Option<String>>;

/// The resources at places.
pub(super) fn resources(entries: &[Entry], places: &[usize]) -> Vec<PlannedResource> {
    let listed = |place: &&usize| places.contains(place);
    let id = |place: &usize| entries.get(*place).map(|entry| entry.resource.id.clone());
    let resource = |entry: &Entry| {
        let Resource { id: name_in_plan, kind, name, found, foreign, .. } = &entry.resource;
        let stands_on = if entry.action == Some(Action::Delete) { &entry.uses } else { &entry.needs };
        PlannedResource {
            id: name_in_plan.clone(),
            kind: kind.name,
            name: name.clone(),
            resource_id: found.clone(),
            action: entry.action,
            foreign: *foreign,
            billed: kind.billed,
            needs: stands_on.iter().filter(listed).filter_map(id).collect(),
        }
    };
    of(entries, places).map(resource).collect()
}

/// The changes of the resources at places; `steps` has the ids of the steps of each resource.
pub(super) fn changes(entries: &[Entry], places: &[usize], mut steps: Vec<Vec<String>>) -> Vec<ResourceChange> {
    let change = |place: &usize| {
        let entry = entries.get(*place)?;
        let action = entry.action?;
        let resource = &entry.resource;
        let (before, after) = resource.values(action);
        Some(ResourceChange {
            id: resource.id.clone(),
            action,
            kind: resource.kind.name,
            name: resource.name.clone(),
            resource_id: resource.found.clone(),
            before: Some(before).filter(|before| !before.is_empty()),
            after: Some(after).filter(|after| !after.is_empty()),
            disruption: resource.disruption(action),
            steps: steps.get_mut(*place).map(std::mem::take).unwrap_or_default(),
        })
    };
    places.iter().filter_map(change).collect()
}

/// Differences of the resources at places that are left as they are.
pub(super) fn notes(entries: &[Entry], places: &[usize]) -> Vec<Note> {
    let mut notes = Vec::new();
    for entry in of(entries, places).filter(|entry| !entry.is_removed()) {
        let resource = &entry.resource;
        let is_left = |difference: &Difference| resource.foreign || matches!(difference, Difference::Report);
        for attribute in resource.differences().filter(|attribute| is_left(&attribute.difference)) {
            notes.push(Note {
                id: resource.id.clone(),
                attribute: attribute.name,
                wanted: attribute.wanted.clone(),
                found: attribute.found.clone(),
            });
        }
    }
    notes
}

fn of<'e>(entries: &'e [Entry], places: &'e [usize]) -> impl Iterator<Item = &'e Entry> {
    places.iter().filter_map(|place| entries.get(*place))
}

impl Resource {
    /// Attributes before and after an action.
    fn values(&self, action: Action) -> (Values, Values) {
        let wanted = |attribute: &Attribute| (attribute.name, attribute.wanted.clone());
        let found = |attribute: &Attribute| (attribute.name, attribute.found.clone());
        let is_found = |attribute: &&Attribute| attribute.found.is_some();
        let all = || self.attributes.iter();
        let mended =
            || self.differences().filter(|attribute| matches!(attribute.difference, Difference::Mend(..)));
        match action {
            Action::Create | Action::Associate => (Values::new(), all().map(wanted).collect()),
            Action::Replace => (all().map(found).collect(), all().map(wanted).collect()),
            Action::Delete => (all().filter(is_found).map(found).collect(), Values::new()),
            Action::Update | Action::Adopt => (mended().map(found).collect(), mended().map(wanted).collect()),
        }
    }

    /// What an action stops from working.
    fn disruption(&self, action: Action) -> Option<String> {
        match action {
            Action::Create | Action::Associate => None,
            Action::Replace | Action::Delete => self.disruption.clone(),
            Action::Update | Action::Adopt => {
                let mut sentences: Vec<&str> = Vec::new();
                for attribute in self.differences() {
                    if let Difference::Mend(_, Some(sentence)) = &attribute.difference
                        && !sentences.contains(&sentence.as_str())
                    {
                        sentences.push(sentence);
                    }
                }
                Some(sentences.join(" ")).filter(|text| !text.is_empty())
            }
        }
    }
}
