//! The input of `plan`.

use crate::call::{Fact, FactAnswer, Query};
use crate::document::Value;
use crate::policy::infrastructure::{request, state};
use crate::policy::member::{facts, flag, known_members, malformed};
use crate::policy::{InfrastructureRequest, RequestError, State};

/// Annotation of an Infrastructure that lets what carries its tags be taken over, or deleted, though nothing is recorded.
const ADOPT: &str = "infrastructure.trellis.gardener.cloud/adopt";
/// Annotation of an Infrastructure that lets the record be given up of a network of which nothing is found.
const FORGET: &str = "infrastructure.trellis.gardener.cloud/forget";

/// What a plan starts from.
#[derive(Clone, Copy, Debug)]
pub enum Baseline<'r> {
    /// What the cloud tells.
    Observed,
    /// Nothing: a preview.
    Empty,
    /// What an older request would have made: what an edit does, before anything is known of the cloud.
    Request(InfrastructureRequest<'r>),
}

/// What a person has agreed to beside the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Consent {
    /// What is found by its tags or names alone, with nothing recorded, is taken over or deleted.
    pub adopt: bool,
    /// The record of a network of which nothing is found is given up.
    pub forget: bool,
}

/// The input of `plan`.
#[derive(Debug)]
pub struct PlanRequest<'r> {
    /// What is wanted.
    pub request: InfrastructureRequest<'r>,
    /// What the person has agreed to.
    pub consent: Consent,
    /// Whether the cloud had time since the last change: what was being made, and is not found, never came.
    pub waited: bool,
    /// The recorded state; absent where nobody keeps one beside `status.state` of the Infrastructure.
    pub state: Option<State>,
    /// What to start from.
    pub baseline: Baseline<'r>,
    facts: Vec<Fact<'r>>,
}

impl Consent {
    /// What somebody has agreed to by annotations of the Infrastructure.
    pub fn annotated(request: &InfrastructureRequest<'_>) -> Self {
        let is_set = |key| {
            let value = request.infrastructure.and_then(|object| object.at(&["metadata", "annotations", key]));
            value.and_then(Value::as_str) == Some("true")
        };
        Self { adopt: is_set(ADOPT), forget: is_set(FORGET) }
    }

    /// Reads the list of words in a request document.
    fn read(document: &Value<'_>) -> Result<Self, RequestError> {
        let wrong = || malformed("`consent` must be a list of `adopt` and `forget`");
        let words = match document.get("consent") {
            None => &[],
            Some(Value::Array(words)) => words.as_slice(),
            Some(_) => return Err(wrong()),
        };
        let mut consent = Self::default();
        for word in words {
            match word.as_str() {
                Some("adopt") => consent.adopt = true,
                Some("forget") => consent.forget = true,
                _ => return Err(wrong()),
            }
        }
        Ok(consent)
    }
}

impl<'r> PlanRequest<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &["request", "state", "baseline", "consent", "waited", "facts"])?;
        let baseline = match document.get("baseline") {
            None => Baseline::Observed,
            Some(Value::String(text)) if text == "observed" => Baseline::Observed,
            Some(Value::String(text)) if text == "empty" => Baseline::Empty,
            Some(older @ Value::Object(_)) => Baseline::Request(InfrastructureRequest::read(older)?),
            Some(_) => return Err(malformed("`baseline` must be \"observed\", \"empty\" or an older request")),
        };
        let request = request(document)?;
        let (state, consent) = (state(document)?, Consent::read(document)?);
        let waited = flag(document, "waited")?;
        Ok(Self { request, consent, waited, state, baseline, facts: facts(document)? })
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}
