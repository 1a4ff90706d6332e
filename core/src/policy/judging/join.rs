//! `join`: one opinion on an object, made of those of several policies.

mod opinion;
mod worlds;

use std::borrow::Cow;

use serde::Serialize;

use super::Judging;
use crate::document::{JsonText, Value, parse};
use crate::policy::answer::text;
use crate::policy::member::{known_members, malformed};
use crate::policy::part::unanswered;
use crate::policy::{RequestError, Verdict};
use crate::report::Severity;
use opinion::{Opinion, Sourced};
use worlds::World;

/// The policy whose rules the rules of the others may repeat.
const GARDENER: &str = "gardener";

/// The input of `join`.
#[derive(Debug)]
pub struct JoinRequest<'r> {
    /// In the order in which the policies set defaults.
    opinions: Vec<Opinion<'r>>,
    /// Rules that no policy has, in words.
    missing: Vec<&'r str>,
    /// What the policies said of the object with changes that findings assume: in each world those of the world
    /// before, and more.
    worlds: Vec<World<'r>>,
    /// What they said of the object with the change of a single finding.
    trials: Vec<World<'r>>,
}

/// The answer of `join`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Joined {
    /// Whether the object may be admitted; absent where a policy did not judge the object: `failure` has the
    /// reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What the policies found, in their order. Trellis leaves out a finding of Gardener's rules that a provider's
    /// finding repeats.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<shape::SourcedFinding>"))]
    pub findings: Vec<JsonText>,
    /// Present where there are more findings than the policies list: the severities of the findings that they left
    /// out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Severity>,
    /// Rules that could not be judged and defaults that could not be set, each question once.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<shape::SourcedUndecided>"))]
    pub undecided: Vec<JsonText>,
    /// Defaults that were set before the policies judged the object.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<shape::SourcedChange>"))]
    pub changes: Vec<JsonText>,
    /// Whose rules the verdict covers; absent where there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::policy::Scope>"))]
    pub scope: Option<JointScope>,
    /// Why a policy did not judge the object, where no finding at that place says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::policy::FailureCause>"))]
    pub failure: Option<JsonText>,
}

/// What a verdict of several policies covers.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JointScope {
    checked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<String>,
    not_checked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<JsonText>,
}

pub(super) fn answer(policy: &Judging, request: &str) -> Result<String, RequestError> {
    policy.general.map_or_else(|| Err(unanswered("join")), |general| (general.join)(request))
}

/// Joins what the policies of a request document said.
pub fn join(request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    Ok(text(&JoinRequest::read(&document)?.join()))
}

impl<'r> JoinRequest<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &["missing", "opinions", "trials", "worlds"])?;
        let worlds = |member| {
            let worlds = document.get(member).map(Value::items).unwrap_or_default();
            worlds.iter().map(World::read).collect::<Result<Vec<_>, _>>()
        };
        let missing = document.get("missing").map(Value::items).unwrap_or_default();
        Ok(Self {
            missing: missing.iter().filter_map(Value::as_str).collect(),
            worlds: worlds("worlds")?,
            trials: worlds("trials")?,
            ..Self::of(document.get("opinions"))?
        })
    }

    /// What several policies said of one object.
    fn of(opinions: Option<&'r Value<'r>>) -> Result<Self, RequestError> {
        let opinions = opinions.map(Value::items).unwrap_or_default();
        if opinions.is_empty() {
            return Err(malformed("`opinions` must be a list of what policies said, with one of them or more"));
        }
        let opinions = opinions.iter().map(Opinion::read).collect::<Result<_, _>>()?;
        Ok(Self { opinions, missing: Vec::new(), worlds: Vec::new(), trials: Vec::new() })
    }

    /// Joins what the policies said.
    pub fn join(&self) -> Joined {
        let (mut findings, undecided) = self.said();
        worlds::explain(&mut findings, &self.worlds, &self.trials);
        worlds::fold(&mut findings);
        worlds::root(&mut findings);
        // What one policy cannot read, another one may have reported at its place.
        let is_reported = |failure: &Value<'_>| {
            let pointer = failure.get("pointer").and_then(Value::as_str).unwrap_or_default();
            // Of a wrong `apiVersion`, a policy says that it does not judge the kind.
            let is_at = |place: &str| place == pointer || (place, pointer) == ("/apiVersion", "/kind");
            findings.iter().any(|finding| finding.is_error() && is_at(finding.text("pointer")))
        };
        let failure = self.failures().map(|(_, failure)| failure).find(|failure| !is_reported(failure));
        let verdict = failure.is_none().then(|| self.verdict(&findings));
        let truncated = |name: &str| {
            let all = self.validations().filter_map(|(_, answer)| answer.get("truncated")).flat_map(Value::items);
            all.filter_map(Value::as_str).any(|severity| severity == name)
        };
        let severities = [("error", Severity::Error), ("warning", Severity::Warning)];
        Joined {
            verdict,
            truncated: severities.into_iter().filter(|(name, _)| truncated(name)).map(|(_, one)| one).collect(),
            changes: self.defaults("changes").map(Sourced::signed).collect(),
            // Of the changed object, the policies judged the most.
            scope: failure
                .is_none()
                .then(|| self.worlds.last().map_or(self, |world| &world.said).scope_with(&self.missing)),
            failure: failure.map(JsonText::from),
            findings: findings.into_iter().map(Sourced::signed).collect(),
            undecided: undecided.into_iter().map(Sourced::signed).collect(),
        }
    }

    /// The findings and the open rules of all policies, each once.
    fn said(&self) -> (Vec<Sourced<'r>>, Vec<Sourced<'r>>) {
        let (mut findings, mut undecided) = (self.findings(), self.undecided());
        self.remove_doubles(&mut findings, &mut undecided);
        (findings, undecided)
    }

    /// The answers of `validate`, without those that are errors.
    fn validations(&self) -> impl Iterator<Item = (&'r str, &'r Value<'r>)> {
        let answered = |opinion: &Opinion<'r>| Some((opinion.source, opinion.validate?));
        self.opinions.iter().filter_map(answered).filter(|(_, answer)| answer.get("error").is_none())
    }

    /// What the answers of `default` list.
    fn defaults(&self, member: &'static str) -> impl Iterator<Item = Sourced<'r>> {
        self.opinions.iter().flat_map(move |opinion| opinion.defaults(member))
    }

    fn findings(&self) -> Vec<Sourced<'r>> {
        let of = |opinion: &Opinion<'r>| {
            let made = opinion.refusal().into_iter().chain(opinion.without_effect());
            let made = made.map(|value| Sourced { source: opinion.source, value: Cow::Owned(value) });
            made.chain(opinion.validated("findings")).collect::<Vec<_>>()
        };
        self.opinions.iter().flat_map(of).collect()
    }

    fn undecided(&self) -> Vec<Sourced<'r>> {
        let of = |opinion: &Opinion<'r>| {
            opinion.defaults("undecided").chain(opinion.validated("undecided")).collect::<Vec<_>>()
        };
        self.opinions.iter().flat_map(of).collect()
    }

    /// Why policies gave no answer.
    fn failures(&self) -> impl Iterator<Item = (&'r str, &'r Value<'r>)> {
        self.opinions.iter().filter_map(|opinion| Some((opinion.source, opinion.failure()?)))
    }

    fn verdict(&self, findings: &[Sourced<'_>]) -> Verdict {
        let says = |verdict| {
            self.validations().any(|(_, answer)| answer.get("verdict").and_then(Value::as_str) == Some(verdict))
        };
        if says("reject") || findings.iter().any(Sourced::is_error) {
            Verdict::Reject
        } else if says("undecided") || self.defaults("undecided").next().is_some() {
            // Rules may reject an object that has a default which the policy could not decide.
            Verdict::Undecided
        } else {
            Verdict::Accept
        }
    }

    /// Leaves out what Gardener's rules say and a rule of the provider repeats, and questions that are asked
    /// twice.
    fn remove_doubles(&self, findings: &mut Vec<Sourced<'r>>, undecided: &mut Vec<Sourced<'r>>) {
        let repeats = |other: &Sourced<'r>, rule: &str| {
            let opinion = self.opinions.iter().find(|opinion| opinion.source == other.source);
            let doubles = opinion.and_then(|opinion| opinion.doubles?.get(other.text("rule")));
            doubles.map(Value::items).unwrap_or_default().iter().any(|double| double.as_str() == Some(rule))
        };
        let is_double = |finding: &Sourced<'r>| {
            finding.is_gardeners()
                && findings.iter().any(|other| {
                    !other.is_gardeners()
                        && other.text("pointer") == finding.text("pointer")
                        && (other.is_error() || !finding.is_error())
                        && repeats(other, finding.text("rule"))
                })
        };
        let doubles: Vec<bool> = findings.iter().map(is_double).collect();
        let mut doubles = doubles.into_iter();
        findings.retain(|_| doubles.next() != Some(true));

        // Of a question that both ask, Gardener's rule names more that waits for the answer.
        let is_new = |(place, open): (usize, &Sourced<'r>)| {
            let asked = |other: &Sourced<'r>| other.is_gardeners() && repeats(open, other.text("rule"));
            let same = |other: &Sourced<'r>| ["rule", "why"].iter().all(|one| other.text(one) == open.text(one));
            let is_double = !open.is_gardeners() && undecided.iter().any(asked);
            !is_double && !undecided.iter().take(place).any(same)
        };
        let new: Vec<bool> = undecided.iter().enumerate().map(is_new).collect();
        let mut new = new.into_iter();
        undecided.retain(|_| new.next() != Some(false));
    }

    fn scope_with(&self, missing: &[&str]) -> JointScope {
        let all = |member: &'static str| {
            let scopes = self.validations().filter_map(|(_, answer)| answer.get("scope"));
            let texts = scopes.filter_map(move |scope| scope.get(member)).flat_map(Value::items);
            once(texts.filter_map(Value::as_str).map(Cow::Borrowed))
        };
        let sections =
            self.validations().filter_map(|(_, answer)| answer.at(&["scope", "sections"])).flat_map(Value::items);
        let asks_gardener = self.validations().any(|(source, _)| source == GARDENER);
        let unread = self
            .failures()
            .map(|(source, _)| Cow::Owned(format!("{source}'s rules, which need an object that can be read")));
        // What a provider's rules leave out stands before the long list of Gardener's.
        let others = self.opinions.iter().rev().flat_map(|opinion| {
            let scope = opinion.validate.and_then(|answer| answer.at(&["scope", "notChecked"]));
            scope.map(Value::items).unwrap_or_default().iter().filter_map(Value::as_str)
        });
        let others = others.filter(|other| *other != GARDENER || !asks_gardener).map(Cow::Borrowed);
        let missing = missing.iter().copied().map(Cow::Borrowed);
        JointScope {
            checked: all("checked"),
            parts: all("parts"),
            not_checked: once(missing.chain(unread).chain(others)),
            sections: sections.map(JsonText::from).collect(),
        }
    }
}

/// Each text once, in the order in which they come.
fn once<'r>(texts: impl Iterator<Item = Cow<'r, str>>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.iter().any(|known| *known == text) {
            all.push(text.into_owned());
        }
    }
    all
}

/// The shapes of the request and of what is signed, for their JSON Schemas.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use std::collections::BTreeMap;

    use schemars::{JsonSchema, Schema};
    use serde_json::{Map, Value};

    use crate::policy::DefaultChange;
    use crate::report::{Finding, Undecided};

    /// The request of `join`.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct JoinRequest {
        /// What the policies said, in the order in which they set defaults.
        opinions: Vec<Opinion>,
        /// Rules that no policy has, in words: the joint scope names them as not checked.
        #[serde(default)]
        missing: Vec<String>,
    }

    /// What one policy said of the object.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Opinion {
        /// The policy: `gardener`, or a provider type.
        source: String,
        /// What `default` answered, a `DefaultAnswer` or an `ErrorAnswer`; absent where it was not asked. `join` does
        /// not read `object` and `patch`.
        default: Option<Map<String, Value>>,
        /// What `validate` answered, a `ValidateAnswer` or an `ErrorAnswer`; absent where it was not asked.
        validate: Option<Map<String, Value>>,
        /// The ids of Gardener's rules that rules of this policy repeat, by the ids of these, as `rules` lists them.
        #[serde(default)]
        doubles: BTreeMap<String, Vec<String>>,
    }

    /// A finding, and the policy that reports it. It has no rule where it reports that a policy refuses to set
    /// defaults.
    #[derive(JsonSchema)]
    #[schemars(transform = without_rule)]
    pub struct SourcedFinding {
        /// The policy: `gardener`, or a provider type.
        source: String,
        #[serde(flatten)]
        finding: Finding,
    }

    /// A rule that could not be judged, and its policy.
    #[derive(JsonSchema)]
    pub struct SourcedUndecided {
        /// The policy: `gardener`, or a provider type.
        source: String,
        #[serde(flatten)]
        undecided: Undecided,
    }

    /// A default that was set, and the policy that set it.
    #[derive(JsonSchema)]
    pub struct SourcedChange {
        /// The policy: `gardener`, or a provider type.
        source: String,
        #[serde(flatten)]
        change: DefaultChange,
    }

    fn without_rule(schema: &mut Schema) {
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|member| member != "rule");
        }
    }
}

#[cfg(test)]
mod tests;
