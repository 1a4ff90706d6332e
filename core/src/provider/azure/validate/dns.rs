//! DNS providers of a Shoot (AZ-SHOOT-020…026).

use super::workload_identity;
use crate::document::Path;
use crate::gardener::checks::credentials_fault::refusal;
use crate::gardener::checks::dns::{Credentials, DnsRules};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::policy::Request;
use crate::provider::azure::credentials::{dns_keys, faults};
use crate::provider::azure::rules::shoot as rules;
use crate::report::{ErrorType, Report};

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

fn judge(_: &Request<'_>, credentials: &Credentials<'_, '_>, place: &Path<'_>, report: &mut Report<'_>) {
    let (rule, refusal) = match credentials {
        Credentials::Secret(_, values) => (&rules::SHOOT_025, refusal(&faults(values, None, dns_keys(values)))),
        Credentials::Object(identity) => (&rules::SHOOT_024, workload_identity::refusal(identity)),
    };
    if let Some(refusal) = refusal {
        report.error(rule, place, ErrorType::Invalid, refusal);
    }
}
