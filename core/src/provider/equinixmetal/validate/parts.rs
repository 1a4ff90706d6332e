//! What the rules of a Shoot look at.

use crate::collections::NameSet;
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;
use crate::provider::equinixmetal::api::WorkerConfig;

/// A Shoot with the configurations of its pools.
pub struct Parts<'v> {
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// The configuration of each pool; `None` where it cannot be read.
    pub configs: Vec<Option<WorkerConfig<'v>>>,
}

impl<'v> Parts<'v> {
    /// The worker pools with their configurations.
    pub fn pools(&self) -> impl Iterator<Item = (&Worker<'v>, Option<&WorkerConfig<'v>>)> {
        self.shoot.spec.provider.workers.iter().zip(self.configs.iter().map(Option::as_ref))
    }
}

/// Names of the images that the pools ask for.
pub fn image_names<'v>(workers: &[Worker<'v>]) -> NameSet<'v> {
    workers.iter().filter_map(|worker| Some(worker.machine.image?.name)).collect()
}
