//! DNS providers of a Shoot (OS-DNS).

use super::credentials::Data;
use crate::call::Known;
use crate::document::Path;
use crate::gardener::checks::kinds::{ALL, CredentialsKind, SECRET, unknown_kind};
use crate::gardener::checks::secrets::found;
use crate::gardener::types::binding::ObjectReference;
use crate::gardener::types::shoot::{DnsProvider, Shoot};
use crate::policy::{Request, RequestError};
use crate::provider::openstack::rules::dns as rules;
use crate::report::{ErrorType, Report, Rule};

const PROVIDERS: Path<'_> = Path::root("spec.dns.providers", "/spec/dns/providers");

/// Most primary DNS providers of a Shoot that are judged, each with a Secret. Gardener allows one.
const MAX_PRIMARY: usize = 16;

/// Judges each primary DNS provider that is Designate by its credentials.
pub fn validate(request: &Request<'_>, shoot: &Shoot<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers).enumerate();
    let is_judged = |provider: &DnsProvider<'_>| {
        provider.provider_type == Some("openstack-designate") && provider.primary == Some(true)
    };
    let judged = providers.filter(|(_, provider)| is_judged(provider));
    let count = judged.clone().count();
    if count > MAX_PRIMARY {
        let what = "primary DNS providers of the Shoot";
        return Err(RequestError::TooMany { what, count, unit: "entries", limit: MAX_PRIMARY });
    }
    for (index, provider) in judged {
        let path = PROVIDERS.index(index);
        let namespace = shoot.metadata.namespace;
        let place = path.key("credentialsRef");
        match (provider.credentials_ref, provider.secret_name.unwrap_or_default()) {
            (Some(reference), _) => {
                let reference = ObjectReference { namespace, ..reference };
                let Some(kind) = CredentialsKind::of(&reference, ALL) else {
                    report.error(&rules::DNS_003, &place, ErrorType::Internal, unknown_kind(&reference));
                    continue;
                };
                let rules = (&rules::DNS_002, &rules::DNS_003);
                credentials(request, kind, &reference, rules, &place, report)?;
            }
            (None, "") => {
                let detail = "credentialsRef must be specified for openstack-designate provider";
                report.error(&rules::DNS_001, &place, ErrorType::Required, detail);
            }
            (None, name) => {
                let reference = ObjectReference { namespace, name, ..ObjectReference::default() };
                let rules = (&rules::DNS_006, &rules::DNS_007);
                credentials(request, SECRET, &reference, rules, &path.key("secretName"), report)?;
            }
        }
    }
    Ok(())
}

/// Judges the object that a reference leads to. The rules are that the object exists, and that it can be read.
fn credentials(
    request: &Request<'_>,
    kind: CredentialsKind,
    reference: &ObjectReference<'_>,
    (exists, is_readable): (&'static Rule, &'static Rule),
    place: &Path<'_>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let ObjectReference { namespace, name, .. } = *reference;
    match request.object(kind.api_version, kind.kind, namespace, name) {
        Known::Found(secret) if kind == SECRET => {
            let (secret, values) = match found(secret, namespace, name) {
                // The Shoot is judged all the same.
                Err(RequestError::Malformed { message, .. }) => {
                    report.error(is_readable, place, ErrorType::Internal, message).remedy("Mend the Secret.");
                    return Ok(());
                }
                found => found?,
            };
            let (field, pointer) = (place.key("data").field(), place.pointer());
            let data = Data {
                secret: &secret,
                values: &values,
                field: &field,
                pointer: Some(&pointer),
                is_for_dns: true,
            };
            data.judge(report);
        }
        Known::Found(_) => {
            report.error(&rules::DNS_004, place, ErrorType::Invalid, "supported credentials type is Secret");
        }
        Known::Failed(_) if request.lacks(kind.api_version, kind.kind, namespace, name) => {
            report.error(exists, place, ErrorType::NotFound, "");
        }
        Known::Failed(message) => {
            let remedy = "Try again once the garden's API server answers.";
            report.error(is_readable, place, ErrorType::Internal, message).remedy(remedy);
        }
        Known::Unknown(query) => {
            let why =
                format!("{} {namespace}/{name} is not known here; its content is checked on submit", kind.kind);
            report.undecided(exists, why, Some(query));
        }
    }
    Ok(())
}
