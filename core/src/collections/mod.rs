//! Maps, sets and lists in a stable order, small in a compiled policy.

mod entries;
mod names;
mod sorted;

pub use entries::Entries;
pub use names::{NameMap, NameSet};
pub(crate) use sorted::{sorted, sorted_once};
