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

use crate::json::{self, JsonText, Value};
use crate::report::{Finding, Report, Rule, Severity, Undecided};

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
        Err(Refusal::NoZones(self.info().provider))
    }

    /// Whether values of this object must stay out of answers.
    fn is_secret(&self, object: &Value<'_>) -> bool {
        object.get("kind").and_then(Value::as_str) == Some("Secret")
    }

    /// JSON Schemas of the provider's configuration kinds, by kind.
    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value>;
}

/// What one provider decides of a Shoot's infrastructure: the other half of its policy, where it has one. A page that
/// only judges does not load it.
pub trait Infrastructure: Sync {
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
            "plan" => text(&infrastructure.plan(&PlanRequest::read(&document)?)?),
            "status" => text(&infrastructure.status(&StatusRequest::read(&document)?)?),
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
        other if is_of_infrastructure(other) => Err(Refusal::NoInfrastructure(policy.info().provider.to_owned())),
        other => Err(Refusal::UnknownFunction(other.to_owned())),
    }
}

/// Judges an object.
pub fn validate(policy: &dyn Policy, request: &Request<'_>) -> Result<Validation, Refusal> {
    let (mut findings, undecided) = findings(policy, request)?;
    if let Some(old) = request.old_object {
        let unchanged = |finding: &Finding| {
            let (new, old) = (request.object.pointer(&finding.pointer), old.pointer(&finding.pointer));
            new.map(|value| value.canonical(false)) == old.map(|value| value.canonical(false))
        };
        // What was so before may be immutable by now: then no mend is certain.
        for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
            if request.object.pointer(&finding.pointer).is_some() && unchanged(finding) {
                finding.fix = None;
            }
        }
        if request.ratchet {
            let before = Request { object: old, ratchet: false, facts: request.facts.clone(), ..*request };
            let (known, _) = self::findings(policy, &before)?;
            for finding in
                findings.iter_mut().filter(|finding| finding.severity == Severity::Error && !finding.ends)
            {
                let same = |old: &Finding| {
                    let key = (finding.rule, &finding.field, &finding.detail);
                    old.severity == Severity::Error && (old.rule, &old.field, &old.detail) == key
                };
                if known.iter().any(same) && unchanged(finding) {
                    finding.severity = Severity::Warning;
                    finding.fix = None;
                }
            }
        }
    }
    // Errors first, each in the order of the sheet.
    let (mut ordered, warnings): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.severity == Severity::Error);
    ordered.extend(warnings);
    let findings = ordered;
    let verdict = if findings.iter().any(|finding| finding.severity == Severity::Error) {
        Verdict::Reject
    } else if undecided.is_empty() {
        Verdict::Accept
    } else {
        Verdict::Undecided
    };
    Ok(Validation { verdict, findings, undecided })
}

fn findings(policy: &dyn Policy, request: &Request<'_>) -> Result<(Vec<Finding>, Vec<Undecided>), Refusal> {
    let mut report = if policy.is_secret(request.object) {
        Report::of_secret(request.object)
    } else {
        Report::new(request.object)
    };
    policy.validate(request, &mut report)?;
    Ok(report.into_parts())
}
