//! What worker pools are.

use crate::document::Value;
use crate::provider::gardener::fields::text;

/// Whether a worker pool is updated in place: its machines stay.
pub fn is_in_place(worker: &Value<'_>) -> bool {
    matches!(text(worker, &["updateStrategy"]), "AutoInPlaceUpdate" | "ManualInPlaceUpdate")
}

/// The worker pool that runs the control plane, which only a self-hosted Shoot has.
pub fn control_plane<'v>(workers: &'v [Value<'v>]) -> Option<&'v Value<'v>> {
    workers.iter().find(|worker| worker.get("controlPlane").is_some())
}

/// Whether a Shoot with these worker pools runs its control plane on its own machines.
pub fn is_self_hosted(workers: &[Value<'_>]) -> bool {
    control_plane(workers).is_some()
}
