//! Alibaba Cloud.
//!
//! The rules are those of Gardener's existing extension. Every rule has the id that the fact sheet
//! `alicloud-policy` gives it.

mod addresses;
pub mod api;
#[cfg(feature = "schema")]
mod claims;
mod classify;
mod credentials;
mod default;
mod error_codes;
mod image_mapping;
mod infrastructure;
mod mutation;
mod queries;
mod rendering;
pub mod rules;
mod validate;
mod vswitches;
mod worker;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use crate::gardener::{mutation as webhooks, rendering as control_planes, worker as machines};
use crate::policy::{
    About, AddedZones, Addresses, Addressing, CallError, Calls, Classification, Defaulted, Infrastructure,
    InfrastructureStatus, MutateRequest, Mutates, Mutation, NewZone, PlanRequest, Planning, Policy, Provider,
    Reads, RenderRequest, Rendering, Renders, Request, RequestError, Rollout, StatusRequest, WorkersRequest,
    judged_kind, unsupported,
};
use crate::report::{Report, Rule};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "alicloud";

/// The policy.
#[derive(Clone, Copy, Debug)]
pub struct Alicloud;

impl Provider for Alicloud {
    fn provider(&self) -> &'static str {
        TYPE
    }

    fn parity(&self) -> &'static str {
        "provider-alicloud v1.72.0-dev"
    }

    fn about(&self) -> About {
        About { provider: TYPE, parity: self.parity(), api_version: api::API_VERSION, kinds: api::KINDS }
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["join", "merge"]
    }

    #[cfg(feature = "schema")]
    fn claims(&self) -> crate::policy::claims::Claims {
        claims::CLAIMS
    }
}

impl Policy for Alicloud {
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
            "Secret" | "SecretBinding" | "CredentialsBinding" | "Seed" | "BackupBucket" => {
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
        ])
    }
}

impl Addressing for Alicloud {
    fn reads(&self) -> Reads {
        &[("addresses", addresses::READS), ("rollout", worker::ROLLOUT_READS), ("zones", addresses::ZONES_READS)]
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

    fn rollout(&self, request: &Request<'_>) -> Result<Rollout, RequestError> {
        worker::rollout(request)
    }
}

impl Infrastructure for Alicloud {
    fn calls(&self) -> Calls {
        infrastructure::actions::CALLS
    }

    fn calls_of_others(&self) -> &'static [(&'static str, Calls)] {
        infrastructure::actions::OTHERS
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Planning, RequestError> {
        infrastructure::plan::plan(request)
    }

    fn status(&self, request: &StatusRequest<'_>) -> Result<InfrastructureStatus, RequestError> {
        infrastructure::status::status(request)
    }

    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError> {
        Ok(classify::classify(error))
    }
}

impl Renders for Alicloud {
    fn render(&self, request: &RenderRequest<'_>) -> Result<Rendering, RequestError> {
        control_planes::render(request, &rendering::CONTROL_PLANES)
    }

    fn workers(&self, request: &WorkersRequest<'_>) -> Result<String, RequestError> {
        machines::workers(request, &worker::WORKER_POOLS)
    }
}

impl Mutates for Alicloud {
    fn webhooks(&self) -> Vec<&'static str> {
        webhooks::names(mutation::WEBHOOKS)
    }

    fn mutate(&self, request: &MutateRequest<'_>) -> Result<Mutation, RequestError> {
        webhooks::mutate(request, mutation::WEBHOOKS)
    }
}
