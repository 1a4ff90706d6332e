//! A Shoot as policies read it: the provider's parts and their places, worker pools before and after a change, and
//! the defaults of the network that clouds share.

mod cloud_profile;
mod families;
mod node_local_dns;
mod overlay;
mod part;
mod parts;
mod pools;

use crate::document::{Path, Value};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{RequestError, read, read_old};
use crate::report::Report;

pub use cloud_profile::{blame_profile, cloud_profile, cloud_profile_reference, named_profile};
pub use families::Families;
pub use node_local_dns::default_node_local_dns;
pub use overlay::{
    OverlayRules, default_overlay, disabled, has_same_spec, is_enabled, is_left_alone, is_moving, set_setting,
};
pub use part::ShootPart;
pub use parts::{PartRules, Parts};
pub use pools::{PoolChange, nodes, nodes_by_zone, old_pools, pool, pool_changes, pool_config};

/// Pointer of `infrastructureConfig`.
pub const INFRASTRUCTURE_POINTER: &str = "/spec/provider/infrastructureConfig";
/// The provider's configuration of the infrastructure.
pub const INFRASTRUCTURE: Path<'_> = Path::root("spec.provider.infrastructureConfig", INFRASTRUCTURE_POINTER);
/// The same, for a cloud whose existing extension prints places inside of it relative to it.
pub const IN_INFRASTRUCTURE: Path<'_> = Path::root("", INFRASTRUCTURE_POINTER);
/// Pointer of `controlPlaneConfig`.
pub const CONTROL_PLANE_POINTER: &str = "/spec/provider/controlPlaneConfig";
/// The provider's configuration of the control plane.
pub const CONTROL_PLANE: Path<'_> = Path::root("spec.provider.controlPlaneConfig", CONTROL_PLANE_POINTER);
/// Worker pools.
pub const WORKERS: Path<'_> = Path::root("spec.provider.workers", "/spec/provider/workers");
/// Address ranges and network plug-in.
pub const NETWORKING: Path<'_> = Path::root("spec.networking", "/spec/networking");

/// A Shoot, as JSON and decoded.
#[derive(Debug)]
pub struct Manifest<'v> {
    /// As JSON, for the parts that no type declares.
    pub object: &'v Value<'v>,
    /// Decoded.
    pub shoot: Shoot<'v>,
}

impl<'v> Manifest<'v> {
    /// Reads the object of a request.
    pub fn read(object: &'v Value<'v>) -> Result<Self, RequestError> {
        Ok(Self { object, shoot: read(object)? })
    }

    /// Whether the Shoot has workers. A Shoot without workers has nothing on a cloud, and the report says that no
    /// rule judges it.
    pub fn has_workers(&self, report: &mut Report<'_>) -> bool {
        let has_workers = !self.shoot.spec.provider.workers.is_empty();
        if !has_workers {
            report.leaves_out("a Shoot without workers");
        }
        has_workers
    }

    /// Reads the old object of a request.
    pub fn read_old(object: &'v Value<'v>) -> Result<Self, RequestError> {
        Ok(Self { object, shoot: read_old(object)? })
    }
}

/// The provider's configuration of a Shoot's infrastructure, as JSON.
pub fn infrastructure_config<'v>(shoot: &'v Value<'v>) -> Option<&'v Value<'v>> {
    shoot.at(&["spec", "provider", "infrastructureConfig"])
}

/// The provider's configuration of a Shoot's control plane, as JSON.
pub fn control_plane_config<'v>(shoot: &'v Value<'v>) -> Option<&'v Value<'v>> {
    shoot.at(&["spec", "provider", "controlPlaneConfig"])
}
