//! Microsoft Azure.
//!
//! The rules are those of Gardener's existing extension. Every rule has the id that the fact sheet `azure` gives
//! it.

mod addresses;
pub mod api;
mod classify;
mod credentials;
mod default;
mod image_mapping;
mod resource_id;
pub mod rules;
mod subnets;
mod validate;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use crate::policy::{
    About, AddedZones, Addresses, Addressing, CallError, Classification, Defaulted, Infrastructure, NewZone,
    Policy, Provider, Reads, Request, RequestError, judged_kind, unsupported,
};
use crate::report::{Report, Rule};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "azure";

/// The policy.
#[derive(Clone, Copy, Debug)]
pub struct Azure;

impl Provider for Azure {
    fn provider(&self) -> &'static str {
        TYPE
    }

    fn parity(&self) -> &'static str {
        "provider-azure v1.63.0-dev"
    }

    fn about(&self) -> About {
        About { provider: TYPE, parity: self.parity(), api_version: api::API_VERSION, kinds: api::KINDS }
    }

    /// Trellis plans no infrastructure yet.
    fn lacks(&self) -> &'static [&'static str] {
        &["join", "merge", "plan", "rollout", "status"]
    }
}

impl Policy for Azure {
    fn reads(&self) -> Reads {
        &[("default", default::READS), ("validate", validate::READS)]
    }

    fn rules(&self) -> Vec<&'static Rule> {
        rules::SECTIONS.concat()
    }

    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
        match judged_kind(request.object).unwrap_or_default() {
            "Shoot" => validate::shoot(request, report),
            "CloudProfile" => validate::cloud_profile(request, report),
            "NamespacedCloudProfile" => validate::namespaced_cloud_profile(request, report),
            "Secret" => validate::secret(request, report),
            "SecretBinding" | "CredentialsBinding" => validate::binding(request, report),
            "WorkloadIdentity" => {
                validate::workload_identity(request, report);
                Ok(())
            }
            "Seed" => validate::seed(request, report),
            "BackupBucket" => validate::backup_bucket(request, report),
            _ => Err(unsupported(request.object)),
        }
    }

    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
        match judged_kind(request.object).unwrap_or_default() {
            "Shoot" => default::shoot(request),
            "CloudProfile" => default::cloud_profile(request),
            "NamespacedCloudProfile" => default::namespaced_cloud_profile(request),
            "Secret" | "SecretBinding" | "CredentialsBinding" | "WorkloadIdentity" | "Seed" | "BackupBucket" => {
                Ok(Defaulted::unchanged(request.object))
            }
            _ => Err(unsupported(request.object)),
        }
    }

    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value> {
        crate::schema::by_kind([
            ("BackupBucketConfig", form.of::<api::BackupBucketConfig<'_>>()),
            ("CloudProfileConfig", form.of::<api::CloudProfileConfig<'_>>()),
            ("ControlPlaneConfig", form.of::<api::ControlPlaneConfig<'_>>()),
            ("InfrastructureConfig", form.of::<api::InfrastructureConfig<'_>>()),
            ("WorkerConfig", form.of::<api::WorkerConfig<'_>>()),
            ("WorkloadIdentityConfig", form.of::<api::WorkloadIdentityConfig<'_>>()),
        ])
    }
}

impl Addressing for Azure {
    fn reads(&self) -> Reads {
        &[("addresses", addresses::READS), ("zones", addresses::READS)]
    }

    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError> {
        match judged_kind(request.object) {
            Some("Shoot") => addresses::addresses(request),
            _ => Err(unsupported(request.object)),
        }
    }

    fn zones(&self, request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
        match judged_kind(request.object) {
            Some("Shoot") => addresses::zones(request, add),
            _ => Err(unsupported(request.object)),
        }
    }
}

impl Infrastructure for Azure {
    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError> {
        Ok(classify::classify(error))
    }
}
