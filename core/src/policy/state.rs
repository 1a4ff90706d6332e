//! The recorded state of an infrastructure.

use crate::collections::Entries;

/// The recorded state: what is bound to which id, and what only we know, by key. A key is the one of the existing
/// extension's flow state where it has one.
pub type State = Entries<String>;

/// What to write to the state, by key; `None` takes a key away.
pub type Effects = Entries<Option<String>>;
