//! How a call ends.

use super::Refused;
use crate::action::Answer;

/// How a call ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The cloud answers the call.
    Answer(Answer),
    /// The cloud refuses the call.
    Refused(Refused),
    /// The client never gets an answer.
    Never,
    /// The connection of the call is cut.
    Reset,
}
