//! The subject of a plan, which is an object that stands for something in the cloud, and what somebody wants of it:
//! the part of a request that `plan` and `status` share.

use std::borrow::Cow;

use serde::Serialize;

use super::State;
use crate::document::Value;
use crate::policy::RequestError;
use crate::policy::member::{known_members, malformed, object};
use crate::text::enumerate;

/// Most entries of a recorded state, and most bytes of a key or value. The state of a Shoot with 50 zones has some
/// 500 entries.
const MAX_STATE: usize = 4_000;
const MAX_STATE_TEXT: usize = 64 << 10;

/// The kind of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SubjectKind {
    /// The network of a Shoot.
    Infrastructure,
    /// A bucket of backups.
    BackupBucket,
    /// What a bucket holds of one Shoot.
    BackupEntry,
    /// A name in the DNS.
    #[serde(rename = "DNSRecord")]
    DnsRecord,
    /// A host by which people reach the nodes of a Shoot.
    Bastion,
}

/// A kind whose objects a policy plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedKind {
    /// The kind.
    pub kind: SubjectKind,
    /// The types of its objects that are the provider's, as in `spec.type`.
    pub types: &'static [&'static str],
}

/// The member of a request that holds an object of a kind of which nobody plans any.
const NOT_PLANNED: &str = "worker";

impl SubjectKind {
    const ALL: [Self; 5] =
        [Self::Infrastructure, Self::BackupBucket, Self::BackupEntry, Self::DnsRecord, Self::Bastion];

    /// The member of a request that holds an object of the kind.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Infrastructure => "infrastructure",
            Self::BackupBucket => "backupBucket",
            Self::BackupEntry => "backupEntry",
            Self::DnsRecord => "dnsRecord",
            Self::Bastion => "bastion",
        }
    }

    /// Its name, as objects have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Infrastructure => "Infrastructure",
            Self::BackupBucket => "BackupBucket",
            Self::BackupEntry => "BackupEntry",
            Self::DnsRecord => "DNSRecord",
            Self::Bastion => "Bastion",
        }
    }
}

/// What a plan is to do with its subject.
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

/// An object that stands for something in the cloud, and what somebody wants of it.
#[derive(Clone, Copy, Debug)]
pub struct PlanSubject<'r> {
    /// What the plan is to do.
    pub operation: PlanOperation,
    /// The kind of the object.
    pub kind: SubjectKind,
    /// The object; absent where the request has only a Shoot, whose Infrastructure is meant.
    pub object: Option<&'r Value<'r>>,
    /// The Shoot; absent where the request has only an object.
    pub shoot: Option<&'r Value<'r>>,
    /// The CloudProfile of the Shoot.
    pub cloud_profile: Option<&'r Value<'r>>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
    /// The network of the Shoot, which a Bastion is in: `status.providerStatus` of its Infrastructure.
    pub infrastructure_status: Option<&'r Value<'r>>,
}

impl<'r> PlanSubject<'r> {
    pub(super) fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        if document.get(NOT_PLANNED).is_some() {
            return Err(malformed(format!("no policy plans a `{NOT_PLANNED}` yet; {}", one_of_members())));
        }
        let members = SubjectKind::ALL.map(SubjectKind::member);
        let others = ["operation", "cluster", "configuration", "infrastructureStatus"];
        known_members(document, "`request`", &[&members[..], &others].concat())?;
        let operation = match document.get("operation").and_then(Value::as_str) {
            Some("reconcile") => PlanOperation::Reconcile,
            Some("delete") => PlanOperation::Delete,
            Some("restore") => PlanOperation::Restore,
            Some("migrate") => PlanOperation::Migrate,
            _ => return Err(malformed("`operation` must be reconcile, delete, restore or migrate")),
        };
        let cluster = object(document.get("cluster"), "cluster")?;
        let part = |name| object(cluster.and_then(|cluster| cluster.get(name)), name);
        let shoot = part("shoot")?;
        let mut given = SubjectKind::ALL.into_iter().filter(|kind| document.get(kind.member()).is_some());
        let (kind, subject) = match (given.next(), given.next()) {
            (Some(kind), None) => (kind, object(document.get(kind.member()), kind.member())?),
            (None, _) if shoot.is_some() => (SubjectKind::Infrastructure, None),
            _ => {
                let (message, pointer) = (one_of_members(), Some("/request".to_owned()));
                return Err(RequestError::Malformed { message, pointer });
            }
        };
        Ok(Self {
            operation,
            kind,
            object: subject,
            shoot,
            cloud_profile: part("cloudProfile")?,
            configuration: object(document.get("configuration"), "configuration")?,
            infrastructure_status: object(document.get("infrastructureStatus"), "infrastructureStatus")?,
        })
    }

    /// The object that the person wrote: the subject, else the Shoot.
    pub fn document(&self) -> &'r Value<'r> {
        static NOTHING: Value<'static> = Value::Null;
        self.object.or(self.shoot).unwrap_or(&NOTHING)
    }

    /// Pointer to the provider's configuration in [`Self::document`].
    pub fn config_pointer(&self) -> &'static str {
        if self.object.is_some() { "/spec/providerConfig" } else { "/spec/provider/infrastructureConfig" }
    }

    /// The provider's configuration.
    pub fn config(&self) -> Option<&'r Value<'r>> {
        self.document().pointer(self.config_pointer()).filter(|config| !matches!(config, Value::Null))
    }

    /// The cloud's region; of a Bastion, which names none, that of its Shoot.
    pub fn region(&self) -> &'r str {
        let is_in_region_of_shoot = matches!(self.kind, SubjectKind::Infrastructure | SubjectKind::Bastion);
        self.text_of_object(&["spec", "region"], is_in_region_of_shoot)
    }

    /// A text of the object; of the Shoot where the object has none, and the Shoot's counts for it.
    fn text_of_object(&self, keys: &[&str], is_of_shoot: bool) -> &'r str {
        let text = |object: Option<&'r Value<'r>>| object?.at(keys)?.as_str();
        let shoot = self.shoot.filter(|_| is_of_shoot);
        text(self.object).or_else(|| text(shoot)).unwrap_or_default()
    }

    /// What people call the object: an Infrastructure by its [technical id](Self::technical_id), and others by their
    /// kind, their namespace, which is empty where they have none, and their name.
    pub fn identity(&self) -> Cow<'r, str> {
        if self.kind == SubjectKind::Infrastructure {
            return self.technical_id();
        }
        let text = |key| self.object.and_then(|object| text_at(object, &["metadata", key])).unwrap_or_default();
        Cow::Owned([self.kind.name(), text("namespace"), text("name")].join("/"))
    }

    /// The Shoot's name on its seed, which is in the names and tags of its resources: as Gardener recorded it,
    /// else the namespace of the Infrastructure, else as Gardener will compose it.
    pub fn technical_id(&self) -> Cow<'r, str> {
        let text = |object: Option<&'r Value<'r>>, keys: &[&str]| object.and_then(|object| text_at(object, keys));
        let recorded = text(self.shoot, RECORDED_ID);
        if let Some(id) = recorded.or_else(|| text(self.object, &["metadata", "namespace"])) {
            return Cow::Borrowed(id);
        }
        self.shoot.map_or(Cow::Borrowed(""), technical_id)
    }

    /// Whether its seed knows that what has its tag is its own: the seed reconciled it before, or its control
    /// plane comes from a seed that did. That it is being deleted proves nothing: perhaps no run has ever created
    /// it.
    pub fn is_known_to_seed(&self) -> bool {
        let Some(object) = self.object else { return false };
        let text = |keys: &[&str]| object.at(keys).and_then(Value::as_str).unwrap_or_default();
        let has = |part: &&str| !matches!(object.at(&["status", part]), None | Some(Value::Null));
        // Of a Bastion, the address is all that an extension reports.
        let is_made = || ["providerStatus", "ingress"].iter().any(has);
        let was_reconciled = match text(&["status", "lastOperation", "type"]) {
            "Create" => text(&["status", "lastOperation", "state"]) == "Succeeded",
            "Reconcile" | "Migrate" | "Restore" => true,
            _ => is_made(),
        };
        self.operation == PlanOperation::Restore || was_reconciled
    }

    /// The uid that distinguishes the object from others of the same name, before and after it; of an
    /// Infrastructure that has none, that of the Shoot. Empty where the request has neither.
    pub fn uid(&self) -> &'r str {
        self.text_of_object(&["metadata", "uid"], self.kind == SubjectKind::Infrastructure)
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

/// What a request has of the members that hold objects.
fn one_of_members() -> String {
    let members = SubjectKind::ALL.map(|kind| format!("`{}`", kind.member()));
    let members = enumerate(&members, "and");
    format!("the request must have exactly one of {members}, or the `cluster.shoot` whose Infrastructure is meant")
}

/// The subject in a request document.
pub(super) fn request<'r>(document: &'r Value<'r>) -> Result<PlanSubject<'r>, RequestError> {
    let request = document.get("request");
    PlanSubject::read(request.ok_or_else(|| malformed("the request document has no `request`"))?)
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

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    /// A subject, an object that stands for something in the cloud, and what is wanted of it. It has exactly one of
    /// `infrastructure`, `backupBucket`, `backupEntry`, `dnsRecord` and `bastion`; the Infrastructure may be absent where
    /// `cluster.shoot` is there.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PlanSubject {
        /// What is to become of the subject.
        operation: PlanOperation,
        /// The Infrastructure; absent where only a Shoot is known.
        infrastructure: Option<Map<String, Value>>,
        /// The BackupBucket of `extensions.gardener.cloud`.
        backup_bucket: Option<Map<String, Value>>,
        /// The BackupEntry of `extensions.gardener.cloud`.
        backup_entry: Option<Map<String, Value>>,
        /// The DNSRecord.
        dns_record: Option<Map<String, Value>>,
        /// The Bastion of `extensions.gardener.cloud`.
        bastion: Option<Map<String, Value>>,
        /// The network that a Bastion is in: `status.providerStatus` of the Infrastructure, which the Worker has as
        /// `spec.infrastructureProviderStatus`.
        infrastructure_status: Option<Map<String, Value>>,
        /// The objects of its cluster.
        cluster: Option<Cluster>,
        /// The extension's own configuration, `ControllerConfiguration`.
        configuration: Option<Map<String, Value>>,
    }

    /// The objects of a cluster.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Cluster {
        /// The CloudProfile of the Shoot.
        cloud_profile: Option<Map<String, Value>>,
        /// The Seed that the Shoot's control plane is on.
        seed: Option<Map<String, Value>>,
        /// The Shoot; absent where only an Infrastructure is known.
        shoot: Option<Map<String, Value>>,
    }

    /// What is to become of a subject.
    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum PlanOperation {
        /// The policy creates what the subject stands for, or updates it.
        Reconcile,
        /// The policy deletes it.
        Delete,
        /// As `reconcile`, after the control plane moved to another seed.
        Restore,
        /// The policy leaves it alone: another seed takes it over.
        Migrate,
    }
}
