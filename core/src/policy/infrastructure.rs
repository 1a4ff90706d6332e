//! An infrastructure and what somebody wants of it: the part of a request that `plan` and `status` share.

use std::borrow::Cow;

use super::member::{known_members, malformed};
use super::{RequestError, State};
use crate::document::Value;

/// Most entries of a recorded state, and most bytes of a key or value. The state of a Shoot with 50 zones has some
/// 500 entries.
const MAX_STATE: usize = 4_000;
const MAX_STATE_TEXT: usize = 64 << 10;

/// What a plan is to do with an infrastructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanOperation {
    /// Create it, or update it to what is wanted.
    Reconcile,
    /// Delete it.
    Delete,
    /// The same as `Reconcile`, after the control plane has moved to another seed.
    Restore,
    /// Leave it alone, for another seed to take over.
    Migrate,
}

/// An infrastructure, and what somebody wants of it.
#[derive(Clone, Copy, Debug)]
pub struct InfrastructureRequest<'r> {
    /// What the plan is to do.
    pub operation: PlanOperation,
    /// The Infrastructure; absent where the request has only a Shoot.
    pub infrastructure: Option<&'r Value<'r>>,
    /// The Shoot; absent where the request has only an Infrastructure.
    pub shoot: Option<&'r Value<'r>>,
    /// The CloudProfile of the Shoot.
    pub cloud_profile: Option<&'r Value<'r>>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
}

impl<'r> InfrastructureRequest<'r> {
    pub(super) fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
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

    /// Pointer to the provider's configuration in [`Self::document`].
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

    /// The Shoot's name on its seed, which is in the names and tags of its resources: as Gardener recorded it,
    /// else the namespace of the Infrastructure, else as Gardener will compose it.
    pub fn technical_id(&self) -> Cow<'r, str> {
        let text = |object: Option<&'r Value<'r>>, keys: &[&str]| object.and_then(|object| text_at(object, keys));
        let recorded = text(self.shoot, RECORDED_ID);
        if let Some(id) = recorded.or_else(|| text(self.infrastructure, &["metadata", "namespace"])) {
            return Cow::Borrowed(id);
        }
        self.shoot.map_or(Cow::Borrowed(""), technical_id)
    }

    /// Whether its seed knows that what has its tag is its own: the seed reconciled it before, or its control
    /// plane comes from a seed that did. That it is being deleted proves nothing: perhaps no run has ever created
    /// it.
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

    /// The uid that tells this infrastructure from others of the same name, before and after it: of the
    /// Infrastructure, else of the Shoot; empty where the request has neither.
    pub fn uid(&self) -> &'r str {
        let uid = |object: Option<&'r Value<'r>>| object?.at(&["metadata", "uid"])?.as_str();
        uid(self.infrastructure).or_else(|| uid(self.shoot)).unwrap_or_default()
    }
}

/// Where Gardener records a Shoot's name on its seed.
const RECORDED_ID: &[&str] = &["status", "technicalID"];

/// A Shoot's name on its seed: as Gardener recorded it, else as Gardener will compose it.
pub fn technical_id<'r>(shoot: &'r Value<'r>) -> Cow<'r, str> {
    if let Some(id) = text_at(shoot, RECORDED_ID) {
        return Cow::Borrowed(id);
    }
    let namespace = text_at(shoot, &["metadata", "namespace"]).unwrap_or("garden-local");
    let name = text_at(shoot, &["metadata", "name"]).unwrap_or_default();
    Cow::Owned(format!("shoot--{}--{name}", namespace.strip_prefix("garden-").unwrap_or(namespace)))
}

/// A text that is not empty.
fn text_at<'r>(object: &'r Value<'r>, keys: &[&str]) -> Option<&'r str> {
    object.at(keys).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The infrastructure in a request document.
pub(super) fn request<'r>(document: &'r Value<'r>) -> Result<InfrastructureRequest<'r>, RequestError> {
    let request = document.get("request");
    InfrastructureRequest::read(request.ok_or_else(|| malformed("the request document has no `request`"))?)
}

/// The recorded state in a request document.
pub(super) fn state(document: &Value<'_>) -> Result<Option<State>, RequestError> {
    let members = match document.get("state") {
        None => return Ok(None),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(malformed(format!("`state` must be an object, not {}", other.kind()))),
    };
    if members.len() > MAX_STATE {
        let (what, count, unit, limit) = ("`state`", members.len(), "entries", MAX_STATE);
        return Err(RequestError::TooMany { what, count, unit, limit });
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
