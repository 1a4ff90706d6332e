//! What people read of a plan.

use super::arena::{Arena, Id};
use super::planned::Planned;
use super::{Attribute, Difference, Resource};
use crate::collections::NameMap;
use crate::policy::{Action, Note, PlannedResource, ResourceChange};

type Values = NameMap<'static, Option<String>>;

/// The resources that the plan lists.
pub(super) fn resources(all: &Arena<Planned>, listed: &[Id<Planned>]) -> Vec<PlannedResource> {
    let resource = |id: &Id<Planned>| {
        let Planned { resource, needs, uses, action, .. } = &all[*id];
        let related = if *action == Some(Action::Delete) { uses } else { needs };
        let related = related.iter().filter(|id| listed.contains(id));
        PlannedResource {
            id: resource.id.clone(),
            kind: resource.kind.name,
            name: resource.name.clone(),
            resource_id: resource.found.clone(),
            action: *action,
            foreign: resource.foreign,
            billed: resource.kind.billed,
            needs: related.map(|id| all[*id].resource.id.clone()).collect(),
        }
    };
    listed.iter().map(resource).collect()
}

/// What the plan changes, with the ids of the steps that do.
pub(super) fn changes(all: &Arena<Planned>, listed: &[Id<Planned>]) -> Vec<ResourceChange> {
    let change = |id: &Id<Planned>| {
        let Planned { resource, action, steps, .. } = &all[*id];
        let action = (*action)?;
        let (before, after) = resource.values(action);
        Some(ResourceChange {
            id: resource.id.clone(),
            action,
            kind: resource.kind.name,
            name: resource.name.clone(),
            resource_id: resource.found.clone(),
            before: Some(before).filter(|before| !before.is_empty()),
            after: Some(after).filter(|after| !after.is_empty()),
            forces_replacement: resource.forces_replacement(action),
            disruption: resource.disruption(action),
            steps: steps.clone(),
        })
    };
    listed.iter().filter_map(change).collect()
}

/// Differences that the plan leaves as they are.
pub(super) fn notes(all: &Arena<Planned>, listed: &[Id<Planned>]) -> Vec<Note> {
    let mut notes = Vec::new();
    for Planned { resource, .. } in listed.iter().map(|id| &all[*id]).filter(|planned| !planned.is_deleted()) {
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

impl Resource {
    /// Values of attributes before and after an action.
    fn values(&self, action: Action) -> (Values, Values) {
        let (mut before, mut after) = (Values::new(), Values::new());
        for attribute in &self.attributes {
            let Attribute { name, wanted, found, difference } = attribute;
            let (had, has) = match action {
                Action::Create | Action::Associate => (false, true),
                Action::Replace => {
                    let is_changed = self.is_different(attribute);
                    (is_changed, is_changed)
                }
                Action::Delete => (found.is_some(), false),
                Action::Update | Action::Adopt => {
                    let is_updated = self.is_different(attribute) && matches!(difference, Difference::Update(..));
                    (is_updated, is_updated)
                }
            };
            if had {
                before.insert(name, found.clone());
            }
            if has {
                after.insert(name, wanted.clone());
            }
        }
        (before, after)
    }

    /// Names of the attributes whose difference is the reason for a replacement; none where another resource is
    /// the reason.
    fn forces_replacement(&self, action: Action) -> Vec<&'static str> {
        let forces = |attribute: &&Attribute| matches!(attribute.difference, Difference::Replace);
        match action {
            Action::Replace => self.differences().filter(forces).map(|attribute| attribute.name).collect(),
            _ => Vec::new(),
        }
    }

    /// What stops working while an action goes on.
    fn disruption(&self, action: Action) -> Option<String> {
        match action {
            Action::Create | Action::Associate => None,
            Action::Replace | Action::Delete => self.disruption.clone(),
            Action::Update | Action::Adopt => {
                let mut sentences: Vec<&str> = Vec::new();
                for attribute in self.differences() {
                    if let Difference::Update(_, Some(sentence)) = &attribute.difference
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
