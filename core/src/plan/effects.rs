//! What a plan writes to the state: at once, for what is found and what is gone; and around its steps.

use super::Resource;
use super::arena::Arena;
use super::planned::{Planned, deleted_by};
use super::record::{DELETED, forget_tokens};
use crate::policy::{Effects, State};

/// The predecessor of a resource that never existed before.
const NONE: &str = "none";

/// Records what was found, and what is gone.
pub(super) fn record_observation(state: &mut State, all: &Arena<Planned>) {
    for Planned { resource, .. } in all {
        let pending = resource.pending_key();
        match &resource.found {
            Some(found) => {
                state.remove(&pending);
                state.remove(&resource.deleting_key());
                forget_tokens(state, &resource.id);
                if let Some(key) = &resource.key {
                    state.insert(key.as_str(), found.clone());
                }
            }
            // The cloud may not show yet what a run is creating.
            None if state.get(&pending).is_some() => {}
            None if resource.wanted && state.get(&resource.deleting_key()).is_none() => {
                // The plan creates another one, whose id overwrites this one.
                if let Some(id) = resource.recorded_id(state).map(str::to_owned) {
                    state.insert(resource.last_key(), id);
                }
            }
            None => {
                forget_tokens(state, &resource.id);
                if let Some(id) = resource.recorded_id(state).map(str::to_owned) {
                    write(state, effects_of_deletion(resource, &id));
                } else {
                    state.remove(&resource.deleting_key());
                    for key in &resource.keys {
                        state.remove(key);
                    }
                }
            }
        }
    }
}

/// Adds to the steps of resources what they write to the state, and to the steps that create their tokens.
pub(super) fn complete_steps(identity: &str, state: &State, all: &mut Arena<Planned>) {
    for id in all.ids() {
        let Planned { resource, .. } = &all[id];
        if let Some(found) = resource.found.as_ref().filter(|_| all[id].is_deleted()) {
            let mark = resource.key.as_ref().map(|_| (resource.deleting_key(), Some(found.clone())));
            let effects = effects_of_deletion(resource, found);
            let deleted_by = deleted_by(all, id);
            // The resource is there still, and with it all that it contains.
            if all[deleted_by].resource.is_partial {
                continue;
            }
            let steps = &mut all[deleted_by].resource.delete;
            if let Some(first) = steps.first_mut() {
                first.remember.extend(mark);
            }
            if let Some(last) = steps.last_mut() {
                last.conclude.extend(effects);
            }
        }
        if all[id].is_created() {
            mark_creation(identity, state, &mut all[id].resource);
        }
    }
}

/// Puts tokens into the steps that create a resource, and around the first step that must have its effect only
/// once what the state holds meanwhile.
fn mark_creation(identity: &str, state: &State, resource: &mut Resource) {
    let pending = resource.pending_key();
    // By now the state has the id of every resource that is found.
    let recorded = resource.recorded_id(state);
    let held = |key: &str| state.get(key).map(String::as_str);
    let known = held(&pending).or(recorded).or_else(|| held(&resource.last_key()));
    let predecessor = known.unwrap_or(NONE).to_owned();
    let token = format!("{identity}/{}/{predecessor}", resource.id);
    let mut is_first = true;
    for step in &mut resource.create {
        let empty = step.call.token.as_mut().filter(|token| token.is_empty());
        if empty.is_none() && step.look_again.is_none() {
            continue;
        }
        if let Some(empty) = empty {
            empty.clone_from(&token);
        }
        if std::mem::take(&mut is_first) {
            step.remember.insert(pending.as_str(), Some(predecessor.clone()));
            // Without a probe, nobody knows yet whether everybody sees the resource: the next plan that finds it
            // does.
            if step.until.is_some() {
                step.conclude.insert(pending.as_str(), None);
            }
        }
    }
}

/// What a deletion writes to the state. Where the key of the resource is among its further keys, that key leaves
/// the state.
fn effects_of_deletion(resource: &Resource, id: &str) -> Effects {
    let mut effects = Effects::new();
    if let Some(key) = &resource.key {
        effects.insert(key.as_str(), Some(DELETED.to_owned()));
        effects.insert(resource.last_key(), Some(id.to_owned()));
        effects.insert(resource.deleting_key(), None);
    }
    effects.extend(resource.keys.iter().map(|key| (key.clone(), None)));
    effects
}

fn write(state: &mut State, effects: Effects) {
    for (key, value) in effects {
        match value {
            Some(value) => state.insert(key, value),
            None => _ = state.remove(&key),
        }
    }
}
