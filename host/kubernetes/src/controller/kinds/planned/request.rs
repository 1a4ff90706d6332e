//! What a policy is asked for an object.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::kind::{Kind, Operation};
use trellis_runner::document::SUBJECTS;

struct Request<'r> {
    operation: &'static str,
    /// The member that has the object.
    member: &'static str,
    object: &'r Value,
    cluster: BTreeMap<&'static str, &'r RawValue>,
    configuration: Option<&'r RawValue>,
    infrastructure_status: Option<&'r Value>,
}

impl Serialize for Request<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("operation", self.operation)?;
        members.serialize_entry(self.member, self.object)?;
        if !self.cluster.is_empty() {
            members.serialize_entry("cluster", &self.cluster)?;
        }
        if let Some(configuration) = self.configuration {
            members.serialize_entry("configuration", configuration)?;
        }
        if let Some(status) = self.infrastructure_status {
            members.serialize_entry("infrastructureStatus", status)?;
        }
        members.end()
    }
}

/// The request of `plan` and `status` for the object of a task.
pub(super) fn of(
    task: Task<'_>,
    kind: &Kind,
    configuration: Option<&RawValue>,
    infrastructure_status: Option<&Value>,
) -> Result<Box<RawValue>, serde_json::Error> {
    let operation = match task.operation {
        Operation::Create | Operation::Reconcile => "reconcile",
        Operation::Delete => "delete",
        Operation::Restore => "restore",
        Operation::Migrate => "migrate",
    };
    let member = SUBJECTS.iter().find(|(name, _)| *name == kind.name).map_or("", |(_, member)| member);
    let cluster = task.cluster.into_iter().flat_map(Cluster::parts).collect();
    to_raw_value(&Request {
        operation,
        member,
        object: task.object,
        cluster,
        configuration,
        infrastructure_status,
    })
}
