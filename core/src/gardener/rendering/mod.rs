//! What every provider's control plane has: ManagedResources, access Secrets, images, hibernation.

mod access;
mod control_plane;
mod hibernation;
mod image_vector;
mod managed_resource;

pub use access::{ca_secrets, server_certificate, shoot_access};
pub use control_plane::{ControlPlane, generic_kubeconfig, pod_network};
pub use hibernation::{Hibernation, hibernation};
pub use image_vector::{ImageSource, ImageVector, ImageVectorError};
pub use managed_resource::{Delivery, Destination, managed_resource};
