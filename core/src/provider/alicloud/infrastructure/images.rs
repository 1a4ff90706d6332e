//! The machine images of a Shoot's worker pools (`alicloud-policy` 5.2 and 5.3, `alicloud-cloud` 2.8).

use crate::policy::{InfrastructureRequest, Refusal, State};

/// Images of all worker pools, each once.
#[derive(Debug, Default)]
pub struct WantedImages {
    /// Those that there are, or can be made, in the order of the worker pools.
    pub images: Vec<WantedImage>,
    /// Worker pools that no image is known for.
    pub missing: Vec<MissingImage>,
}

/// An image that a worker pool needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedImage {
    /// Logical name.
    pub name: String,
    /// Logical version.
    pub version: String,
    /// Id of the image as the CloudProfile names it; empty where only its encrypted copy is known.
    pub source: String,
    /// Whether the worker pool needs an encrypted copy.
    pub encrypted: bool,
    /// Id of the encrypted copy, where it is known: recorded, or in the status of the Infrastructure.
    pub copy: Option<String>,
    /// Whether the image has to be shared with the Shoot's account, where that does not see it. A known copy needs no
    /// sharing.
    pub share: bool,
}

/// A worker pool that no image is known for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingImage {
    /// Index of the worker pool in the Shoot.
    pub worker: usize,
    /// What is missing, as the existing extension words it.
    pub detail: String,
}

impl WantedImage {
    /// Key of the state that holds the id of the encrypted copy.
    pub fn key(&self) -> String {
        String::new()
    }

    /// Name of the stack of ROS that makes the encrypted copy.
    pub fn stack(&self, region: &str) -> String {
        let _ = region;
        String::new()
    }

    /// Name of the encrypted copy.
    pub fn destination(&self, region: &str) -> String {
        let _ = region;
        String::new()
    }
}

/// The images that the worker pools of a request's Shoot need; none where it has no Shoot.
pub fn wanted(request: &InfrastructureRequest<'_>, state: &State) -> Result<WantedImages, Refusal> {
    let _ = (request, state);
    Ok(WantedImages::default())
}
