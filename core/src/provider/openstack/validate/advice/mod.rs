//! Advice that never rejects (OS-ADV).

mod cloud_profile;
mod control_plane;
mod network;
pub mod secret;
mod workers;

pub use cloud_profile::{cloud_profile, names_of_images};

use super::parts::Parts;
use crate::provider::openstack::api::{FloatingPool, WorkerConfig};
use crate::report::Report;

/// Looks at a Shoot whose worker pools have `configs`, with its floating pool where Trellis knows that.
pub fn shoot(
    new: &Parts<'_>,
    configs: &[Option<WorkerConfig<'_>>],
    old: Option<&Parts<'_>>,
    pool: Option<&FloatingPool<'_>>,
    report: &mut Report<'_>,
) {
    network::network(new, old.is_none(), report);
    control_plane::control_plane(new, pool, report);
    workers::workers(configs, report);
    if let Some(old) = old {
        workers::rolling(configs, &new.manifest, &old.manifest, report);
    }
}
