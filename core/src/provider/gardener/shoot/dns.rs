//! The DNS of a Shoot (GDN-DNS).

use super::credentials::{self, Namespace};
use super::{Check, type_labels};
use crate::collections::NameSet;
use crate::document::{PatchOperation, Path, Value};
use crate::kube::names::subdomain_faults;
use crate::kube::semver::SemVer;
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::dns as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

#[cfg(test)]
mod tests;

const DNS: Path<'_> = Path::root("spec.dns", "/spec/dns");
/// The type of a provider for which Gardener writes no records.
const UNMANAGED: &str = "unmanaged";

/// Judges the DNS.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(dns) = check.shoot.at(&["spec", "dns"]) else { return };
    let path = DNS.key("domain");
    let domain = dns.get("domain").and_then(Value::as_str);
    for fault in domain.map(subdomain_faults).unwrap_or_default() {
        report.error(&rules::GDN_DNS_001, &path, ErrorType::Invalid, fault);
    }
    let providers = items(dns, &["providers"]);
    let primary = providers.iter().find(|provider| is_primary(provider));
    let of = primary.and_then(|primary| primary.get("type")).and_then(Value::as_str);
    if domain.is_none() && of.is_some_and(|of| of != UNMANAGED) {
        if check.gets_default_dns() {
            waits(&rules::GDN_DNS_002, report);
        } else {
            let detail = "domain must be set when primary provider type is not set to \"unmanaged\"";
            report.error(&rules::GDN_DNS_002, &path, ErrorType::Required, detail);
        }
    }
    let all = DNS.key("providers");
    let parts: Vec<_> = providers.iter().map(of_provider).collect();
    let mut seen = NameSet::new();
    let mut has_primary = false;
    for (index, (provider, parts)) in providers.iter().zip(&parts).enumerate() {
        let path = all.index(index);
        if let Some(of) = provider.get("type").and_then(Value::as_str).filter(|of| *of != UNMANAGED) {
            type_labels::judge(check, "dnsrecord", of, &path.key("type"), report);
        }
        secret(check, provider, &path, report);
        if parts.as_deref().is_some_and(|parts| !seen.insert(parts)) {
            let detail = "combination of .credentialsRef and .type must be unique across dns providers";
            report.error(&rules::GDN_DNS_008, &path, ErrorType::Invalid, detail).fix_removal_from(providers);
            continue;
        }
        if is_primary(provider) {
            if has_primary {
                let detail = "multiple primary DNS providers are not supported";
                report
                    .error(&rules::GDN_DNS_009, &path.key("primary"), ErrorType::Forbidden, detail)
                    .fix_removal();
                continue;
            }
            has_primary = true;
        }
        let reference = path.key("credentialsRef");
        match (provider.get("type").and_then(Value::as_str), provider.get("credentialsRef")) {
            (Some(UNMANAGED), Some(_)) => {
                let detail = "credentialsRef must not be set when type is \"unmanaged\"";
                report.error(&rules::GDN_DNS_010, &reference, ErrorType::Invalid, detail);
            }
            (None, Some(_)) => {
                let detail = "type must be set when credentialsRef is set";
                report.error(&rules::GDN_DNS_011, &path.key("type"), ErrorType::Required, detail);
            }
            (_, None) if !is_primary(provider) => {
                if primary.is_none() && check.makes_primary(index) {
                    waits(&rules::GDN_DNS_012, report);
                } else {
                    let detail = "non-primary DNS providers must specify `credentialsRef`";
                    report.error(&rules::GDN_DNS_012, &reference, ErrorType::Required, detail);
                }
            }
            _ => {}
        }
    }
}

/// Judges how a provider names its credentials.
fn secret(check: &Check<'_>, provider: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let is_new = is_at_least(check.version(), 35);
    let is_older = !is_new && SemVer::parse(check.version()).is_some() && !check.waits_for_version();
    let name = provider.get("secretName").and_then(Value::as_str);
    let reference = provider.get("credentialsRef");
    let place = path.key("secretName");
    if name.is_some() && is_new {
        let detail = "for Kubernetes versions >= 1.35, secretName field is no longer supported";
        let entry = report.error(&rules::GDN_DNS_003, &place, ErrorType::Forbidden, detail);
        match (reference, name) {
            (None, Some(name)) if entry.is_of_value() => {
                let members = [("apiVersion", "v1"), ("kind", "Secret"), ("name", name)];
                let reference = Value::object(members.map(|(key, text)| (key, Value::string(text.to_owned()))));
                entry.fix(vec![
                    PatchOperation::add(path.key("credentialsRef").pointer(), &reference),
                    PatchOperation::remove(place.pointer()),
                ]);
            }
            _ => entry.fix_removal(),
        }
    } else if name.is_some() && is_older && reference.is_none() {
        let detail = "must not be set when `credentialsRef` is not set";
        report.error(&rules::GDN_DNS_004, &place, ErrorType::Forbidden, detail);
    }
    let Some(reference) = reference else { return };
    credentials::judge(reference, Namespace::OfShoot, &path.key("credentialsRef"), report);
    let of = |key| text(reference, &[key]);
    let is_secret = of("apiVersion") == "v1" && of("kind") == "Secret";
    if is_secret && is_older && name != Some(of("name")) {
        let detail = "must refer to the same secret as `credentialsRef`";
        report.error(&rules::GDN_DNS_006, &place, ErrorType::Forbidden, detail);
    } else if !is_secret && name.is_some_and(|name| !name.is_empty()) {
        let detail = "must not be set when `credentialsRef` does not refer to secret resource";
        report.error(&rules::GDN_DNS_007, &place, ErrorType::Forbidden, detail).fix_removal();
    }
}

/// Type and credentials of a provider that has both.
fn of_provider(provider: &Value<'_>) -> Option<String> {
    let (of, reference) = (provider.get("type")?, provider.get("credentialsRef")?);
    let part = |key| text(reference, &[key]);
    Some(join(&[of.as_str().unwrap_or_default(), part("apiVersion"), part("kind"), part("name")], "\n"))
}

/// Whether Gardener writes the records of the Shoot's domain with a provider.
fn is_primary(provider: &Value<'_>) -> bool {
    flag(provider, &["primary"]) == Some(true)
}

/// Says that the API server completes the DNS before it judges.
fn waits(rule: &'static Rule, report: &mut Report<'_>) {
    let why =
        "Gardener may complete the DNS on submit, by the default domains of the landscape and by the stored Shoot";
    report.undecided(rule, why, None);
}

impl Check<'_> {
    /// Whether the API server gives a Shoot that a person sends a domain, by default domains that nobody knows
    /// here.
    fn gets_default_dns(&self) -> bool {
        self.request.is_sent() && !text(self.shoot, &["spec", "seedName"]).is_empty()
    }

    /// Whether the API server may make the provider the primary one, of a Shoot that a person sends without a
    /// primary one: the first one of a Shoot with a Seed, or one that is like the old primary one.
    fn makes_primary(&self, index: usize) -> bool {
        let olds = self.old.map(|old| items(old, &["spec", "dns", "providers"])).unwrap_or_default();
        self.request.is_sent()
            && (index == 0 && self.gets_default_dns() || olds.iter().any(|provider| is_primary(provider)))
    }
}
