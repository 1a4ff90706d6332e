//! Texts: what the existing extensions demand of them, and how the existing extensions print them.

mod quote;
mod regex;
mod rule;
mod uuid;

pub use quote::quote;
pub use regex::matches;
pub use rule::{Fault, TextRule};
pub use uuid::{UuidError, check_uuid};
