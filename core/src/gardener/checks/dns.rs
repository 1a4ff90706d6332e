//! Rules on DNS providers of a Shoot.

use super::kinds::{ALL, CredentialsKind, SECRET, unknown_kind};
use super::secrets::found;
use crate::call::Known;
use crate::document::{Path, Value};
use crate::gardener::types::binding::ObjectReference;
use crate::gardener::types::secret::{Secret, Values};
use crate::gardener::types::shoot::{DnsProvider, Shoot};
use crate::policy::{Request, RequestError};
use crate::report::{ErrorType, Report, Rule};

const PROVIDERS: Path<'_> = Path::root("spec.dns.providers", "/spec/dns/providers");

/// Most primary DNS providers of a Shoot that are judged, each with its credentials. Gardener allows one.
const MAX_PRIMARY: usize = 16;

/// The rules on DNS providers of a cloud.
pub struct DnsRules {
    /// The type of a DNS provider that is the cloud's, such as `aws-route53`.
    pub provider_type: &'static str,
    /// A primary DNS provider has credentials; with the words where it has none.
    pub present: (&'static Rule, &'static str),
    /// The object with the credentials exists, and can be read.
    pub readable: [&'static Rule; 2],
    /// The same of a Secret in the older form `secretName`; none where the existing extension does not look at it.
    pub secret_name: Option<[&'static Rule; 2]>,
    /// The kinds of credentials that the cloud takes, with the words about another kind.
    pub supported: (&'static Rule, &'static [CredentialsKind], &'static str),
    /// Judges the credentials. Findings are printed at the given place.
    pub judge: fn(&Request<'_>, &Credentials<'_, '_>, &Path<'_>, &mut Report<'_>),
}

/// The credentials of a DNS provider.
pub enum Credentials<'c, 'r> {
    /// A Secret, with its values.
    Secret(&'c Secret<'r>, &'c Values<'r>),
    /// An object of another kind.
    Object(&'r Value<'r>),
}

/// Checks the credentials of each primary DNS provider that is the cloud's.
pub fn check_dns(
    request: &Request<'_>,
    shoot: &Shoot<'_>,
    rules: &DnsRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers).enumerate();
    let is_judged = |provider: &DnsProvider<'_>| {
        provider.provider_type == Some(rules.provider_type) && provider.primary == Some(true)
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
        let secret_name = provider.secret_name.filter(|name| !name.is_empty());
        match (provider.credentials_ref, rules.secret_name.zip(secret_name)) {
            (Some(reference), _) => {
                let reference = ObjectReference { namespace, ..reference };
                let Some(kind) = CredentialsKind::of(&reference, ALL) else {
                    let [_, is_readable] = rules.readable;
                    report.error(is_readable, &place, ErrorType::Internal, unknown_kind(&reference));
                    continue;
                };
                rules.check(request, kind, &reference, rules.readable, &place, report)?;
            }
            (None, Some((readable, name))) => {
                let reference = ObjectReference { namespace, name, ..ObjectReference::default() };
                rules.check(request, SECRET, &reference, readable, &path.key("secretName"), report)?;
            }
            (None, None) => {
                let (rule, detail) = rules.present;
                report.error(rule, &place, ErrorType::Required, detail);
            }
        }
    }
    Ok(())
}

impl DnsRules {
    /// Checks the object that a reference leads to.
    fn check(
        &self,
        request: &Request<'_>,
        kind: CredentialsKind,
        reference: &ObjectReference<'_>,
        [exists, is_readable]: [&'static Rule; 2],
        place: &Path<'_>,
        report: &mut Report<'_>,
    ) -> Result<(), RequestError> {
        let ObjectReference { namespace, name, .. } = *reference;
        let (unsupported, kinds, words) = self.supported;
        match request.object(kind.api_version, kind.kind, namespace, name) {
            Known::Found(_) if !kinds.contains(&kind) => {
                report.error(unsupported, place, ErrorType::Invalid, words);
            }
            Known::Found(secret) if kind == SECRET => match found(secret, namespace, name) {
                // The Shoot is judged all the same.
                Err(RequestError::Malformed { message, .. }) => {
                    report.error(is_readable, place, ErrorType::Internal, message).remedy("Fix the Secret.");
                }
                found => {
                    let (secret, values) = found?;
                    (self.judge)(request, &Credentials::Secret(&secret, &values), place, report);
                }
            },
            Known::Found(object) => (self.judge)(request, &Credentials::Object(object), place, report),
            Known::Failed(_) if request.lacks(kind.api_version, kind.kind, namespace, name) => {
                report.error(exists, place, ErrorType::NotFound, "");
            }
            Known::Failed(message) => {
                let remedy = "Try again once the garden's API server answers.";
                report.error(is_readable, place, ErrorType::Internal, message).remedy(remedy);
            }
            Known::Unknown(query) => {
                let why = format!(
                    "{} {namespace}/{name} is not known here; its content is checked on submit",
                    kind.kind
                );
                report.undecided(exists, why, Some(query));
            }
        }
        Ok(())
    }
}
