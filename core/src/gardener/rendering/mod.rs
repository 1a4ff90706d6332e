//! What every provider's control plane has: ManagedResources, access Secrets, images, hibernation, and the ControlPlane that
//! gardenlet creates from a Shoot.

mod access;
mod control_plane;
mod hibernation;
mod image_vector;
mod managed_resource;
mod preview;

pub use access::{ca_secrets, server_certificate, shoot_access};
pub use control_plane::{ControlPlane, generic_kubeconfig, pod_network};
pub use hibernation::{Hibernation, hibernation};
pub use image_vector::{ImageSource, ImageVector, ImageVectorError};
pub use managed_resource::{Delivery, Destination, managed_resource};
pub use preview::Preview;
