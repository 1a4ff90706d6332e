//! What a module answers that changes the objects that webhooks see.

mod mutate;
mod mutated;

use super::part::{call, names};
use super::{About, Function, Part, RequestError};
use crate::functions;
#[cfg(feature = "schema")]
use crate::schema::{answer, request};

pub use mutate::{MutateRequest, Mutation};
pub use mutated::Mutated;

/// The functions.
pub const MUTATING: &[Function<Mutating>] = functions! {
    "mutate": "Changes an object that a webhook sees, or asks for what has to be known before.", mutate::mutate,
        Some(request::<mutate::shape::MutateRequest>) => answer::<Mutation>;
};

/// What a policy changes in the objects that webhooks see.
pub struct Mutating {
    /// What the policy is.
    pub about: About,
    /// Lists the names of the webhooks, as the fact sheet of the provider has them.
    pub webhooks: fn() -> Vec<&'static str>,
    /// Changes an object, or asks for what has to be known before.
    pub mutate: fn(&MutateRequest<'_>) -> Result<Mutation, RequestError>,
}

impl Part for Mutating {
    fn about(&self) -> About {
        self.about
    }

    fn names(&self) -> Vec<&'static str> {
        names(MUTATING, |_| true)
    }

    fn webhooks(&self) -> Vec<&'static str> {
        (self.webhooks)()
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(MUTATING, self, function, request)
    }
}
