//! What resources of all kinds have: identifier, status and tags; and tables of them.

mod phase;
mod table;
mod tags;

pub use phase::{Phase, Status};
pub(crate) use table::resource;
pub use table::{Resource, Table, Transitions};
pub use tags::Tags;
