//! A resource among the others of a plan.

use super::Resource;
use super::arena::{Arena, Id};
use crate::collections::sorted;
use crate::policy::Action;

/// A resource with links to the others, and what the plan does to it.
pub(super) struct Planned {
    /// What the provider declared.
    pub resource: Resource,
    /// The resources that it needs.
    pub needs: Vec<Id<Planned>>,
    /// The resources that it uses at present.
    pub uses: Vec<Id<Planned>>,
    /// The resource that contains it.
    pub within: Option<Id<Planned>>,
    /// What the plan does to the resource; `None` where the plan does nothing.
    pub action: Option<Action>,
    /// The resource whose deletion deletes this one too.
    pub deleted_with: Option<Id<Planned>>,
    /// Ids of its steps in the plan.
    pub steps: Vec<String>,
}

impl Planned {
    /// Whether the resource exists, or will, when the plan is done.
    pub fn remains(&self) -> bool {
        match self.action {
            Some(action) => action != Action::Delete,
            None => self.resource.found.is_some(),
        }
    }

    /// Whether the plan deletes the resource that is found.
    pub fn is_deleted(&self) -> bool {
        matches!(self.action, Some(Action::Replace | Action::Delete))
    }

    /// Whether the plan creates the resource, for the first time or again.
    pub fn is_created(&self) -> bool {
        matches!(self.action, Some(Action::Create | Action::Associate | Action::Replace))
    }
}

/// Links resources to those that they name. Names of resources that nobody declared are left out.
pub(super) fn link(resources: Vec<Resource>) -> Arena<Planned> {
    let mut all = Arena::default();
    for resource in resources {
        let (needs, uses, steps) = (Vec::new(), Vec::new(), Vec::new());
        all.push(Planned { resource, needs, uses, within: None, action: None, deleted_with: None, steps });
    }
    let names = all.ids().map(|id| (all[id].resource.id.as_str(), id)).collect();
    let names: Vec<(&str, Id<Planned>)> = sorted(names);
    debug_assert!(names.is_sorted_by(|(one, _), (next, _)| one < next), "two resources have the same id");
    let id_of = |name: &String| {
        let place = names.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        names.get(place).map(|(_, id)| *id)
    };
    let all_named = |names: &[String]| {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(id_of(name));
        }
        ids
    };
    let links = all.parallel(|id| {
        let Resource { needs, uses, within, .. } = &all[id].resource;
        (all_named(needs), all_named(uses), within.as_ref().and_then(id_of))
    });
    for (planned, (needs, uses, within)) in all.iter_mut().zip(links) {
        (planned.needs, planned.uses, planned.within) = (needs, uses, within);
    }
    all
}

/// The resource whose steps delete this one: the outermost of those that it is deleted with, else the resource
/// itself.
pub(super) fn deleted_by(all: &Arena<Planned>, id: Id<Planned>) -> Id<Planned> {
    // No chain is longer than the list, unless it is a ring.
    std::iter::successors(Some(id), |id| all[*id].deleted_with).take(all.len()).last().unwrap_or(id)
}
