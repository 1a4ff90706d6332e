//! Whose resources are: what the state records is ours, and what is found without a record is ours only where a person
//! says so.

use super::Resource;
use super::diff::Entry;
use super::record::{self, recorded};
use crate::policy::{Gone, State};

/// Key of the state that has the id of the account in which the resources are.
pub const ACCOUNT: &str = "Account";

/// Who asks for a plan, and what is recorded there.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'c> {
    /// The state as it is recorded, without what observation adds to it.
    pub recorded: &'c State,
    /// Id of the account of the credentials; `None` where it is not known.
    pub account: Option<&'c str>,
    /// Whether what is found by tags or names alone may be taken over, or deleted.
    pub may_adopt: bool,
    /// Whether the record of a network may be given up of which nothing is found.
    pub may_forget: bool,
}

/// Why nothing may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unowned {
    /// Nothing is recorded, and these are found by their tags or names alone.
    Unrecorded(Vec<Gone>),
    /// The state names no account, and nothing that it records is found.
    Unbound(Vec<Gone>),
    /// The network is to go, and nothing of it is found.
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

/// Judges whether what is found may be changed, and what is not found given up.
pub(super) fn judge(entries: &[Entry], gone: &[Gone], caller: &Caller<'_>) -> Result<(), Unowned> {
    let state = caller.recorded;
    let mut ours = entries.iter().filter(|entry| !entry.resource.foreign);
    let has_record = ours.clone().any(|entry| entry.resource.is_recorded(state)) || record::is_busy(state);
    if !has_record {
        let found = |entry: &Entry| {
            let id = entry.resource.found.as_ref().filter(|_| entry.action.is_some())?;
            Some(named(&entry.resource, id))
        };
        let found: Vec<Gone> = ours.filter_map(found).collect();
        return if found.is_empty() || caller.may_adopt { Ok(()) } else { Err(Unowned::Unrecorded(found)) };
    }
    let goes = entries.iter().all(|entry| !entry.resource.wanted);
    if goes && !gone.is_empty() && ours.clone().all(|entry| entry.resource.found.is_none()) {
        return if caller.may_forget { Ok(()) } else { Err(Unowned::Nothing(gone.to_vec())) };
    }
    let is_bound = state.get(ACCOUNT).is_some() || caller.account.is_none() || caller.may_adopt;
    if is_bound || gone.is_empty() || ours.any(|entry| entry.resource.is_confirmed(state)) {
        return Ok(());
    }
    Err(Unowned::Unbound(gone.to_vec()))
}

/// Records whose the resources are, for as long as there are any.
pub(super) fn bind(entries: &[Entry], state: &mut State, caller: &Caller<'_>) {
    let is_idle = entries.iter().all(|entry| entry.action.is_none());
    if is_idle && entries.iter().all(|entry| !entry.resource.wanted) && !record::is_busy(state) {
        state.remove(ACCOUNT);
    } else if let Some(account) = caller.account.filter(|_| !is_idle || !state.is_empty()) {
        state.insert(ACCOUNT, account.to_owned());
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

    /// Whether it is found as the state has it, or was being made or deleted.
    fn is_confirmed(&self, state: &State) -> bool {
        let id = self.key.as_ref().and_then(|key| recorded(state, key));
        let is_busy = || state.get(&self.pending()).is_some() || state.get(&self.deleting()).is_some();
        self.found.as_ref().is_some_and(|found| id == Some(found) || is_busy())
    }
}

#[cfg(test)]
mod tests;
