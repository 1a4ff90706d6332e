//! Places in a Shoot that several defaults read.

use crate::document::Value;
use crate::provider::gardener::fields::items;

/// The pointer to the list of worker pools.
pub const WORKERS: &str = "/spec/provider/workers";

/// The annotation with the operations that a person asks for.
pub const OPERATION: &[&str] = &["metadata", "annotations", "gardener.cloud/operation"];

/// Whether operators reach the nodes by SSH.
pub const SSH: &[&str] = &["spec", "provider", "workersSettings", "sshAccess", "enabled"];

/// The worker pools of a Shoot.
pub fn pools<'v, 'a>(shoot: &'v Value<'a>) -> &'v [Value<'a>] {
    items(shoot, &["spec", "provider", "workers"])
}
