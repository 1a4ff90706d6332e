//! What every provider's control plane has: the frame of its rendering, ManagedResources, access Secrets, images,
//! hibernation.

mod access;
mod control_plane;
mod deployed;
mod draft;
mod hibernation;
mod image_vector;
mod managed_resource;
mod settings;

pub use access::{CertificateAuthority, shoot_access};
pub use control_plane::{ControlPlane, generic_kubeconfig, pod_network};
pub use deployed::Mounted;
pub use draft::{ControlPlaneDraft, ControlPlaneParts, ControlPlanes, render};
pub use hibernation::{Hibernation, hibernation};
pub use image_vector::{ImageSource, ImageVector, ImageVectorError};
pub use managed_resource::{Delivery, Destination, managed_resource};
pub use settings::{corrections, feature_gates};
