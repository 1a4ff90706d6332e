//! What the rules of a Shoot look at.

use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::gardener::shoot::{Shoot, Worker};
use crate::provider::alicloud::api::{ControlPlaneConfig, InfrastructureConfig};

/// Where worker pools are.
pub const WORKERS: Path<'_> = Path::root("spec.provider.workers", "/spec/provider/workers");

/// A Shoot with the configurations that could be read.
pub struct Parts<'v> {
    /// The Shoot as JSON.
    pub object: &'v Value<'v>,
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// Its network.
    pub infrastructure: Option<InfrastructureConfig<'v>>,
    /// Its control plane's settings.
    pub control_plane: Option<ControlPlaneConfig<'v>>,
}

/// The old pool of each new one, by name.
pub fn with_old<'p, 'v>(
    new: &'p Parts<'v>,
    old: &'p Parts<'v>,
) -> impl Iterator<Item = (usize, &'p Worker<'v>, usize, &'p Worker<'v>)> {
    let mut by_name = NameMap::new();
    for (index, worker) in old.shoot.spec.provider.workers.iter().enumerate() {
        by_name.or_insert_with(worker.name, || (index, worker));
    }
    new.shoot.spec.provider.workers.iter().enumerate().filter_map(move |(index, worker)| {
        let (old_index, old) = by_name.get(worker.name)?;
        Some((index, worker, *old_index, *old))
    })
}
