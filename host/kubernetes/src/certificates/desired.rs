//! The certificates that are wanted: those of a control plane are in a policy's answer to `render`.

use std::net::IpAddr;

use jiff::SignedDuration;
use serde_json::Value;

use super::name::{BUNDLE_FOR, IDENTITY, NAME, PERSIST};

/// The suffix of a bundle's name, after that of its authority.
pub const BUNDLE: &str = "-bundle";

/// The certificates of a manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesiredCertificates {
    /// Which manager keeps them: the label `manager-identity`. Empty where there are none.
    pub identity: String,
    /// Authorities.
    pub authorities: Vec<Authority>,
    /// Certificates of servers.
    pub servers: Vec<Server>,
}

/// A certificate authority. Its bundle belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// Its name.
    pub name: String,
    /// Whether gardenlet takes it along when the control plane moves to another seed.
    pub persist: bool,
    /// When it is made again.
    pub renewal: Renewal,
}

/// When an authority is made again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Renewal {
    /// Where the Shoot's authorities are rotated. It is valid for ten years, and the old one signs until the
    /// rotation completes.
    #[default]
    WithShoot,
    /// By its age, as the certificates of servers. The new one signs at once.
    ByAge {
        /// How long it is valid.
        validity: SignedDuration,
        /// How long the bundle has the old one next to the new one.
        overlap: SignedDuration,
    },
}

impl Renewal {
    /// How long the authority is valid; none for ten years.
    pub(super) fn validity(self) -> Option<SignedDuration> {
        match self {
            Self::WithShoot => None,
            Self::ByAge { validity, .. } => Some(validity),
        }
    }
}

/// The certificate of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Whom it names.
    pub common_name: String,
    /// The names of the server.
    pub dns_names: Vec<String>,
    /// Its addresses.
    pub addresses: Vec<IpAddr>,
    /// The authority that signs it.
    pub authority: String,
    /// Whether the certificate of the authority is next to that of the server.
    pub has_authority: bool,
    /// Whether gardenlet takes it along.
    pub persist: bool,
}

/// Why the answer of a policy cannot be carried out: a mistake of the policy.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificatesError {
    /// A Secret lacks what it must have.
    #[error("the policy's Secret `{secret}` has no {what}")]
    Missing {
        /// Its name.
        secret: String,
        /// What is missing.
        what: &'static str,
    },
    /// Secrets of several managers.
    #[error("the policy's Secrets have several managers: `{0}` and `{1}`")]
    Identities(String, String),
    /// A certificate or a bundle names an authority that is not there.
    #[error("the policy's Secret `{secret}` names the authority `{authority}`, which is none of its Secrets")]
    Authority {
        /// The certificate or the bundle.
        secret: String,
        /// The authority.
        authority: String,
    },
    /// A bundle has another name than Gardener gives it.
    #[error("the policy's bundle of `{authority}` must have the name `{authority}{BUNDLE}`, not `{bundle}`")]
    BundleName {
        /// The authority.
        authority: String,
        /// The bundle.
        bundle: String,
    },
}

impl DesiredCertificates {
    /// Reads the member `secrets` of an answer to `render`. Secrets that no secrets manager keeps are not read.
    pub fn read(secrets: &[Value]) -> Result<Self, CertificatesError> {
        let mut wanted = Self::default();
        let mut bundles = Vec::new();
        for secret in secrets {
            let Some(identity) = text(secret, &["labels", IDENTITY]) else { continue };
            if wanted.identity.is_empty() {
                wanted.identity = identity;
            } else if wanted.identity != identity {
                return Err(CertificatesError::Identities(wanted.identity, identity));
            }
            let missing = |what| {
                let secret = text(secret, &["name"]).unwrap_or_default();
                move || CertificatesError::Missing { secret, what }
            };
            let name = text(secret, &["labels", NAME]).ok_or_else(missing("label `name`"))?;
            let persist = text(secret, &["labels", PERSIST]).is_some_and(|value| value == "true");
            let has = |key: &str| keys(secret).any(|found| found == key);
            if let Some(authority) = text(secret, &["labels", BUNDLE_FOR]) {
                bundles.push((name, authority));
            } else if let Some(certificate) = secret.get("certificate") {
                let member = |key| text(certificate, &[key]);
                let names = certificate.get("dnsNames").and_then(Value::as_array).into_iter().flatten();
                wanted.servers.push(Server {
                    common_name: member("commonName").ok_or_else(missing("`certificate.commonName`"))?,
                    dns_names: names.filter_map(Value::as_str).map(str::to_owned).collect(),
                    addresses: Vec::new(),
                    authority: member("authority").ok_or_else(missing("`certificate.authority`"))?,
                    has_authority: has("ca.crt"),
                    name,
                    persist,
                });
            } else if has("ca.crt") && has("ca.key") {
                wanted.authorities.push(Authority { name, persist, renewal: Renewal::WithShoot });
            } else {
                return Err(missing("certificate")());
            }
        }
        wanted.check(bundles)
    }

    fn check(self, bundles: Vec<(String, String)>) -> Result<Self, CertificatesError> {
        let is_known = |authority: &str| self.authorities.iter().any(|known| known.name == authority);
        for (secret, authority) in self.servers.iter().map(|server| (&server.name, &server.authority)) {
            if !is_known(authority) {
                return Err(CertificatesError::Authority { secret: secret.clone(), authority: authority.clone() });
            }
        }
        for (bundle, authority) in bundles {
            if !is_known(&authority) {
                return Err(CertificatesError::Authority { secret: bundle, authority });
            }
            if bundle != format!("{authority}{BUNDLE}") {
                return Err(CertificatesError::BundleName { authority, bundle });
            }
        }
        Ok(self)
    }
}

fn text(value: &Value, path: &[&str]) -> Option<String> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_str().map(str::to_owned)
}

fn keys(secret: &Value) -> impl Iterator<Item = &str> {
    secret.get("dataKeys").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
