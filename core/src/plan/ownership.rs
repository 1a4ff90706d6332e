//! Whose resources are: one that is found as the state records it tells that the cloud and the account are the right ones.
//! Without one, what is found by its tag is ours only where a person says so.

use super::Resource;
use super::diff::Entry;
use super::record::{self, recorded};
use crate::policy::{Gone, State};

/// Key of the state that has the id of the account in which the resources are.
pub const ACCOUNT: &str = "Account";

/// Key of the state that says that a person has named the account: what is recorded has to be found there first.
pub const REBOUND: &str = "Rebound";

/// Who asks for a plan, and what is recorded there.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Caller<'c> {
    /// The state as it is recorded, without what observation adds to it.
    pub recorded: &'c State,
    /// Id of the account of the credentials; `None` where it is not known.
    pub account: Option<&'c str>,
    /// Whether what is found by tags or names alone may be taken over, or deleted; and whether a state that names no account, and
    /// of which nothing is found, may be bound to the account.
    pub may_adopt: bool,
    /// Whether what is found so is known to be ours, as long as nothing at all is recorded.
    pub is_known: bool,
    /// Whether the record of a network may be given up of which nothing is found.
    pub may_forget: bool,
    /// Whether the cloud had time since the last change: what was being made, and is not found, never came.
    pub has_waited: bool,
}

/// Why nothing may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unowned {
    /// Nothing that is recorded is found, and these are found by their tags or names alone.
    Unrecorded(Vec<Gone>),
    /// The state names no account, or one that a person has named, and nothing that it records is found.
    Unbound(Vec<Gone>),
    /// The network is to go, and nothing that is recorded of it is found.
    Nothing(Vec<Gone>),
}

/// What is recorded and not found: not what is being made, which the cloud may not show yet, nor what is being deleted.
pub(super) fn gone(entries: &[Entry], state: &State) -> Vec<Gone> {
    let is_found = |id: &String| entries.iter().any(|entry| entry.resource.found.as_ref() == Some(id));
    let gone = |entry: &Entry| {
        let resource = &entry.resource;
        let id = resource.key.as_ref().and_then(|key| recorded(state, key)).filter(|_| !resource.foreign)?;
        let is_awaited = state.get(&resource.pending()).is_some() || state.get(&resource.deleting()) == Some(id);
        (!is_awaited && !is_found(id)).then(|| named(resource, id))
    };
    entries.iter().filter_map(gone).collect()
}

/// Judges whether what is found may be changed, and what is not found given up. One resource that is found as it is recorded
/// tells that cloud and account are the right ones.
pub(super) fn judge(entries: &[Entry], gone: &[Gone], caller: &Caller<'_>) -> Result<(), Unowned> {
    let state = caller.recorded;
    let ours = || entries.iter().filter(|entry| !entry.resource.foreign);
    if ours().any(|entry| entry.resource.is_confirmed(state)) {
        return Ok(());
    }
    if goes(entries) && !gone.is_empty() && !caller.may_forget {
        return Err(Unowned::Nothing(gone.to_vec()));
    }
    let taken = |entry: &Entry| {
        let id = entry.resource.found.as_ref().filter(|_| entry.action.is_some())?;
        Some(named(&entry.resource, id))
    };
    let taken: Vec<Gone> = ours().filter_map(taken).collect();
    let is_known = caller.is_known && !ours().any(|entry| entry.resource.is_recorded(state));
    if !taken.is_empty() && !caller.may_adopt && !is_known {
        return Err(Unowned::Unrecorded(taken));
    }
    let is_named = recorded(state, ACCOUNT).is_some() && state.get(REBOUND).is_none();
    let is_bound = is_named || caller.account.is_none() || caller.may_adopt;
    if goes(entries) || gone.is_empty() || is_bound { Ok(()) } else { Err(Unowned::Unbound(gone.to_vec())) }
}

/// Ids of resources that were being made when all is to go, and that the cloud does not show: they may still come.
pub(super) fn awaited(entries: &[Entry], state: &State) -> Vec<String> {
    if goes(entries) { record::begun(state).map(str::to_owned).collect() } else { Vec::new() }
}

/// Whether nothing is wanted.
pub(super) fn goes(entries: &[Entry]) -> bool {
    entries.iter().all(|entry| !entry.resource.wanted)
}

/// Records whose the resources are, for as long as there are any.
pub(super) fn bind(entries: &[Entry], state: &mut State, caller: &Caller<'_>) {
    let is_idle = entries.iter().all(|entry| entry.action.is_none());
    if is_idle && goes(entries) && caller.has_waited {
        record::forget_begun(state);
    }
    if is_idle && goes(entries) && !record::is_busy(state) {
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
    fn is_recorded(&self, state: &State) -> bool {
        self.key.as_ref().is_some_and(|key| recorded(state, key).is_some())
    }

    /// Whether it is found as the state has it, or was being made or deleted. What went last may be shown for a while.
    fn is_confirmed(&self, state: &State) -> bool {
        let Some(found) = &self.found else { return false };
        let is_recorded = self.key.as_ref().is_some_and(|key| recorded(state, key) == Some(found));
        let is_gone = || [self.deleting(), self.last()].iter().any(|key| state.get(key) == Some(found));
        is_recorded || state.get(&self.pending()).is_some() || is_gone()
    }
}

#[cfg(test)]
mod tests;
