//! Calls of any API: what a policy asks of the world outside, what it wants done there, and what came back.

mod argument;
mod fact;
mod known;
mod query;

pub use argument::{Argument, Call};
pub use fact::{Fact, FactAnswer};
pub use known::Known;
pub use query::{Paging, Query};
