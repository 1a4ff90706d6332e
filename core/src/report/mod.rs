//! What a policy says about an object: rules and findings.

mod collector;
mod finding;
mod limits;
mod reported;
mod rule;
mod text;

pub use collector::Report;
pub use finding::{Before, ErrorType, Finding, Undecided, is_unchanged};
pub use limits::MAX_FINDINGS;
pub use reported::Reported;
#[cfg(feature = "words")]
pub use rule::RuleWords;
pub use rule::{Effect, Operation, Rule, Severity};
