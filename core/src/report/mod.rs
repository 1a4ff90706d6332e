//! What a policy says about an object: rules and findings.

mod collector;
mod correction;
mod finding;
mod limits;
mod release;
mod reported;
mod rule;
mod template;
mod text;

pub use collector::Report;
pub use correction::Correction;
pub use finding::{Before, Cause, ErrorType, Finding, Undecided, is_unchanged};
pub use limits::MAX_FINDINGS;
pub use release::Release;
pub use reported::Reported;
#[cfg(feature = "words")]
pub use rule::RuleWords;
pub use rule::{Effect, Operation, Rule, Severity};
