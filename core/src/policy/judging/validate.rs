//! `validate`: judges an object.

use std::borrow::Cow;

use serde::Serialize;

use super::Judging;
use crate::document::{Value, parse};
use crate::kube::prepare::prepared;
use crate::policy::answer::text;
use crate::policy::{Request, RequestError, Scope, Verdict, kind_of, unsupported};
use crate::report::{Before, Finding, Report, Severity, Undecided, is_unchanged};

/// The answer of `validate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validation {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors in the order of the rules, then warnings.
    pub findings: Vec<Finding>,
    /// Present where there are more findings than a report holds: the severities of the findings that the report
    /// left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Severity>,
    /// Rules that could not be judged.
    pub undecided: Vec<Undecided>,
    /// Whose rules the verdict covers.
    pub scope: Scope,
}

/// What a policy found.
struct Judged {
    findings: Vec<Finding>,
    undecided: Vec<Undecided>,
    /// The parts of the object that no rule judges.
    left_out: Vec<Cow<'static, str>>,
    /// The release by which the object was judged, where the policy knows several.
    judge: Option<String>,
    /// Whether a rule that may reject the object could not be judged.
    is_open: bool,
    /// The severities of the findings that the report left out.
    truncated: Vec<Severity>,
}

impl Judged {
    /// Whether the report left out no error.
    fn has_all_errors(&self) -> bool {
        !self.truncated.contains(&Severity::Error)
    }
}

pub(super) fn validate(policy: &Judging, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = policy.read(&document)?;
    if !request.is_sent() {
        return Ok(text(&Validation::of(policy, &request)?));
    }
    let prepared = prepared(request.object, request.old_object);
    Ok(text(&Validation::of(policy, &request.about(&prepared))?))
}

impl Validation {
    /// Judges the object of a request.
    fn of(policy: &Judging, request: &Request<'_>) -> Result<Self, RequestError> {
        let before = match request.old_object.filter(|_| request.ratchet) {
            Some(object) => {
                let of_old = Request { object, ratchet: false, facts: request.facts.clone(), ..*request };
                Some((object, judge(policy, &of_old, None)?))
            }
            None => None,
        };
        let known = before.as_ref().map(|(object, old)| Before { object, findings: &old.findings });
        let mut judged = judge(policy, request, known)?;
        // An error that the report left out may be new.
        let ratchets = judged.has_all_errors() && before.is_some_and(|(_, old)| old.has_all_errors());
        for finding in judged.findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
            let is_ratcheted = ratchets && finding.is_old && !finding.hides_others;
            if is_ratcheted {
                finding.severity = Severity::Warning;
            }
            // The old object had the same value, which may be immutable by now: then no fix is certain. Where
            // people look at an update in advance, or the object is its own old version, they look for such
            // values, and faces try the fixes.
            let is_unchanged = |old| {
                request.object.pointer(&finding.pointer).is_some()
                    && is_unchanged(&finding.pointer, request.object, old)
            };
            let may_stay =
                !request.is_ahead() && !request.is_itself() && request.old_object.is_some_and(is_unchanged);
            if is_ratcheted || may_stay {
                finding.fix = None;
            }
        }
        // Errors first, each in the order of the sheet.
        let (mut findings, warnings): (Vec<_>, Vec<_>) =
            judged.findings.into_iter().partition(|finding| finding.severity == Severity::Error);
        let verdict = if !findings.is_empty() {
            Verdict::Reject
        } else if judged.is_open {
            Verdict::Undecided
        } else {
            Verdict::Accept
        };
        findings.extend(warnings);
        let (kind, _) = kind_of(request.object);
        let mut scope = policy.scope_of(Some(kind));
        if let Some(judge) = judged.judge {
            scope.checked = vec![judge.into()];
        }
        scope.not_checked.extend(judged.left_out);
        Ok(Self { verdict, findings, truncated: judged.truncated, undecided: judged.undecided, scope })
    }
}

fn judge(policy: &Judging, request: &Request<'_>, before: Option<Before<'_>>) -> Result<Judged, RequestError> {
    let validate = policy.of_kind(policy.validate, request).ok_or_else(|| unsupported(request.object))?;
    let mut report =
        if is_secret(request.object) { Report::of_secret(request.object) } else { Report::new(request.object) };
    if let Some(before) = before {
        report = report.since(before);
    }
    validate(request, &mut report)?;
    let judge = report.judge_name();
    let (truncated, is_open, left_out) = (report.truncated(), report.is_open(), report.left_out().to_vec());
    let (findings, undecided) = report.into_parts();
    Ok(Judged { findings, undecided, left_out, judge, is_open, truncated })
}

/// Whether values of this object must stay out of answers.
fn is_secret(object: &Value<'_>) -> bool {
    matches!(object.get("kind").and_then(Value::as_str), Some("Secret" | "InternalSecret"))
}
