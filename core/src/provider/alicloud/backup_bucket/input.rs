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
        let place = Path::root("spec.providerConfig", "/spec/providerConfig");
        let mut immutability = None;
        // What is deleted needs no retention.
        if let Some(config) = request.config().filter(|_| request.operation != PlanOperation::Delete) {
            match BackupBucketConfig::read(config, Mode::Strict) {
                Ok(config) => {
                    judge_retention(&config, &place, &mut report);
                    immutability = config.immutability;
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
            origin: Origin::recorded(recorded),
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
        "Reconcile" | "Restore" | "Migrate" => true,
        "Delete" if text("state") == "Succeeded" => false,
        "Create" if text("state") == "Succeeded" => true,
        _ => generation > 0 && !has_error,
    }
}

impl Origin {
    fn recorded(state: &State) -> Self {
        match recorded_value(state, ORIGIN) {
            Some("created") => Self::Created,
            Some("taken") => Self::Taken,
            Some("found") => Self::Found,
            _ if is_pending(state, ID) => Self::Created,
            _ => Self::Unknown,
        }
    }

    /// As the state has it.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::Unknown => None,
            Self::Created => Some("created"),
            Self::Taken => Some("taken"),
            Self::Found => Some("found"),
        }
    }
}
