//! Whether an object may be admitted.

use serde::Serialize;

/// Whether the object may be admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every rule that may reject the object holds.
    Accept,
    /// Some rule does not hold.
    Reject,
    /// No rule rejects the object, but a rule that may reject it could not be judged. The object must not be
    /// admitted on this verdict. A rule that warns never rejects, so that nobody has to wait for it.
    Undecided,
}
