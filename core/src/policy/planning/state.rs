//! The recorded state of an infrastructure.

use crate::collections::Entries;

/// The recorded state, texts by key: the ids of resources, and facts that the cloud does not show. Where the
/// existing extension's flow state has a key for something, the key is the same.
pub type State = Entries<String>;

/// What to write to the state, by key; `None` removes the key.
pub type Effects = Entries<Option<String>>;
