//! What a policy says about an object: rules and findings.

mod collector;
mod finding;
mod reported;
mod rule;
mod text;

pub use collector::{MAX_FINDINGS, Report};
pub use finding::{Before, ErrorType, Finding, Undecided, is_unchanged};
pub use reported::Reported;
pub use rule::{Effect, Operation, Rule, Severity};
