//! DNS providers of a Shoot (AZ-SHOOT-020…026).

use crate::document::Path;
use crate::gardener::checks::dns::{Credentials, DnsRules};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::policy::Request;
use crate::provider::azure::rules::shoot as rules;
use crate::report::Report;

/// Azure DNS is the DNS of Azure.
pub const DNS: DnsRules = DnsRules {
    provider_type: "azure-dns",
    present: (&rules::SHOOT_021, "must be set"),
    readable: [&rules::SHOOT_022, &rules::SHOOT_023],
    secret_name: None,
    supported: (
        &rules::SHOOT_026,
        &[SECRET, WORKLOAD_IDENTITY],
        "supported credentials types are Secret and WorkloadIdentity",
    ),
    judge,
};

fn judge(_: &Request<'_>, _: &Credentials<'_, '_>, _: &Path<'_>, _: &mut Report<'_>) {}
