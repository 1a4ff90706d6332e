//! The interface of every policy: its functions, and the documents that go in and out as JSON text.

mod addresses;
mod answer;
mod infrastructure;
mod plan;
mod query;
mod refusal;
mod request;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use serde::Serialize;

use crate::gardener::provider_type::{is_of_provider, plans_for_provider};
use crate::json::{self, JsonText, Value};
use crate::report::{Before, Finding, Report, Rule, Severity, Undecided, is_unchanged};

pub use addresses::{
    AddedZones, AddressConflict, AddressFamily, AddressGap, AddressRange, AddressRole, AddressSpace, Addresses,
    ConflictKind, UnreadableRange, ZoneChoice,
};
pub use answer::{Change, Defaulted, Defaulting, Failure, FailureCause, Info, Kind, Rules, Validation, Verdict};
pub use infrastructure::{
    Baseline, CallError, Consent, InfrastructureRequest, PlanOperation, PlanRequest, StatusRequest,
};
pub use plan::{
    Action, Change as PlanChange, Classification, Condition, Effects, Gone, InfrastructureStatus, Item, Note,
    Outcome, Plan, PlannedResource, Planning, Probe, State, Step,
};
pub use query::{Argument, Call, Paging, Query};
pub use refusal::Refusal;
pub use request::{Fact, FactAnswer, NewZone, Request};

/// What one provider decides. Implementations are pure: the same request yields the same answer.
pub trait Policy: Sync {
    /// Provider type, as in `spec.provider.type`.
    fn provider(&self) -> &'static str;

    /// What the policy is and what it reads.
    fn info(&self) -> Info;

    /// Every rule, in the order of the reference.
    fn rules(&self) -> Vec<&'static Rule>;

    /// Judges an object.
    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal>;

    /// Fills in what a person left out.
    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, Refusal>;

    /// Tells the address space of a Shoot.
    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, Refusal>;

    /// Chooses ranges for zones to be added to a Shoot. Not for a provider whose zones have none, which does not
    /// list the function in [`Info::functions`].
    fn zones(&self, request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, Refusal> {
        let _ = (request, add);
        Err(Refusal::NoZones(self.provider()))
    }

    /// Whether values of this object must stay out of answers.
    fn is_secret(&self, object: &Value<'_>) -> bool {
        matches!(object.get("kind").and_then(Value::as_str), Some("Secret" | "InternalSecret"))
    }

    /// JSON Schemas of the provider's configuration kinds, by kind.
    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value>;
}

/// What one provider decides of a Shoot's infrastructure: the other half of its policy, where it has one. A page that
/// only judges does not load it.
pub trait Infrastructure: Sync {
    /// Provider type, as in `spec.type` of an Infrastructure.
    fn provider(&self) -> &'static str;

    /// Plans what becomes of an infrastructure, or asks for what has to be known before.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Planning, Refusal>;

    /// Tells the status of an infrastructure from its recorded state.
    fn status(&self, request: &StatusRequest<'_>) -> Result<InfrastructureStatus, Refusal>;

    /// Tells what to do about the error of a call.
    fn classify(&self, error: &CallError<'_>) -> Result<Classification, Refusal>;
}

/// Whether a function is one of [`Infrastructure`].
pub fn is_of_infrastructure(function: &str) -> bool {
    matches!(function, "classify" | "plan" | "status")
}

/// Calls a function of a policy: JSON text in, JSON text out, for every face the same bytes.
pub fn call(policy: &dyn Policy, function: &str, request: &str) -> String {
    answer(policy, function, request).unwrap_or_else(failure)
}

/// Calls a function of a policy's infrastructure alike.
pub fn call_infrastructure(infrastructure: &dyn Infrastructure, function: &str, request: &str) -> String {
    let answer = || {
        let document = json::parse(request)?;
        Ok(match function {
            "classify" => text(&infrastructure.classify(&CallError::read(&document)?)?),
            "plan" => {
                let request = PlanRequest::read(&document)?;
                plans_for_provider(&request.request, infrastructure.provider())?;
                text(&infrastructure.plan(&request)?)
            }
            "status" => {
                let request = StatusRequest::read(&document)?;
                plans_for_provider(&request.request, infrastructure.provider())?;
                text(&infrastructure.status(&request)?)
            }
            other => return Err(Refusal::UnknownFunction(other.to_owned())),
        })
    };
    answer().unwrap_or_else(failure)
}

/// The answer that tells of a refusal.
pub fn failure(refusal: Refusal) -> String {
    text(&Failure::from(refusal))
}

fn text<T: Serialize>(answer: &T) -> String {
    // Never fails: answers have string keys and no fallible parts.
    serde_json::to_string(answer).unwrap_or_default()
}

fn answer(policy: &dyn Policy, function: &str, request: &str) -> Result<String, Refusal> {
    match function {
        "info" => Ok(text(&policy.info())),
        "rules" => Ok(text(&Rules { rules: policy.rules() })),
        "addresses" | "default" | "validate" | "zones" => {
            let document = json::parse(request)?;
            let request = Request::read(&document, function == "zones")?;
            is_of_provider(&request, policy.provider())?;
            Ok(match function {
                "addresses" => text(&policy.addresses(&request)?),
                "default" => {
                    let Defaulted { object, patch, changes, undecided } = policy.default(&request)?;
                    let object = JsonText::from(&object);
                    text(&Defaulting { object, patch, changes, undecided })
                }
                "validate" => text(&validate(policy, &request)?),
                _ => text(&policy.zones(&request, &NewZone::read_all(&document)?)?),
            })
        }
        other if is_of_infrastructure(other) => Err(Refusal::NoInfrastructure(policy.provider().to_owned())),
        other => Err(Refusal::UnknownFunction(other.to_owned())),
    }
}

/// What a policy found.
struct Judged {
    findings: Vec<Finding>,
    undecided: Vec<Undecided>,
    /// The severities of which findings were left out.
    truncated: Vec<Severity>,
}

impl Judged {
    /// Whether no error was left out.
    fn has_all_errors(&self) -> bool {
        !self.truncated.contains(&Severity::Error)
    }
}

/// Judges an object.
pub fn validate(policy: &dyn Policy, request: &Request<'_>) -> Result<Validation, Refusal> {
    let before = match request.old_object.filter(|_| request.ratchet) {
        Some(object) => {
            let of_old = Request { object, ratchet: false, facts: request.facts.clone(), ..*request };
            Some((object, judge(policy, &of_old, None)?))
        }
        None => None,
    };
    let known = before.as_ref().map(|(object, old)| Before { object, findings: &old.findings });
    let mut judged = judge(policy, request, known)?;
    // What was left out may be new.
    let ratchets = judged.has_all_errors() && before.is_some_and(|(_, old)| old.has_all_errors());
    for finding in judged.findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
        let is_ratcheted = ratchets && finding.is_old && !finding.ends;
        if is_ratcheted {
            finding.severity = Severity::Warning;
        }
        // What was so before may be immutable by now: then no mend is certain.
        let is_unchanged = |old| {
            request.object.pointer(&finding.pointer).is_some()
                && is_unchanged(&finding.pointer, request.object, old)
        };
        if is_ratcheted || request.old_object.is_some_and(is_unchanged) {
            finding.fix = None;
        }
    }
    // Errors first, each in the order of the sheet.
    let (mut findings, warnings): (Vec<_>, Vec<_>) =
        judged.findings.into_iter().partition(|finding| finding.severity == Severity::Error);
    let verdict = if !findings.is_empty() {
        Verdict::Reject
    } else if judged.undecided.is_empty() {
        Verdict::Accept
    } else {
        Verdict::Undecided
    };
    findings.extend(warnings);
    Ok(Validation { verdict, findings, truncated: judged.truncated, undecided: judged.undecided })
}

fn judge(policy: &dyn Policy, request: &Request<'_>, before: Option<Before<'_>>) -> Result<Judged, Refusal> {
    let mut report = if policy.is_secret(request.object) {
        Report::of_secret(request.object)
    } else {
        Report::new(request.object)
    };
    if let Some(before) = before {
        report = report.since(before);
    }
    policy.validate(request, &mut report)?;
    let truncated = report.truncated();
    let (findings, undecided) = report.into_parts();
    Ok(Judged { findings, undecided, truncated })
}

#[cfg(test)]
mod tests;
