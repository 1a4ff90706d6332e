//! Worker pools of a Shoot, before and after a change.

use super::Manifest;
use crate::collections::{NameMap, NameSet};
use crate::document::Value;
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;

/// A worker pool as JSON.
pub fn pool<'v>(shoot: &'v Value<'v>, index: usize) -> Option<&'v Value<'v>> {
    shoot.at(&["spec", "provider", "workers"])?.items().get(index)
}

/// The part of a worker pool that is the provider's own, as JSON.
pub fn pool_config<'v>(shoot: &'v Value<'v>, index: usize) -> Option<&'v Value<'v>> {
    pool(shoot, index)?.get("providerConfig")
}

/// A worker pool that a Shoot has before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct PoolChange<'p, 'v> {
    /// Index of the pool in the new Shoot.
    pub index: usize,
    /// The pool.
    pub new: &'p Worker<'v>,
    /// The pool before the change.
    pub old: &'p Worker<'v>,
    /// The new and the old Shoot, and the index of the pool in the old one.
    shoots: [&'v Value<'v>; 2],
    old_index: usize,
}

impl<'v> PoolChange<'_, 'v> {
    /// The provider's parts, as JSON: the new one and the old one.
    pub fn configs(&self) -> [Option<&'v Value<'v>>; 2] {
        let [new, old] = self.shoots;
        [pool_config(new, self.index), pool_config(old, self.old_index)]
    }
}

/// The pools of an old Shoot by name, each with its index. Of several pools with one name the first counts.
pub fn old_pools<'p, 'v>(old: &'p Shoot<'v>) -> NameMap<'v, (usize, &'p Worker<'v>)> {
    let mut by_name = NameMap::new();
    for (index, worker) in old.spec.provider.workers.iter().enumerate() {
        by_name.or_insert_with(worker.name, || (index, worker));
    }
    by_name
}

/// The pools that both Shoots have, in the order of the new one. A pool is known by its name.
pub fn pool_changes<'p, 'v>(
    new: &'p Manifest<'v>,
    old: &'p Manifest<'v>,
) -> impl Iterator<Item = PoolChange<'p, 'v>> {
    let (by_name, shoots) = (old_pools(&old.shoot), [new.object, old.object]);
    new.shoot.spec.provider.workers.iter().enumerate().filter_map(move |(index, new)| {
        let (old_index, old) = *by_name.get(new.name)?;
        Some(PoolChange { index, new, old, shoots, old_index })
    })
}

/// The most nodes that all pools together have.
pub fn nodes(workers: &[Worker<'_>]) -> u64 {
    workers.iter().map(|worker| u64::try_from(worker.maximum).unwrap_or_default()).sum()
}

/// The most nodes that all pools together have in each zone. Pools spread their nodes evenly over their zones.
pub fn nodes_by_zone<'v>(workers: &[Worker<'v>]) -> NameMap<'v, u64> {
    let mut nodes: NameMap<'v, u64> = NameMap::new();
    for worker in workers {
        let maximum = u64::try_from(worker.maximum).unwrap_or_default();
        let zones: NameSet<'v> = worker.zones.iter().copied().collect();
        for zone in zones.iter() {
            *nodes.or_insert_with(zone, || 0) += maximum.div_ceil(zones.len() as u64);
        }
    }
    nodes
}
