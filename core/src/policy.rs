//! The interface of every policy: its functions, and the documents that go in and out as JSON text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::json::{self, SyntaxError, Value};
use crate::patch::{self, PatchOperation};
use crate::report::{Finding, Report, Rule, Severity, Undecided};

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

    /// Whether values of this object must stay out of answers.
    fn is_secret(&self, object: &Value<'_>) -> bool {
        object.get("kind").and_then(Value::as_str) == Some("Secret")
    }

    /// JSON Schemas of the provider's configuration kinds, by kind.
    #[cfg(feature = "schema")]
    fn schemas(&self) -> BTreeMap<String, serde_json::Value>;
}

/// What a policy is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// Provider type, as in `spec.provider.type`.
    pub provider: &'static str,
    /// Version of the policy.
    pub version: &'static str,
    /// Release of the existing extension whose rules it carries.
    pub parity: &'static str,
    /// Kinds of the provider's own API.
    pub kinds: Vec<Kind>,
    /// Per function and kind of object, what is read of the request's context, as RFC 6901 pointers with
    /// `*` for every entry of a list. Callers need to send no more.
    pub reads: BTreeMap<&'static str, BTreeMap<&'static str, &'static [&'static str]>>,
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Kind {
    /// Group and version.
    pub api_version: &'static str,
    /// Name of the kind.
    pub kind: &'static str,
}

/// The input of `validate` and `default`.
#[derive(Debug)]
pub struct Request<'r> {
    /// The object to judge.
    pub object: &'r Value<'r>,
    /// What it was before; present on an update.
    pub old_object: Option<&'r Value<'r>>,
    /// Other objects, by role, such as `cloudProfile` and `secret`.
    context: &'r Value<'r>,
    /// Answers to queries of an earlier answer.
    facts: Vec<Fact<'r>>,
    /// On an update, errors that the old object already had are warnings, save those that keep other rules from
    /// being judged.
    ratchet: bool,
}

/// The answer to a [`Query`].
#[derive(Clone, Copy, Debug)]
pub struct Fact<'r> {
    query: &'r str,
    answer: FactAnswer<'r>,
}

/// What came back.
#[derive(Clone, Copy, Debug)]
pub enum FactAnswer<'r> {
    /// The response, as the API gives it.
    Response(&'r Value<'r>),
    /// The call failed.
    Error {
        /// The API's error code.
        code: &'r str,
        /// The API's message.
        message: &'r str,
        /// Status of the response, 0 where there was none.
        http_status: i64,
    },
}

/// A question to the world outside, to be answered by a [`Fact`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Query {
    /// Names the query; equal queries have equal ids.
    pub id: String,
    /// The call to make.
    pub call: Call,
    /// How further pages are asked for; the response then has the entries of all pages.
    pub paging: Paging,
}

/// A call to a cloud's API, or a read of a Kubernetes object (service `kubernetes`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: &'static str,
    /// The action, such as `DescribeVSwitches`.
    pub action: &'static str,
    /// Parameters by name.
    pub parameters: BTreeMap<&'static str, String>,
}

/// How an API hands out long lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Paging {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`.
    PageNumber,
}

/// Whether the object may be admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every rule holds.
    Accept,
    /// Some rule does not hold.
    Reject,
    /// No rule is known not to hold, but some could not be judged. Nobody may admit on this.
    Undecided,
}

/// The answer of `validate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validation {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors in the order of the rules, then warnings.
    pub findings: Vec<Finding>,
    /// Rules that could not be judged.
    pub undecided: Vec<Undecided>,
}

/// What `default` did to an object.
#[derive(Debug)]
pub struct Defaulted<'r> {
    /// The object with its defaults.
    pub object: Value<'r>,
    /// What was done, as a patch of the object given.
    pub patch: Vec<PatchOperation>,
    /// Why, one line an operation.
    pub changes: Vec<Change>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

impl<'r> Defaulted<'r> {
    /// The object as it is.
    pub fn unchanged(object: &Value<'r>) -> Self {
        Self { object: object.clone(), patch: Vec::new(), changes: Vec::new(), undecided: Vec::new() }
    }

    /// Sets a value whose parent exists, and says why.
    pub fn set(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        let operation = PatchOperation::add(pointer.clone(), &value);
        let Some(op) = patch::set(&mut self.object, &pointer, value) else { return };
        self.patch.push(PatchOperation { op, ..operation });
        self.changes.push(Change { rule: rule.id, pointer, reason: reason.into() });
    }

    /// Says that a default could not be decided.
    pub fn undecided(&mut self, rule: &'static Rule, why: impl Into<String>, query: Option<Query>) {
        self.undecided.push(Undecided { rule: rule.id, why: why.into(), query });
    }
}

/// One default that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// Id of the rule.
    pub rule: &'static str,
    /// Where, as an RFC 6901 pointer.
    pub pointer: String,
    /// Why, for the person whose manifest it is.
    pub reason: Cow<'static, str>,
}

/// The answer of `default`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Defaulting {
    /// The object with its defaults.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub object: Option<Box<RawValue>>,
    /// What was done, as an RFC 6902 patch of the object given.
    pub patch: Vec<PatchOperation>,
    /// Why, one line an operation.
    pub changes: Vec<Change>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

/// The answer of `rules`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<&'static Rule>,
}

/// The answer when there is no other.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What is wrong with the request.
    pub error: FailureCause,
}

/// What is wrong with a request.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureCause {
    /// A word for programs: `Malformed`, `TooLarge`, `TooDeep`, `UnknownProvider`, `UnknownFunction`,
    /// `UnsupportedKind`, or `Denied` where the existing extension refuses to set defaults.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Where in the object, as an RFC 6901 pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}

/// Why a policy gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is not a JSON document within the limits.
    #[error("{message}")]
    Syntax {
        /// `Malformed`, `TooLarge` or `TooDeep`.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The request or the object does not have the shape that its kind asks for.
    #[error("{message}")]
    Malformed {
        /// What is wrong.
        message: String,
        /// Where in the object.
        pointer: Option<String>,
    },
    /// No policy of that name.
    #[error("there is no provider `{0}`")]
    UnknownProvider(String),
    /// No function of that name.
    #[error("there is no function `{0}`; there are info, rules, validate and default")]
    UnknownFunction(String),
    /// An object that the policy has no rules for.
    #[error("{}", unsupported(.api_version, .kind))]
    UnsupportedKind {
        /// Group and version given.
        api_version: String,
        /// Kind given.
        kind: String,
    },
    /// Old and new object are of different kinds.
    #[error("the old object is a `{old}`, the new one a `{new}`")]
    KindChanged {
        /// Kind of the old object.
        old: String,
        /// Kind of the new object.
        new: String,
    },
    /// The existing extension refuses to set defaults on such an object.
    #[error("{message}")]
    Denied {
        /// Why, in the words of the existing extension where it has any.
        message: String,
        /// Where in the object.
        pointer: String,
    },
}

fn unsupported(api_version: &str, kind: &str) -> String {
    match (api_version, kind) {
        (_, "") => "the object has no `kind`".to_owned(),
        ("", kind) => format!("`{kind}` is not a kind that this policy judges"),
        (api_version, kind) => format!("`{kind}` of `{api_version}` is not a kind that this policy judges"),
    }
}

impl From<SyntaxError> for Refusal {
    fn from(error: SyntaxError) -> Self {
        let code = match error {
            SyntaxError::TooLarge(_) | SyntaxError::TooMany(_) => "TooLarge",
            SyntaxError::TooDeep(_) => "TooDeep",
            SyntaxError::Malformed { .. } => "Malformed",
        };
        Self::Syntax { code, message: error.to_string() }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        let (code, pointer) = match refusal {
            Refusal::Syntax { code, .. } => (code, None),
            Refusal::Malformed { pointer, .. } => ("Malformed", pointer),
            Refusal::UnknownProvider(_) => ("UnknownProvider", None),
            Refusal::UnknownFunction(_) => ("UnknownFunction", None),
            Refusal::UnsupportedKind { .. } => ("UnsupportedKind", Some("/kind".to_owned())),
            Refusal::KindChanged { .. } => ("Malformed", Some("/kind".to_owned())),
            Refusal::Denied { pointer, .. } => ("Denied", Some(pointer)),
        };
        Self { error: FailureCause { code, message, pointer } }
    }
}

fn malformed(message: impl Into<String>) -> Refusal {
    Refusal::Malformed { message: message.into(), pointer: None }
}

static EMPTY: Value<'static> = Value::Object(Vec::new());

impl<'r> Request<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, Refusal> {
        let Value::Object(members) = document else {
            return Err(malformed(format!("the request must be an object, not {}", document.kind())));
        };
        let known = ["object", "oldObject", "context", "facts", "ratchet"];
        if let Some((key, _)) = members.iter().find(|(key, _)| !known.contains(&key.as_ref())) {
            return Err(malformed(format!(
                "the request has an unknown member `{key}`; known are {}",
                known.join(", ")
            )));
        }
        let object = document.get("object").ok_or_else(|| malformed("the request has no `object`"))?;
        let old_object = document.get("oldObject");
        let kind = |object: &Value<'_>| object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(old) = old_object
            && kind(old) != kind(object)
        {
            return Err(Refusal::KindChanged { old: kind(old), new: kind(object) });
        }
        let context = document.get("context").unwrap_or(&EMPTY);
        if !matches!(context, Value::Object(_)) {
            return Err(malformed(format!("`context` must be an object, not {}", context.kind())));
        }
        let ratchet = match document.get("ratchet") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => return Err(malformed(format!("`ratchet` must be a boolean, not {}", other.kind()))),
        };
        let facts = match document.get("facts") {
            None => Vec::new(),
            Some(Value::Array(facts)) => facts.iter().map(Fact::read).collect::<Result<_, _>>()?,
            Some(other) => return Err(malformed(format!("`facts` must be a list, not {}", other.kind()))),
        };
        Ok(Self { object, old_object, context, facts, ratchet })
    }

    /// An object of the context.
    pub fn context(&self, role: &str) -> Option<&'r Value<'r>> {
        self.context.get(role)
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        self.facts.iter().find(|fact| fact.query == query.id).map(|fact| fact.answer)
    }
}

impl<'r> Fact<'r> {
    fn read(fact: &'r Value<'r>) -> Result<Self, Refusal> {
        let shape = || {
            malformed(
                "a fact must be { \"query\": id, \"answer\": { \"response\" } or { \"error\": { \"code\", \"message\" } } }",
            )
        };
        let query = fact.get("query").and_then(Value::as_str).ok_or_else(shape)?;
        let answer = fact.get("answer").ok_or_else(shape)?;
        let answer = match (answer.get("response"), answer.get("error")) {
            (Some(response), None) => FactAnswer::Response(response),
            (None, Some(error)) => FactAnswer::Error {
                code: error.get("code").and_then(Value::as_str).ok_or_else(shape)?,
                message: error.get("message").and_then(Value::as_str).unwrap_or_default(),
                http_status: match error.get("httpStatus") {
                    Some(Value::Number(status)) => status.parse().map_err(|_| shape())?,
                    Some(_) => return Err(shape()),
                    None => 0,
                },
            },
            _ => return Err(shape()),
        };
        Ok(Self { query, answer })
    }
}

/// Calls a function of a policy: JSON text in, JSON text out, for every face the same bytes.
pub fn call(policy: &dyn Policy, function: &str, request: &str) -> String {
    answer(policy, function, request).unwrap_or_else(failure)
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
        "validate" => {
            let document = json::parse(request)?;
            Ok(text(&validate(policy, &Request::read(&document)?)?))
        }
        "default" => {
            let document = json::parse(request)?;
            let Defaulted { object, patch, changes, undecided } = policy.default(&Request::read(&document)?)?;
            let object = crate::report::raw(&object);
            Ok(text(&Defaulting { object, patch, changes, undecided }))
        }
        other => Err(Refusal::UnknownFunction(other.to_owned())),
    }
}

/// Judges an object.
pub fn validate(policy: &dyn Policy, request: &Request<'_>) -> Result<Validation, Refusal> {
    let (mut findings, undecided) = findings(policy, request)?;
    if let Some(old) = request.old_object {
        // What was so before may be immutable by now: then no mend is certain.
        let unchanged = |pointer: &str| {
            let value = request.object.pointer(pointer);
            value.is_some() && value == old.pointer(pointer)
        };
        for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
            finding.fix = finding.fix.take().filter(|_| !unchanged(&finding.pointer));
        }
    }
    if let (true, Some(old)) = (request.ratchet, request.old_object) {
        let before = Request { object: old, ratchet: false, facts: request.facts.clone(), ..*request };
        let (known, _) = self::findings(policy, &before)?;
        for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Error && !finding.ends) {
            let same = |old: &Finding| {
                (old.rule, &old.field, &old.detail) == (finding.rule, &finding.field, &finding.detail)
            };
            if known.iter().any(|old| old.severity == Severity::Error && same(old)) {
                finding.severity = Severity::Warning;
                finding.fix = None;
            }
        }
    }
    findings.sort_by_key(|finding| finding.severity == Severity::Warning);
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
