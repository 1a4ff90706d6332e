//! Maps, sets and lists that have a stable order, and that are small in a compiled policy.

mod entries;
mod index;
mod names;
mod sorted;

pub use entries::Entries;
pub use names::{NameMap, NameSet};
pub(crate) use sorted::{sorted, sorted_once};
