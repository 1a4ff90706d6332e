//! What a module answers that renders objects and makes machines.

mod render;
mod workers;

use super::part::{call, names};
use super::{About, Function, Part, RequestError};
use crate::functions;
#[cfg(feature = "schema")]
use crate::schema::{answer, request};

pub use render::{
    KeptSecret, ManagedResource, ManagedResourceSpec, ManifestSecret, ObjectName, Reference, RenderAnswer,
    RenderRequest, Restart, SecretRef, ServerCertificate,
};
pub use workers::{
    AtOnce, CountOrPercent, InPlaceUpdate, MachineConfiguration, MachineDeployment, PoolHash, UpdateStrategy,
    Workers, WorkersRequest,
};

/// The functions.
pub const RENDERING: &[Function<Rendering>] = functions! {
    "render": "Renders the Kubernetes objects of a control plane, or asks for what has to be known before.",
        render::render, Some(request::<render::shape::RenderRequest>) => answer::<RenderAnswer>;
    "workers": "Makes the machines of worker pools, or asks for what has to be known before.", workers::workers,
        Some(request::<workers::shape::WorkersRequest>) => answer::<Workers<'_>>;
};

/// What a policy makes of control planes and of worker pools.
pub struct Rendering {
    /// What the policy is.
    pub about: About,
    /// Renders the objects of a control plane, or asks for what has to be known before.
    pub render: fn(&RenderRequest<'_>) -> Result<RenderAnswer, RequestError>,
    /// Makes the machines of worker pools, or asks for what has to be known before. The answer is the text of
    /// [`Workers`], which borrows from what a preview makes.
    pub workers: fn(&WorkersRequest<'_>) -> Result<String, RequestError>,
}

impl Part for Rendering {
    fn about(&self) -> About {
        self.about
    }

    fn names(&self) -> Vec<&'static str> {
        names(RENDERING, |_| true)
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(RENDERING, self, function, request)
    }
}
