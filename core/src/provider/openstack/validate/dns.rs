//! DNS providers of a Shoot (OS-DNS).

use super::credentials::Data;
use crate::document::Path;
use crate::gardener::checks::dns::{Credentials, DnsRules};
use crate::gardener::checks::kinds::SECRET;
use crate::policy::Request;
use crate::provider::openstack::rules::dns as rules;
use crate::report::Report;

/// Designate is OpenStack's DNS.
pub const DNS: DnsRules = DnsRules {
    provider_type: "openstack-designate",
    present: (&rules::DNS_001, "credentialsRef must be specified for openstack-designate provider"),
    readable: [&rules::DNS_002, &rules::DNS_003],
    secret_name: Some([&rules::DNS_006, &rules::DNS_007]),
    supported: (&rules::DNS_004, &[SECRET], "supported credentials type is Secret"),
    judge,
};

fn judge(_: &Request<'_>, credentials: &Credentials<'_, '_>, place: &Path<'_>, report: &mut Report<'_>) {
    if let Credentials::Secret(secret, values) = credentials {
        let (field, pointer) = (place.key("data").field(), place.pointer());
        Data { secret, values, field: &field, pointer: Some(&pointer), is_for_dns: true }.judge(report);
    }
}
