//! Whose resources are. A resource that is found as the state records it proves that the cloud and the account are
//! the right ones. Without one, the planner takes what it finds by tag or name for ours only where a person says
//! so.

use super::Resource;
use super::arena::Arena;
use super::planned::Planned;
use super::record::{self, recorded_value};
use crate::policy::{Gone, State};

/// Key of the state that has the id of the account in which the resources are.
pub const ACCOUNT: &str = "Account";

/// Key of the state that says that a person has named the account: the planner has to find something of the record
/// there before it changes anything.
pub const REBOUND: &str = "Rebound";

/// Who asks for a plan, and what the state records.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Caller<'c> {
    /// The recorded state, without what observation adds to it.
    pub recorded: &'c State,
    /// Id of the account that the credentials belong to; `None` where nobody knows it.
    pub account: Option<&'c str>,
    /// Whether the planner may adopt or delete what it finds by tag or name alone; and whether it may bind a state
    /// to the account that names none, and of which it finds nothing.
    pub may_adopt: bool,
    /// Whether what the planner finds by tag or name is known to be ours, as long as the state records nothing at
    /// all.
    pub is_known: bool,
    /// Whether the planner may give up the record of a network of which it finds nothing.
    pub may_forget: bool,
    /// Whether so much time has passed since the last change that the cloud shows everything by now: what a run
    /// was creating, and the cloud does not show, does not exist.
    pub has_waited: bool,
}

/// Why the planner does not take resources for ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unowned {
    /// It finds nothing that the state records, and these resources by tag or name alone.
    Unrecorded(Vec<Gone>),
    /// The state names no account, or one that a person has named, and the planner finds none of these recorded
    /// resources.
    Unbound(Vec<Gone>),
    /// The network is to be deleted, and the planner finds none of these recorded resources.
    Nothing(Vec<Gone>),
}

/// What the state records and the cloud does not have. What a run is creating is not part of it, as the cloud may
/// not show it yet, and neither is what a run is deleting.
pub(super) fn gone(all: &Arena<Planned>, state: &State) -> Vec<Gone> {
    let is_found = |id: &str| all.iter().any(|planned| planned.resource.found.as_deref() == Some(id));
    let mut gone = Vec::new();
    for Planned { resource, .. } in all {
        let Some(id) = resource.recorded_id(state).filter(|_| !resource.foreign) else { continue };
        let is_of_run = state.get(&resource.pending_key()).is_some()
            || recorded_value(state, &resource.deleting_key()) == Some(id);
        if !is_of_run && !is_found(id) {
            gone.push(named(resource, id));
        }
    }
    gone
}

/// Checks that the plan may change what is found, and give up what is not. One resource that is found as the state
/// records it proves that the cloud and the account are the right ones.
pub(super) fn check(all: &Arena<Planned>, gone: &[Gone], caller: &Caller<'_>) -> Result<(), Unowned> {
    let state = caller.recorded;
    let ours = || all.iter().filter(|planned| !planned.resource.foreign);
    if ours().any(|planned| planned.resource.is_confirmed(state)) {
        return Ok(());
    }
    if is_nothing_wanted(all) && !gone.is_empty() && !caller.may_forget {
        return Err(Unowned::Nothing(gone.to_vec()));
    }
    let mut changed = Vec::new();
    for Planned { resource, action, .. } in ours() {
        if let (Some(id), Some(_)) = (&resource.found, action) {
            changed.push(named(resource, id));
        }
    }
    let is_known = caller.is_known && !ours().any(|planned| planned.resource.recorded_id(state).is_some());
    if !changed.is_empty() && !caller.may_adopt && !is_known {
        return Err(Unowned::Unrecorded(changed));
    }
    let is_named = recorded_value(state, ACCOUNT).is_some() && state.get(REBOUND).is_none();
    let is_bound = is_named || caller.account.is_none() || caller.may_adopt;
    if is_nothing_wanted(all) || gone.is_empty() || is_bound {
        Ok(())
    } else {
        Err(Unowned::Unbound(gone.to_vec()))
    }
}

/// Where nothing is wanted: ids of the resources that a run was creating and that the cloud does not show. They
/// may still appear.
pub(super) fn awaited(all: &Arena<Planned>, state: &State) -> Vec<String> {
    if is_nothing_wanted(all) { record::pending(state).map(str::to_owned).collect() } else { Vec::new() }
}

fn is_nothing_wanted(all: &Arena<Planned>) -> bool {
    all.iter().all(|planned| !planned.resource.wanted)
}

/// Records the account as long as the state holds anything of resources, and forgets it when all of them are gone.
pub(super) fn record_account(all: &Arena<Planned>, state: &mut State, caller: &Caller<'_>) {
    let is_idle = all.iter().all(|planned| planned.action.is_none());
    let is_over = is_idle && is_nothing_wanted(all);
    if is_over && caller.has_waited {
        record::forget_unfinished(state);
    }
    if is_over && !record::is_unfinished(state) {
        state.remove(ACCOUNT);
        state.remove(REBOUND);
    } else if let Some(account) = caller.account.filter(|_| !is_idle || !state.is_empty()) {
        state.insert(ACCOUNT, account.to_owned());
        state.remove(REBOUND);
    }
}

fn named(resource: &Resource, id: &str) -> Gone {
    Gone {
        id: resource.id.clone(),
        kind: resource.kind.name,
        name: resource.name.clone(),
        resource_id: id.to_owned(),
    }
}

impl Resource {
    /// Whether it is found as the state records it, or while a run was creating or deleting it. The cloud may show
    /// for a while what was deleted last.
    fn is_confirmed(&self, state: &State) -> bool {
        let Some(found) = &self.found else { return false };
        let is_recorded = self.recorded_id(state) == Some(found.as_str());
        let is_deleted = || [self.deleting_key(), self.last_key()].iter().any(|key| state.get(key) == Some(found));
        is_recorded || state.get(&self.pending_key()).is_some() || is_deleted()
    }
}

#[cfg(test)]
mod tests;
