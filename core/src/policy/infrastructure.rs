//! What goes into `plan`, `status` and `classify`.

use std::borrow::Cow;

use super::request::{Fact, known_members, malformed};
use super::{FactAnswer, Query, Refusal, State};
use crate::json::Value;

/// Most entries of a recorded state, and most bytes of a key or value. A Shoot of 50 zones has some 500.
const MAX_STATE: usize = 4_000;
const MAX_STATE_TEXT: usize = 64 << 10;

/// Annotation of an Infrastructure that lets what carries its tags be taken over, or deleted, though nothing is recorded.
const ADOPT: &str = "infrastructure.trellis.gardener.cloud/adopt";
/// Annotation of an Infrastructure that lets the record be given up of a network of which nothing is found.
const FORGET: &str = "infrastructure.trellis.gardener.cloud/forget";

/// What is to become of an infrastructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanOperation {
    /// Made, or brought to what is wanted.
    Reconcile,
    /// Taken down.
    Delete,
    /// As `Reconcile`, after a control plane moved to another seed.
    Restore,
    /// Left alone, for another seed to take over.
    Migrate,
}

/// An infrastructure, and what is wanted of it.
#[derive(Clone, Copy, Debug)]
pub struct InfrastructureRequest<'r> {
    /// What is to become of it.
    pub operation: PlanOperation,
    /// The Infrastructure object; absent where only a Shoot is known.
    pub infrastructure: Option<&'r Value<'r>>,
    /// The Shoot; absent where only an Infrastructure is known.
    pub shoot: Option<&'r Value<'r>>,
    /// The CloudProfile of the Shoot.
    pub cloud_profile: Option<&'r Value<'r>>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
}

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

/// The input of `status`.
#[derive(Debug)]
pub struct StatusRequest<'r> {
    /// What was wanted.
    pub request: InfrastructureRequest<'r>,
    /// The recorded state; absent where nobody keeps one beside `status.state` of the Infrastructure.
    pub state: Option<State>,
}

/// The input of `classify`: a call that failed.
#[derive(Clone, Copy, Debug)]
pub struct CallError<'r> {
    /// The API.
    pub service: &'r str,
    /// The action.
    pub action: &'r str,
    /// The API's error code.
    pub code: &'r str,
    /// The API's message.
    pub message: &'r str,
    /// Status of the response, 0 where there was none.
    pub http_status: i64,
}

impl<'r> InfrastructureRequest<'r> {
    fn read(document: &'r Value<'r>) -> Result<Self, Refusal> {
        known_members(document, "`request`", &["operation", "infrastructure", "cluster", "configuration"])?;
        let object = |value: Option<&'r Value<'r>>, what: &str| match value {
            None | Some(Value::Object(_)) => Ok(value),
            Some(other) => Err(malformed(format!("`{what}` must be an object, not {}", other.kind()))),
        };
        let operation = match document.get("operation").and_then(Value::as_str) {
            Some("reconcile") => PlanOperation::Reconcile,
            Some("delete") => PlanOperation::Delete,
            Some("restore") => PlanOperation::Restore,
            Some("migrate") => PlanOperation::Migrate,
            _ => return Err(malformed("`operation` must be reconcile, delete, restore or migrate")),
        };
        let cluster = object(document.get("cluster"), "cluster")?;
        let part = |name| object(cluster.and_then(|cluster| cluster.get(name)), name);
        let infrastructure = object(document.get("infrastructure"), "infrastructure")?;
        let shoot = part("shoot")?;
        if infrastructure.is_none() && shoot.is_none() {
            return Err(malformed("the request has neither `infrastructure` nor `cluster.shoot`"));
        }
        Ok(Self {
            operation,
            infrastructure,
            shoot,
            cloud_profile: part("cloudProfile")?,
            configuration: object(document.get("configuration"), "configuration")?,
        })
    }

    /// The object that the person wrote: the Infrastructure, else the Shoot.
    pub fn document(&self) -> &'r Value<'r> {
        static NOTHING: Value<'static> = Value::Null;
        self.infrastructure.or(self.shoot).unwrap_or(&NOTHING)
    }

    /// Where the provider's configuration is in [`Self::document`].
    pub fn config_pointer(&self) -> &'static str {
        if self.infrastructure.is_some() { "/spec/providerConfig" } else { "/spec/provider/infrastructureConfig" }
    }

    /// The provider's configuration.
    pub fn config(&self) -> Option<&'r Value<'r>> {
        self.document().pointer(self.config_pointer()).filter(|config| !matches!(config, Value::Null))
    }

    /// The cloud's region.
    pub fn region(&self) -> &'r str {
        let region = |object: Option<&'r Value<'r>>| object?.at(&["spec", "region"])?.as_str();
        region(self.infrastructure).or_else(|| region(self.shoot)).unwrap_or_default()
    }

    /// The Shoot's name on its seed, by which its resources are named and tagged: as Gardener recorded it, else the
    /// namespace of the Infrastructure, else as Gardener will compose it.
    pub fn technical_id(&self) -> Cow<'r, str> {
        let text = |object: Option<&'r Value<'r>>, keys: &[&str]| {
            object.and_then(|object| object.at(keys)).and_then(Value::as_str).filter(|text| !text.is_empty())
        };
        let recorded = text(self.shoot, &["status", "technicalID"]);
        if let Some(id) = recorded.or_else(|| text(self.infrastructure, &["metadata", "namespace"])) {
            return Cow::Borrowed(id);
        }
        let namespace = text(self.shoot, &["metadata", "namespace"]).unwrap_or("garden-local");
        let name = text(self.shoot, &["metadata", "name"]).unwrap_or_default();
        Cow::Owned(format!("shoot--{}--{name}", namespace.strip_prefix("garden-").unwrap_or(namespace)))
    }

    /// Whether its seed knows that what carries its tags is its own: it was reconciled there before, or its control plane comes
    /// from a seed where it was. That it is deleted tells nothing: it may never have been made.
    pub fn is_known_to_seed(&self) -> bool {
        let Some(infrastructure) = self.infrastructure else { return false };
        let text = |keys: &[&str]| infrastructure.at(keys).and_then(Value::as_str).unwrap_or_default();
        let is_made = || !matches!(infrastructure.at(&["status", "providerStatus"]), None | Some(Value::Null));
        let was_reconciled = match text(&["status", "lastOperation", "type"]) {
            "Create" => text(&["status", "lastOperation", "state"]) == "Succeeded",
            "Reconcile" | "Migrate" | "Restore" => true,
            _ => is_made(),
        };
        self.operation == PlanOperation::Restore || was_reconciled
    }

    /// What somebody has agreed to by annotations of the Infrastructure.
    pub fn annotated_consent(&self) -> Consent {
        let is_set = |key| {
            let value = self.infrastructure.and_then(|object| object.at(&["metadata", "annotations", key]));
            value.and_then(Value::as_str) == Some("true")
        };
        Consent { adopt: is_set(ADOPT), forget: is_set(FORGET) }
    }

    /// What tells this infrastructure from others of the same name, before and after it: the uid of the Infrastructure, else
    /// that of the Shoot; empty where neither is known.
    pub fn uid(&self) -> &'r str {
        let uid = |object: Option<&'r Value<'r>>| object?.at(&["metadata", "uid"])?.as_str();
        uid(self.infrastructure).or_else(|| uid(self.shoot)).unwrap_or_default()
    }
}

impl Consent {
    /// Reads the list of words in a request document.
    fn read(document: &Value<'_>) -> Result<Self, Refusal> {
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
    pub fn read(document: &'r Value<'r>) -> Result<Self, Refusal> {
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
        let waited = match document.get("waited") {
            None => false,
            Some(Value::Bool(waited)) => *waited,
            Some(_) => return Err(malformed("`waited` must be true or false")),
        };
        Ok(Self { request, consent, waited, state, baseline, facts: Fact::read_all(document)? })
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

impl<'r> StatusRequest<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, Refusal> {
        known_members(document, "the request", &["request", "state"])?;
        Ok(Self { request: request(document)?, state: state(document)? })
    }
}

impl<'r> CallError<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, Refusal> {
        known_members(document, "the request", &["call", "error"])?;
        let text = |keys: &[&str]| document.at(keys).and_then(Value::as_str);
        let missing = || {
            malformed(
                "the request must be { \"call\": { \"service\", \"action\" }, \"error\": { \"code\", \"message\", \
                 \"httpStatus\" } }",
            )
        };
        Ok(Self {
            service: text(&["call", "service"]).ok_or_else(missing)?,
            action: text(&["call", "action"]).ok_or_else(missing)?,
            code: text(&["error", "code"]).ok_or_else(missing)?,
            message: text(&["error", "message"]).unwrap_or_default(),
            http_status: match document.at(&["error", "httpStatus"]) {
                Some(Value::Number(status)) => status.parse().map_err(|_| missing())?,
                Some(_) => return Err(missing()),
                None => 0,
            },
        })
    }
}

fn request<'r>(document: &'r Value<'r>) -> Result<InfrastructureRequest<'r>, Refusal> {
    let request = document.get("request");
    InfrastructureRequest::read(request.ok_or_else(|| malformed("the request document has no `request`"))?)
}

fn state(document: &Value<'_>) -> Result<Option<State>, Refusal> {
    let members = match document.get("state") {
        None => return Ok(None),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(malformed(format!("`state` must be an object, not {}", other.kind()))),
    };
    if members.len() > MAX_STATE {
        let (what, count, unit, limit) = ("`state`", members.len(), "entries", MAX_STATE);
        return Err(Refusal::TooMany { what, count, unit, limit });
    }
    let entry = |(key, value): &(Cow<'_, str>, Value<'_>)| match value {
        Value::String(text) if text.len() <= MAX_STATE_TEXT && key.len() <= MAX_STATE_TEXT => {
            Ok((key.clone().into_owned(), text.clone().into_owned()))
        }
        Value::String(_) => Err(malformed("a key or value of `state` has more than 64 KiB")),
        other => Err(malformed(format!("`state` must have texts, `{key}` is {}", other.kind()))),
    };
    members.iter().map(entry).collect::<Result<_, _>>().map(Some)
}
