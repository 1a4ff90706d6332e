//! What a policy has to say about an object: rules, places, findings.

mod finding;
mod path;
mod quote;
mod rule;

pub use finding::{Before, Entry, ErrorType, Finding, MAX_FINDINGS, Report, Undecided, is_unchanged};
pub use path::Path;
pub use quote::quote;
pub use rule::{Effect, Operation, Rule, Severity};
