//! What the API server fills in where a person wrote nothing (DEF, MUT), and what it rewrites before it judges
//! (PREP).

mod architecture;
mod autoscalers;
mod components;
mod fill;
mod image;
mod metadata;
mod network;
mod operations;
mod places;
mod pool;
mod prepare;
mod profile_capabilities;
mod profile_versions;
mod profiles;
mod shoot;
mod submission;
mod submit;
mod tasks;
mod version;

pub use metadata::settled;
pub use profile_capabilities::sync;
pub use profile_versions::{drop_outdated, dropped};
pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::{shoot, stored};

use crate::document::patch;
use crate::policy::{Defaulted, Request};

/// What `default` reads of the context for a profile.
pub const READS_OF_PROFILE: &[&str] = &["/gardenerVersion", "/request"];

/// Whether a Shoot has at `pointer` just what `default` puts there where nobody wrote anything.
pub fn is_filled_in(request: &Request<'_>, pointer: &str) -> bool {
    let mut object = request.object.clone();
    patch::remove(&mut object, pointer);
    let filled = shoot(&request.about(&object), Defaulted::unchanged(&object));
    filled.is_ok_and(|filled| filled.object.pointer(pointer) == request.object.pointer(pointer))
}
