//! What the state holds of resources: their ids, the ids that they had before, and what a run was creating or
//! deleting.
//!
//! The id that a resource had before is its *predecessor*. A step that creates a resource makes its idempotency
//! token of the predecessor: a run after a crash sends the same token and gets what the first run created, and a
//! run after a deletion sends another token and gets a new resource. For that, the state has these keys in
//! addition to the ones of resources:
//!
//! - `Pending/<resource>`: the predecessor of the resource that a run is creating, until everybody sees that
//!   resource;
//! - `Deleting/<resource>`: the id that a run is deleting, until it is gone. It distinguishes what a crash left
//!   from what somebody else deleted;
//! - `Last/<resource>`: the id that was deleted last;
//! - `Token/<step>`: which token the step sends, where the cloud refused the first one as used up. The runner
//!   writes the number. Each step has its own, because another token of a second step must not be another token of
//!   the first.

use super::Resource;
use crate::policy::State;

/// Value of a key whose resource was deleted; it reads as absent.
pub const DELETED: &str = "<deleted>";

/// Starts of keys.
const PENDING: &str = "Pending/";
const DELETING: &str = "Deleting/";
const TOKEN: &str = "Token/";

/// What the state has under a key; `None` where it has nothing, or where the resource of that key was deleted.
pub fn recorded_value<'s>(state: &'s State, key: &str) -> Option<&'s str> {
    state.get(key).map(String::as_str).filter(|value| !value.is_empty() && *value != DELETED)
}

/// Whether a run was creating a resource, and ended before everybody saw it.
pub fn is_pending(state: &State, resource: &str) -> bool {
    state.get(&pending_key(resource)).is_some()
}

/// Whether a run was creating or deleting something, and ended before that was done.
pub(super) fn is_unfinished(state: &State) -> bool {
    state.iter().any(|(key, _)| is_of_run(key))
}

/// Ids in the plan of the resources that a run was creating when it ended.
pub(super) fn pending(state: &State) -> impl Iterator<Item = &str> {
    state.iter().filter_map(|(key, _)| key.strip_prefix(PENDING))
}

/// Forgets what runs were creating and deleting when they ended.
pub(super) fn forget_unfinished(state: &mut State) {
    remove(state, &|key| is_of_run(key) || key.starts_with(TOKEN));
}

/// Forgets which tokens the steps of a resource send.
pub(super) fn forget_tokens(state: &mut State, resource: &str) {
    // The id of a step is that of its resource, and what the step does.
    let of_step = |step: &str| step.rsplit_once('/').is_some_and(|(of, _)| of == resource);
    remove(state, &|key| key.strip_prefix(TOKEN).is_some_and(of_step));
}

fn remove(state: &mut State, is_over: &dyn Fn(&str) -> bool) {
    let keys: Vec<String> = state.iter().map(|(key, _)| key.to_owned()).filter(|key| is_over(key)).collect();
    for key in keys {
        state.remove(&key);
    }
}

fn is_of_run(key: &str) -> bool {
    key.starts_with(PENDING) || key.starts_with(DELETING)
}

fn pending_key(resource: &str) -> String {
    format!("{PENDING}{resource}")
}

impl Resource {
    /// Key of its predecessor while a run creates it.
    pub(super) fn pending_key(&self) -> String {
        pending_key(&self.id)
    }

    /// Key of its id while a run deletes it.
    pub(super) fn deleting_key(&self) -> String {
        format!("{DELETING}{}", self.id)
    }

    /// Key of the id that was deleted last.
    pub(super) fn last_key(&self) -> String {
        format!("Last/{}", self.id)
    }

    /// The id that the state has for it.
    pub(super) fn recorded_id<'s>(&self, state: &'s State) -> Option<&'s str> {
        recorded_value(state, self.key.as_ref()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_deleted_reads_as_absent() {
        let state =
            State::from_iter([("a", "x"), ("b", DELETED), ("c", "")].map(|(key, value)| (key, value.to_owned())));
        assert_eq!(["a", "b", "c", "d"].map(|key| recorded_value(&state, key)), [Some("x"), None, None, None]);
    }
}
