//! Decides what the plan does to each resource.

use super::arena::{Arena, Id};
use super::planned::Planned;
use super::record::recorded_value;
use super::{Cause, Difference, Obstacle, Resource};
use crate::policy::{Action, State};

/// Decides what the plan does to each resource, and returns what keeps the planner from making a plan.
pub(super) fn decide(all: &mut Arena<Planned>, state: &State) -> Vec<Obstacle> {
    for planned in all.iter_mut() {
        planned.action = planned.resource.action_by_itself(state);
    }
    while let Some(id) = all.ids().find(|id| all[*id].is_replaced_with_others(all)) {
        all[id].action = Some(Action::Replace);
    }
    for id in all.ids() {
        all[id].deleted_with = all[id].deleted_container(all);
    }
    while let Some(id) = all.ids().find(|id| all[*id].has_to_go_before_its_container(all)) {
        all[id].deleted_with = None;
    }
    let mut obstacles = Vec::new();
    for planned in all.iter() {
        planned.add_obstacles(all, &mut obstacles);
    }
    obstacles
}

/// Whether a resource uses another one at present, directly or through what it uses and contains.
fn reaches(all: &Arena<Planned>, from: Id<Planned>, target: Id<Planned>) -> bool {
    let mut is_seen = all.parallel(|_| false);
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if id == target {
            return true;
        }
        if std::mem::replace(&mut is_seen[id], true) {
            continue;
        }
        open.extend_from_slice(&all[id].uses);
        for contained in all.iter().filter(|planned| planned.within == Some(id)) {
            for used in &contained.uses {
                if *used != id {
                    open.push(*used);
                }
            }
        }
    }
    false
}

impl Planned {
    /// The resource that contains this one, where the plan deletes both.
    fn deleted_container(&self, all: &Arena<Self>) -> Option<Id<Self>> {
        self.within.filter(|container| self.is_deleted() && all[*container].is_deleted())
    }

    /// Whether the plan has to delete this resource before its container, because this resource uses something
    /// that the plan has to delete before the container. What is deleted with the same container does not count.
    fn has_to_go_before_its_container(&self, all: &Arena<Self>) -> bool {
        self.deleted_with.is_some_and(|container| {
            let is_apart = |used: &&Id<Self>| **used != container && all[**used].deleted_with != Some(container);
            self.uses.iter().filter(is_apart).any(|used| reaches(all, *used, container))
        })
    }

    /// Whether the plan has to replace this resource because of what it does to another one, and does not replace
    /// this one yet.
    fn is_replaced_with_others(&self, all: &Arena<Self>) -> bool {
        let Resource { wanted, foreign, found, .. } = &self.resource;
        let is_replaced = |id: &Id<Self>| all[*id].action == Some(Action::Replace);
        *wanted
            && !foreign
            && found.is_some()
            && self.action != Some(Action::Replace)
            && (self.within.is_some_and(|container| all[container].is_deleted())
                || self.needs.iter().chain(&self.uses).any(is_replaced))
    }

    /// Adds what about this resource keeps the planner from making a plan.
    fn add_obstacles(&self, all: &Arena<Self>, obstacles: &mut Vec<Obstacle>) {
        let resource = &self.resource;
        let mut add = |cause, remedy| obstacles.push(Obstacle { id: resource.id.clone(), cause, remedy });
        if resource.foreign && resource.wanted && resource.found.is_none() {
            let remedy = "it does not exist, and Trellis does not create it: create it, or name another one";
            add(Cause::Missing, remedy.to_owned());
        }
        let container = self.within.map(|container| &all[container]).filter(|container| container.is_deleted());
        if let Some(container) = container
            && resource.foreign
            && resource.found.is_some()
        {
            let remedy = format!(
                "the plan would delete it with `{}`, and it is not ours: delete it first",
                container.resource.id
            );
            add(Cause::GoesWithContainer, remedy);
        }
        if let Some(remedy) = resource.protected.as_ref().filter(|_| self.is_deleted()) {
            add(Cause::Protected, remedy.clone());
        }
        for attribute in resource.differences() {
            if let Difference::Refuse(remedy) = &attribute.difference {
                add(Cause::Attribute(attribute.name), remedy.clone());
            }
        }
    }
}

impl Resource {
    /// What the plan does to this resource, as far as other resources do not decide.
    fn action_by_itself(&self, state: &State) -> Option<Action> {
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
        let is_recorded = self.key.as_ref().is_none_or(|key| recorded_value(state, key) == Some(found.as_str()));
        let differs = |is: fn(&Difference) -> bool| self.differences().any(|attribute| is(&attribute.difference));
        if differs(|difference| matches!(difference, Difference::Replace)) {
            Some(Action::Replace)
        } else if self.unmarked || !is_recorded {
            Some(Action::Adopt)
        } else if differs(|difference| matches!(difference, Difference::Update(..))) {
            Some(Action::Update)
        } else {
            None
        }
    }
}
