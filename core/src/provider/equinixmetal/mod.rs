//! Equinix Metal.
//!
//! The existing extension has no admission component. So no rule rejects: a rule warns of what the existing
//! extension fails on later, and `default` changes nothing. Every rule has the id that the fact sheet
//! `equinixmetal` gives it. The policy accepts a Seed without a rule, and refuses a BackupBucket as unsupported,
//! for the existing extension fills none.

pub mod api;
mod boot;
mod credentials;
pub mod rules;
mod validate;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use crate::gardener::addresses::{Ranges, describe};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{
    About, Addresses, Addressing, Defaulted, PARENT_READ, Policy, Provider, Reads, ReadsByKind, Request,
    RequestError, judged_kind, read, unsupported,
};
use crate::report::{Report, Rule};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "equinixmetal";

/// What `default` reads of the context, by kind of object.
const DEFAULT_READS: ReadsByKind = &[
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    ("NamespacedCloudProfile", PARENT_READ),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    ("Shoot", &[]),
];

/// The policy.
#[derive(Clone, Copy, Debug)]
pub struct EquinixMetal;

impl Provider for EquinixMetal {
    fn provider(&self) -> &'static str {
        TYPE
    }

    fn parity(&self) -> &'static str {
        "provider-equinix-metal v2.21.0-dev"
    }

    fn about(&self) -> About {
        About { provider: TYPE, parity: self.parity(), api_version: api::API_VERSION, kinds: api::KINDS }
    }

    /// The zones have no address ranges.
    fn lacks(&self) -> &'static [&'static str] {
        &["join", "merge", "rollout", "zones"]
    }
}

impl Policy for EquinixMetal {
    fn reads(&self) -> Reads {
        &[("default", DEFAULT_READS), ("validate", validate::READS)]
    }

    fn rules(&self) -> Vec<&'static Rule> {
        rules::SECTIONS.concat()
    }

    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
        match judged_kind(request.object).unwrap_or_default() {
            "Shoot" => validate::shoot(request, report),
            "CloudProfile" | "NamespacedCloudProfile" => validate::cloud_profile(request, report),
            "Secret" => validate::secret(request, report),
            "SecretBinding" | "CredentialsBinding" => validate::binding(request, report),
            _ => supported(request),
        }
    }

    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
        supported(request)?;
        Ok(Defaulted::unchanged(request.object))
    }

    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value> {
        crate::schema::by_kind([
            ("CloudProfileConfig", form.of::<api::CloudProfileConfig<'_>>()),
            ("ControlPlaneConfig", form.of::<api::ControlPlaneConfig<'_>>()),
            ("InfrastructureConfig", form.of::<api::InfrastructureConfig<'_>>()),
            ("WorkerConfig", form.of::<api::WorkerConfig<'_>>()),
        ])
    }
}

impl Addressing for EquinixMetal {
    fn reads(&self) -> Reads {
        &[("addresses", &[("Shoot", &[])])]
    }

    /// Shows the ranges of nodes, pods and services. Equinix Metal alone decides which addresses a server gets.
    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError> {
        if judged_kind(request.object) != Some("Shoot") {
            return Err(unsupported(request.object));
        }
        let shoot: Shoot<'_> = read(request.object)?;
        let mut ranges = Ranges::default();
        ranges.add_shoot(request.object, &shoot.spec.networking.unwrap_or_default());
        let spaces = describe(&ranges.spaces(None).each_ref(), &|_, _, _| None);
        Ok(Addresses { spaces, unreadable: ranges.unreadable, zones: None })
    }
}

fn supported(request: &Request<'_>) -> Result<(), RequestError> {
    let kind = judged_kind(request.object).unwrap_or_default();
    if validate::READS.iter().any(|(supported, _)| *supported == kind) {
        return Ok(());
    }
    Err(unsupported(request.object))
}
