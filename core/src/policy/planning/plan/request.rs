//! The input of `plan`.

use crate::call::{Fact, FactAnswer, Query};
use crate::document::Value;
use crate::policy::member::{facts, flag, known_members, malformed};
use crate::policy::planning::subject::{request, state};
use crate::policy::{PlanSubject, RequestError, State};

/// What an annotation of an object is called, after the kind of the object and [`OF_TRELLIS`], by which a person lets
/// a plan adopt or delete what has its tag, although the state records nothing.
const ADOPT: &str = "adopt";
/// The same of the one by which a person lets a plan give up the record of what the cloud does not show.
const FORGET: &str = "forget";
/// What stands between the two.
const OF_TRELLIS: &str = ".trellis.gardener.cloud/";

/// What a plan starts from.
#[derive(Clone, Copy, Debug)]
pub enum Baseline<'r> {
    /// What the facts say of the cloud.
    Observed,
    /// Nothing but what the request refers to: a preview.
    Empty,
    /// What a run of an older request would have created: a preview of an edit.
    Request(PlanSubject<'r>),
}

/// What a person has agreed to in addition to the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Consent {
    /// The plan may adopt or delete what is found by its tag or name alone, while the state records nothing.
    pub adopt: bool,
    /// The plan may give up the record of what the cloud does not show.
    pub forget: bool,
}

/// The input of `plan`.
#[derive(Debug)]
pub struct PlanRequest<'r> {
    /// What somebody wants.
    pub request: PlanSubject<'r>,
    /// What the person has agreed to.
    pub consent: Consent,
    /// Whether so much time has passed since the last change that the cloud shows everything by now: what a run
    /// was creating, and the cloud does not show, does not exist.
    pub waited: bool,
    /// The recorded state; absent where nobody keeps one in addition to `status.state` of the object.
    pub state: Option<State>,
    /// What the plan starts from.
    pub baseline: Baseline<'r>,
    facts: Vec<Fact<'r>>,
}

impl Consent {
    /// What somebody has agreed to by annotations of the object, such as
    /// `infrastructure.trellis.gardener.cloud/adopt`.
    pub fn annotated(request: &PlanSubject<'_>) -> Self {
        let kind = request.kind.name().to_ascii_lowercase();
        let is_set = |what| {
            let key = [kind.as_str(), OF_TRELLIS, what].concat();
            let value = request.object.and_then(|object| object.at(&["metadata", "annotations", &key]));
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
            Some(older @ Value::Object(_)) => Baseline::Request(PlanSubject::read(older)?),
            Some(_) => return Err(malformed("`baseline` must be \"observed\", \"empty\" or an older request")),
        };
        let request = request(document)?;
        if matches!(&baseline, Baseline::Request(older) if older.kind != request.kind) {
            return Err(malformed("`baseline` must have an object of the kind of `request`"));
        }
        let (state, consent) = (state(document)?, Consent::read(document)?);
        let waited = flag(document, "waited")?;
        Ok(Self { request, consent, waited, state, baseline, facts: facts(document)? })
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use std::collections::BTreeMap;

    use schemars::JsonSchema;

    use crate::policy::member::shape::Fact;
    use crate::policy::planning::subject::shape::PlanSubject;

    /// The request of `plan`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PlanRequest {
        /// What is wanted.
        request: PlanSubject,
        /// The recorded state, texts by key; absent where `status.state` of the object is the only record.
        state: Option<BTreeMap<String, String>>,
        /// What the plan starts from; where absent, `observed`.
        baseline: Option<Baseline>,
        /// What a person agrees to in addition to the manifest.
        #[serde(default)]
        consent: Vec<Consent>,
        /// Whether the cloud had time since the last change: a resource that was being created, and that the cloud
        /// does not show, was not created.
        #[serde(default)]
        waited: bool,
        /// Answers to queries of an earlier answer.
        #[serde(default)]
        facts: Vec<Fact>,
    }

    /// What a plan starts from.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    pub enum Baseline {
        /// A baseline with a name.
        Named(NamedBaseline),
        /// What an older request, of the same kind, would create. The plan shows what an edit does, without a look at
        /// the cloud.
        Request(Box<PlanSubject>),
    }

    /// What a plan starts from, by name.
    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum NamedBaseline {
        /// What exists in the cloud.
        Observed,
        /// Nothing exists: a preview.
        Empty,
    }

    /// What a person agrees to in addition to the manifest.
    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Consent {
        /// The plan may adopt or delete resources that only their tags or names show to be the subject's.
        Adopt,
        /// The plan may drop the record of what the cloud does not show.
        Forget,
    }
}
