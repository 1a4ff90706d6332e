//! Amazon Web Services.
//!
//! The rules are those of Gardener's existing extension. Every rule has the id that the fact sheet `aws` gives it.

pub mod api;
mod classify;
pub mod rules;
mod validate;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use crate::policy::{
    About, Addresses, Addressing, Defaulted, Policy, Provider, Reads, Request, RequestError, judged_kind,
    unsupported,
};
use crate::report::{Report, Rule};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "aws";

/// The policy.
#[derive(Clone, Copy, Debug)]
pub struct Aws;

impl Provider for Aws {
    fn provider(&self) -> &'static str {
        TYPE
    }

    fn parity(&self) -> &'static str {
        "provider-aws v1.74.0-dev"
    }

    fn about(&self) -> About {
        About { provider: TYPE, parity: self.parity(), api_version: api::API_VERSION, kinds: api::KINDS }
    }

    /// Trellis plans no infrastructure yet.
    fn lacks(&self) -> &'static [&'static str] {
        &["plan", "rollout", "status"]
    }
}

impl Policy for Aws {
    fn reads(&self) -> Reads {
        &[("validate", validate::READS)]
    }

    fn rules(&self) -> Vec<&'static Rule> {
        rules::SECTIONS.concat()
    }

    fn validate(&self, request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
        Err(unsupported(request.object))
    }

    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
        match judged_kind(request.object).unwrap_or_default() {
            "Secret" | "SecretBinding" | "CredentialsBinding" | "Seed" | "BackupBucket" => {
                Ok(Defaulted::unchanged(request.object))
            }
            _ => Err(unsupported(request.object)),
        }
    }

    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value> {
        crate::schema::by_kind([
            ("ControlPlaneConfig", form.of::<api::ControlPlaneConfig<'_>>()),
            ("InfrastructureConfig", form.of::<api::InfrastructureConfig<'_>>()),
            ("WorkerConfig", form.of::<api::WorkerConfig<'_>>()),
        ])
    }
}

impl Addressing for Aws {
    fn reads(&self) -> Reads {
        &[]
    }

    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError> {
        Err(unsupported(request.object))
    }
}
