//! What the state knows of resources: their ids, those that went before them, and what is being made.
//!
//! A step that creates has an idempotency token of the id that the resource had before, its *predecessor*: what is made after a
//! crash is what was being made, and what is made after a removal is another one. For that, the state has beside
//! the keys of resources
//!
//! - `Pending/<resource>`: the predecessor of what is being made, until it is there for everyone to see;
//! - `Deleting/<resource>`: the id of what is being deleted, until it is gone: what a crash leaves is told by it from what
//!   somebody else deleted;
//! - `Last/<resource>`: the id of what went last.

use super::Resource;
use super::diff::Entry;
use crate::policy::{Effects, State};

/// Value of a key whose resource was deleted; it reads as absent.
pub const DELETED: &str = "<deleted>";

/// Starts of keys.
const PENDING: &str = "Pending/";
const DELETING: &str = "Deleting/";

/// The predecessor of what is made for the first time.
const NONE: &str = "none";

/// The id that the state has under a key.
pub fn recorded<'s>(state: &'s State, key: &str) -> Option<&'s String> {
    state.get(key).filter(|id| !id.is_empty() && *id != DELETED)
}

/// Brings the state to what was found.
pub(super) fn settle(state: &mut State, entries: &[Entry]) {
    for Entry { resource, .. } in entries {
        let pending = resource.pending();
        match &resource.found {
            Some(found) => {
                state.remove(&pending);
                state.remove(&resource.deleting());
                if let Some(key) = &resource.key {
                    state.insert(key.as_str(), found.clone());
                }
            }
            // What is being made may not be visible yet.
            None if state.get(&pending).is_some() => {}
            None if resource.wanted && state.get(&resource.deleting()).is_none() => {
                // Another one takes its place in the record; its id is not lost.
                if let Some(id) = resource.key.as_ref().and_then(|key| recorded(state, key)).cloned() {
                    state.insert(resource.last(), id);
                }
            }
            None => {
                let key = resource.key.as_ref();
                if let Some(id) = key.and_then(|key| recorded(state, key)).cloned() {
                    apply(state, gone(resource, &id));
                } else {
                    state.remove(&resource.deleting());
                    for key in &resource.keys {
                        state.remove(key);
                    }
                }
            }
        }
    }
}

/// Adds to the steps of resources what they write to the state, and the tokens of those that create.
pub(super) fn attach(identity: &str, state: &State, entries: &mut [Entry]) {
    for place in 0..entries.len() {
        let Some(entry) = entries.get(place) else { continue };
        let resource = &entry.resource;
        let effects = resource.found.as_ref().filter(|_| entry.is_removed()).map(|id| {
            let mark = resource.key.as_ref().map(|_| (resource.deleting(), Some(id.clone())));
            (mark, gone(resource, id))
        });
        let top = top(entries, place);
        if let Some((mark, effects)) = effects
            && let Some(top) = entries.get_mut(top)
        {
            if let Some(first) = top.resource.delete.first_mut() {
                first.remember.extend(mark);
            }
            if let Some(last) = top.resource.delete.last_mut() {
                last.conclude.extend(effects);
            }
        }
        if let Some(entry) = entries.get_mut(place).filter(|entry| entry.is_made()) {
            begin(identity, state, &mut entry.resource);
        }
    }
}

/// The resource whose steps remove the one at a place: itself, or what takes it along.
pub(super) fn top(entries: &[Entry], place: usize) -> usize {
    let carrier = |place: &usize| entries.get(*place)?.carrier;
    // No chain is longer than the list, unless it is a ring.
    std::iter::successors(Some(place), carrier).take(entries.len()).last().unwrap_or(place)
}

/// Puts tokens into the steps that create, and what is remembered around the first of them.
fn begin(identity: &str, state: &State, resource: &mut Resource) {
    let pending = resource.pending();
    // That of what is found is recorded by now.
    let recorded = resource.key.as_ref().and_then(|key| recorded(state, key));
    let known = state.get(&pending).or(recorded).or_else(|| state.get(&resource.last()));
    let predecessor = known.cloned().unwrap_or_else(|| NONE.to_owned());
    let seed = format!("{identity}/{}/{predecessor}", resource.id);
    let mut is_first = true;
    for step in &mut resource.create {
        if let Some(token) = step.call.token.as_mut().filter(|token| token.is_empty()) {
            token.clone_from(&seed);
            if std::mem::take(&mut is_first) {
                step.remember.insert(pending.as_str(), Some(predecessor.clone()));
                // Without a probe, nobody knows yet whether everyone sees it: the next observation that finds it does.
                if step.until.is_some() {
                    step.conclude.insert(pending.as_str(), None);
                }
            }
        }
    }
}

/// What is written when a resource is gone. A key that goes altogether is among the further ones too.
fn gone(resource: &Resource, id: &str) -> Effects {
    let mut effects = Effects::new();
    if let Some(key) = &resource.key {
        effects.insert(key.as_str(), Some(DELETED.to_owned()));
        effects.insert(resource.last(), Some(id.to_owned()));
        effects.insert(resource.deleting(), None);
    }
    effects.extend(resource.keys.iter().map(|key| (key.clone(), None)));
    effects
}

fn apply(state: &mut State, effects: Effects) {
    for (key, value) in effects {
        match value {
            Some(value) => state.insert(key, value),
            None => _ = state.remove(&key),
        }
    }
}

/// Whether a resource was being made by a run that ended before it was there for everyone to see.
pub fn is_pending(state: &State, resource: &str) -> bool {
    state.get(&pending(resource)).is_some()
}

/// Whether something was being made or deleted by a run that ended before that was over.
pub(super) fn is_busy(state: &State) -> bool {
    state.iter().any(|(key, _)| key.starts_with(PENDING) || key.starts_with(DELETING))
}

/// Ids of the resources that were being made.
pub(super) fn begun(state: &State) -> impl Iterator<Item = &str> {
    state.iter().filter_map(|(key, _)| key.strip_prefix(PENDING))
}

/// Forgets what was begun and never came to an end that anybody sees.
pub(super) fn forget_begun(state: &mut State) {
    let is_of_run = |key: &str| key.starts_with(PENDING) || key.starts_with(DELETING);
    let keys: Vec<String> = state.iter().map(|(key, _)| key.to_owned()).filter(|key| is_of_run(key)).collect();
    for key in keys {
        state.remove(&key);
    }
}

fn pending(resource: &str) -> String {
    format!("{PENDING}{resource}")
}

impl Resource {
    pub(super) fn pending(&self) -> String {
        pending(&self.id)
    }

    pub(super) fn deleting(&self) -> String {
        format!("{DELETING}{}", self.id)
    }

    pub(super) fn last(&self) -> String {
        format!("Last/{}", self.id)
    }
}
