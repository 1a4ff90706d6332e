//! What a policy has to say about an object: rules, places, findings.

mod finding;
mod path;
mod rule;

pub use finding::{Entry, ErrorType, Finding, MAX_FINDINGS, Report, Undecided, quote};
pub use path::Path;
pub use rule::{Effect, Operation, Rule, Severity};
