//! Whether a control plane runs (`gardener-contract` 3.1, step 6).

use super::ControlPlane;
use crate::call::{FactAnswer, Query};
use crate::document::Value;
use crate::kube::query;
use crate::policy::RenderRequest;

/// What the hibernation of a Shoot means for its control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hibernation {
    /// The control plane runs.
    Awake,
    /// It runs as long as the kube-apiserver does: ask again later.
    FallingAsleep,
    /// It has no pods.
    Asleep,
    /// Nobody knows whether the kube-apiserver runs: the query that shows it.
    Unknown(Query),
    /// Nobody could find out: why.
    Failed(String),
}

/// Says what the hibernation of a Shoot means for its control plane.
pub fn hibernation(request: &RenderRequest<'_>, control_plane: &ControlPlane<'_>) -> Hibernation {
    let shoot = request.cluster.shoot;
    let is_enabled = matches!(shoot.at(&["spec", "hibernation", "enabled"]), Some(Value::Bool(true)));
    let is_deleted = shoot.at(&["metadata", "deletionTimestamp"]).is_some();
    let is_migrated = shoot.at(&["status", "lastOperation", "type"]).and_then(Value::as_str) == Some("Migrate");
    if !is_enabled || is_deleted || is_migrated {
        return Hibernation::Awake;
    }
    if control_plane.is_preview {
        return Hibernation::Asleep;
    }
    let query = query::object("apps/v1", "Deployment", control_plane.namespace, "kube-apiserver");
    match request.fact(&query) {
        None => Hibernation::Unknown(query),
        Some(FactAnswer::Error { http_status: 404, .. }) => Hibernation::Asleep,
        Some(FactAnswer::Error { message, .. }) => Hibernation::Failed(message.to_owned()),
        Some(FactAnswer::Response(deployment)) => match deployment.at(&["spec", "replicas"]) {
            Some(Value::Number(replicas)) if !replicas.starts_with('0') => Hibernation::FallingAsleep,
            _ => Hibernation::Asleep,
        },
    }
}
