//! What a request wants of a BackupBucket. The form of the object is checked before the first call.

use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::planning::errors::Errors;
use crate::gardener::provider_config::Config as _;
use crate::plan::{is_pending, recorded_value};
use crate::policy::{PlanOperation, PlanSubject, State};
use crate::provider::alicloud::api::{BackupBucketConfig, Immutability};
use crate::provider::alicloud::oss::{Bucket, name_fault, region_fault};
use crate::provider::alicloud::rules::backup;
use crate::provider::alicloud::rules::backup_bucket_plan as rules;
use crate::provider::alicloud::validate::judge_retention;
use crate::report::{ErrorType, Report};

/// Id of the bucket in the plan.
pub const ID: &str = "bucket";
/// Id of its retention in the plan.
pub const RETENTION_ID: &str = "bucket/retention";

/// Key of the state that has the name of the bucket.
pub const BUCKET: &str = "Bucket";
/// Key of the state that says how the bucket came to be the one of the object.
pub const ORIGIN: &str = "Origin";
/// Key of the state that has the id of the retention.
pub const WORM: &str = "Worm";
/// Key of the state while a run creates the bucket.
pub const PENDING: &str = "Pending/bucket";
/// Key of the state while a run begins a retention.
pub const RETENTION_PENDING: &str = "Pending/bucket/retention";
/// Key of the state while a run deletes the bucket.
pub const DELETING: &str = "Deleting/bucket";
/// Key of the state that has the name of the bucket that was deleted last.
pub const LAST: &str = "Last/bucket";

/// What the state of a request has as the origin where a person says that the bucket is ours.
const ADOPTED: &str = "adopted";

/// Most days of a retention, as OSS takes it.
const MOST_DAYS: i64 = 25_550;

/// How a bucket came to be the one of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Nobody knows yet.
    #[default]
    Unknown,
    /// A run created it.
    Created,
    /// The existing extension created it, or a person says that it is ours.
    Taken,
    /// It was there before.
    Found,
    /// A run began to create it, and nobody has read yet what came of that.
    Begun,
    /// A person says that it is ours, and nobody has read yet whether it is of the account and the region.
    Adopted,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Input<'r> {
    /// The request.
    pub request: PlanSubject<'r>,
    /// The bucket.
    pub bucket: Bucket<'r>,
    /// The retention that the configuration asks for.
    pub immutability: Option<Immutability<'r>>,
    /// How the bucket came to be the one of the object, as the state has it.
    pub origin: Origin,
    /// Whether the status shows that somebody has reconciled the bucket before.
    pub was_reconciled: bool,
}

impl<'r> Input<'r> {
    /// Reads a request.
    pub fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        let object = request.document();
        let name = object.text_at(&["metadata", "name"]);
        let mut report = Report::new(object);
        let faults = [
            ("metadata.name", "/metadata/name", name_fault(name)),
            ("spec.region", "/spec/region", region_fault(request.region())),
        ];
        for (field, pointer, fault) in faults {
            if let Some(fault) = fault {
                report.error(&rules::BKT_001, &Path::root(field, pointer), ErrorType::Invalid, fault);
            }
        }
        if let Some(other) = recorded_value(recorded, BUCKET).filter(|other| *other != name) {
            let detail = format!("the state is of bucket {other}, and the name of a bucket is immutable");
            let place = Path::root("metadata.name", "/metadata/name");
            report.error(&rules::BKT_012, &place, ErrorType::Invalid, detail);
        }
        let place = Path::root("spec.providerConfig", "/spec/providerConfig");
        let mut immutability = None;
        // What is deleted needs no retention.
        if let Some(config) = request.config().filter(|_| request.operation != PlanOperation::Delete) {
            match BackupBucketConfig::read(config, Mode::Strict) {
                Ok(config) => {
                    judge_retention(&config, &place, &mut report);
                    immutability = config.immutability;
                    if immutability.is_some_and(|wanted| wanted.retention_period > MOST_DAYS) {
                        let place = place.key("immutability");
                        let detail = format!("must be at most {MOST_DAYS} days");
                        report.error(&rules::BKT_001, &place.key("retentionPeriod"), ErrorType::Invalid, detail);
                    }
                }
                Err(error) => {
                    let detail = format!("failed to decode provider config: {error}");
                    report.error(&backup::BUCKET_002, &place, ErrorType::Invalid, detail);
                }
            }
        }
        let (findings, _) = report.into_parts();
        if !findings.is_empty() {
            return Err(Errors::unreadable(findings));
        }
        Ok(Self {
            request: *request,
            bucket: Bucket { region: request.region(), name, unreadable: &rules::BKT_002 },
            immutability,
            origin: Origin::recorded(recorded, name),
            was_reconciled: was_reconciled(object),
        })
    }

    /// Whether the bucket is to be deleted.
    pub fn is_deletion(&self) -> bool {
        self.request.operation == PlanOperation::Delete
    }
}

/// Whether the status shows that the bucket was reconciled: its last reconciliation succeeded, or was not the first one.
/// The beginning of a deletion has replaced the last operation, and left the rest.
fn was_reconciled(object: &Value<'_>) -> bool {
    let text = |key| object.text_at(&["status", "lastOperation", key]);
    let has_error = !matches!(object.at(&["status", "lastError"]), None | Some(Value::Null));
    let generation = match object.at(&["status", "observedGeneration"]) {
        Some(Value::Number(number)) => number.parse().unwrap_or(0_i64),
        _ => 0,
    };
    match text("type") {
        "Reconcile" => true,
        "Create" | "Restore" | "Migrate" if text("state") == "Succeeded" => true,
        "Restore" | "Migrate" => false,
        "Delete" if text("state") == "Succeeded" => false,
        _ => generation > 0 && !has_error,
    }
}

/// Removes the name of the bucket from a state that says no more of it: the name alone shows that a run wanted to create
/// the bucket, and OSS refused.
pub fn forget_unproven(state: &mut State) {
    if recorded_value(state, ORIGIN).is_none() && !is_pending(state, ID) {
        state.remove(BUCKET);
    }
}

/// Writes to a state that a person says that the bucket is ours, unless a run has found that out already.
pub fn adopt(state: &mut State, name: &str) {
    if !matches!(Origin::recorded(state, name), Origin::Created | Origin::Taken) {
        state.insert(ORIGIN, ADOPTED.to_owned());
    }
}

impl Origin {
    /// The origin of the bucket of a name. Only a record with that name makes a bucket ours.
    fn recorded(state: &State, name: &str) -> Self {
        let is_named = recorded_value(state, BUCKET) == Some(name);
        match recorded_value(state, ORIGIN) {
            Some("created") if is_named => Self::Created,
            Some("taken") if is_named => Self::Taken,
            Some("found") => Self::Found,
            Some(ADOPTED) => Self::Adopted,
            None if is_named && is_pending(state, ID) => Self::Begun,
            _ => Self::Unknown,
        }
    }

    /// As the state has it, once the bucket was read.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::Unknown | Self::Begun | Self::Adopted => None,
            Self::Created => Some("created"),
            Self::Taken => Some("taken"),
            Self::Found => Some("found"),
        }
    }
}
