//! A provider of ten rules, with all that is its own.

mod api;
mod default;
mod rules;
mod validate;

use trellis_core::policy::{
    About, Addresses, Addressing, CallError, Classification, Defaulted, Infrastructure, Outcome, Policy, Provider,
    Reads, Request, RequestError, judged_kind, unsupported,
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
        &["zones", "plan", "status"]
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
    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError> {
        Ok(Classification { outcome: Outcome::Retry, codes: Vec::new(), message: error.message.to_owned() })
    }
}
