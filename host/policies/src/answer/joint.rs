//! What several policies say of one object: the request of `join`, which makes one answer of that.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{DefaultChange, Failure, FindingCause, Undecided, Validation};

/// The request of `join`.
#[derive(Debug, Serialize)]
pub struct JoinRequest<'p> {
    /// In the order in which the policies set defaults.
    pub opinions: &'p [Opinion<'p>],
    /// Rules that no policy has, in words.
    pub missing: Vec<&'p str>,
    /// What policies said of the object with changes that findings assume: in each world those of the world
    /// before, and more.
    pub worlds: &'p [World<'p>],
    /// What they said of it with the changes of one finding.
    pub trials: &'p [World<'p>],
}

/// What policies said of the object with the changes that some findings assume.
#[derive(Debug, Serialize)]
pub struct World<'p> {
    /// These findings.
    pub assumes: Vec<FindingCause>,
    /// In the order in which the policies set defaults.
    pub opinions: Vec<Opinion<'p>>,
}

/// What one policy says of an object.
#[derive(Debug, Serialize)]
pub struct Opinion<'p> {
    /// The policy: `gardener`, or a provider type.
    pub source: &'p str,
    /// Ids of Gardener's rules that rules of the policy repeat, by the ids of these; those without a finding or a
    /// question may be absent.
    pub doubles: BTreeMap<&'p str, &'p [String]>,
    /// What `default` answered; none where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Answered<Defaults>>,
    /// What `validate` answered; none where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate: Option<Answered<Validation>>,
}

/// An answer, or the failure that came in its place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answered<A> {
    /// The answer.
    Answer(A),
    /// The failure.
    Failed {
        /// Why there is no answer.
        error: Failure,
    },
}

/// What `default` answers, without the object.
#[derive(Debug, Serialize)]
pub struct Defaults {
    /// Defaults that the policy set.
    pub changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

impl<A> From<Result<A, Failure>> for Answered<A> {
    fn from(answer: Result<A, Failure>) -> Self {
        answer.map_or_else(|error| Self::Failed { error }, Self::Answer)
    }
}

impl<A> Answered<A> {
    /// The answer, or the failure.
    pub fn into_result(self) -> Result<A, Failure> {
        match self {
            Self::Answer(answer) => Ok(answer),
            Self::Failed { error } => Err(error),
        }
    }

    /// The failure, where there is one.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answer(_) => None,
            Self::Failed { error } => Some(error),
        }
    }
}
