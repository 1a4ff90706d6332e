//! DNS providers of a Shoot (AWS-SHOOT-014…018).

use super::workload_identity;
use crate::document::Path;
use crate::gardener::checks::credentials_fault::refusal;
use crate::gardener::checks::dns::{Credentials, DnsRules};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::policy::Request;
use crate::provider::aws::credentials;
use crate::provider::aws::rules::shoot as rules;
use crate::report::{ErrorType, Report};

/// Amazon Route 53 is the DNS of AWS.
pub const DNS: DnsRules = DnsRules {
    provider_type: "aws-route53",
    present: (&rules::SHOOT_015, "must be set"),
    readable: [&rules::SHOOT_016, &rules::SHOOT_016],
    secret_name: None,
    supported: (
        &rules::SHOOT_018,
        &[SECRET, WORKLOAD_IDENTITY],
        "supported credentials types are Secret and WorkloadIdentity",
    ),
    judge,
};

fn judge(_: &Request<'_>, credentials: &Credentials<'_, '_>, place: &Path<'_>, report: &mut Report<'_>) {
    let refusal = match credentials {
        Credentials::Secret(secret, values) => {
            let name = format!("{}/{}", secret.metadata.namespace, secret.metadata.name);
            refusal(&credentials::faults(values, &name))
        }
        Credentials::Object(identity) => workload_identity::refusal(identity),
    };
    if let Some(refusal) = refusal {
        report.error(&rules::SHOOT_017, place, ErrorType::Invalid, refusal);
    }
}
