//! How a call ends.

use super::Refused;
use super::garbling::Garbling;
use crate::action::Answer;

/// How a call ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The cloud answers the call.
    Answer(Answer),
    /// The cloud answers the call, and the answer is damaged on its way.
    Garbled(Answer, Garbling),
    /// The cloud refuses the call.
    Refused(Refused),
    /// The client never gets an answer.
    Never,
    /// The connection of the call is cut.
    Reset,
}
