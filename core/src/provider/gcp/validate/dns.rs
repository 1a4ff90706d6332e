//! DNS providers of a Shoot (GCP-SHOOT-030…035).

use super::workload_identity;
use crate::document::Path;
use crate::gardener::checks::credentials_fault::refusal;
use crate::gardener::checks::dns::{Credentials, DnsRules};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::policy::Request;
use crate::provider::gcp::credentials::faults;
use crate::provider::gcp::rules::shoot as rules;
use crate::report::{ErrorType, Report};

/// Cloud DNS is the DNS of GCP.
pub const DNS: DnsRules = DnsRules {
    provider_type: "google-clouddns",
    present: (&rules::SHOOT_030, "must be set"),
    readable: [&rules::SHOOT_031, &rules::SHOOT_032],
    secret_name: None,
    supported: (
        &rules::SHOOT_035,
        &[SECRET, WORKLOAD_IDENTITY],
        "supported credentials types are Secret and WorkloadIdentity",
    ),
    judge,
};

fn judge(request: &Request<'_>, credentials: &Credentials<'_, '_>, place: &Path<'_>, report: &mut Report<'_>) {
    let (rule, refusal) = match credentials {
        Credentials::Secret(secret, values) => {
            let name = format!("{}/{}", secret.metadata.namespace, secret.metadata.name);
            (&rules::SHOOT_034, refusal(&faults(values, &name)))
        }
        Credentials::Object(identity) => {
            (&rules::SHOOT_033, workload_identity::refusal(request, identity, report))
        }
    };
    if let Some(refusal) = refusal {
        report.error(rule, place, ErrorType::Invalid, refusal);
    }
}
