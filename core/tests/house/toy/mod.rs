//! A provider of few rules, with all that is its own.

mod api;
mod default;
mod infrastructure;
mod mutation;
mod rendering;
mod rules;
mod validate;
mod worker;

use trellis_core::gardener::infrastructure::planning;
use trellis_core::gardener::{mutation as webhooks, rendering as control_planes, worker as machines};
use trellis_core::policy::{
    About, Addresses, Addressing, CallError, Calls, Classification, Defaulted, Infrastructure, MutateRequest,
    Mutates, Mutation, PlanRequest, Planning, Policy, Provider, Reads, RenderRequest, Rendering, Renders, Request,
    RequestError, WorkersRequest, judged_kind, unsupported,
};
use trellis_core::report::{Report, Rule};

pub use api::API_VERSION;

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "toy";

/// The policy.
#[derive(Clone, Copy, Debug)]
pub struct Toy;

impl Provider for Toy {
    fn provider(&self) -> &'static str {
        TYPE
    }

    fn parity(&self) -> &'static str {
        "none"
    }

    fn about(&self) -> About {
        About { provider: TYPE, parity: self.parity(), api_version: API_VERSION, kinds: api::KINDS }
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["zones", "status"]
    }
}

impl Policy for Toy {
    fn reads(&self) -> Reads {
        &[]
    }

    fn rules(&self) -> Vec<&'static Rule> {
        rules::ALL.to_vec()
    }

    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
        match judged_kind(request.object) {
            Some("Shoot") => validate::shoot(request, report),
            _ => Err(unsupported(request.object)),
        }
    }

    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
        match judged_kind(request.object) {
            Some("Shoot") => default::shoot(request),
            _ => Err(unsupported(request.object)),
        }
    }

    #[cfg(feature = "schema")]
    fn schemas(&self, _form: trellis_core::schema::Form) -> std::collections::BTreeMap<String, serde_json::Value> {
        std::collections::BTreeMap::new()
    }
}

impl Addressing for Toy {
    fn reads(&self) -> Reads {
        &[]
    }

    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError> {
        Err(unsupported(request.object))
    }
}

impl Infrastructure for Toy {
    fn calls(&self) -> Calls {
        &["toys:Break", "toys:List", "toys:Make", "toys:WhoAmI"]
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Planning, RequestError> {
        planning::plan::<infrastructure::Input<'_>>(request, request.state.clone().unwrap_or_default())
    }

    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError> {
        Ok(infrastructure::classify(error))
    }
}

impl Renders for Toy {
    fn render(&self, request: &RenderRequest<'_>) -> Result<Rendering, RequestError> {
        control_planes::render(request, &rendering::CONTROL_PLANES)
    }

    fn workers(&self, request: &WorkersRequest<'_>) -> Result<String, RequestError> {
        machines::workers(request, &worker::WORKER_POOLS)
    }
}

impl Mutates for Toy {
    fn webhooks(&self) -> Vec<&'static str> {
        webhooks::names(mutation::WEBHOOKS)
    }

    fn mutate(&self, request: &MutateRequest<'_>) -> Result<Mutation, RequestError> {
        webhooks::mutate(request, mutation::WEBHOOKS)
    }
}
