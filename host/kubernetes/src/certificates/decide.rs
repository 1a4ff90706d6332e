//! What is to be done next, from the Secrets that exist.
//!
//! A step is one Secret that has to be made, or all is there. Nothing else is remembered between steps: after a
//! crash, the Secrets that were made are among those that exist, and their names are the same, so that nothing is
//! made twice.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::desired::{Authority, BUNDLE, DesiredCertificates, Renewal, Server};
use super::existing::{Data, ExistingSecret};
use super::hash::{self, ServerConfiguration, Signer};
use super::name::{ISSUED, Identity, Labels, NAME, RENEW_AFTER, ROTATED, VALID_UNTIL};
use super::pem::{CertificateError, Parsed};
use super::rotation::Rotation;

/// After which share of its time a certificate is renewed, in percent.
const RENEWED_AFTER: i64 = 80;
/// How long before its end a certificate is renewed at the latest.
const RENEWED_BEFORE: SignedDuration = SignedDuration::from_hours(10 * 24);

/// The key of an authority's certificate in the data of a Secret.
pub const CA_CRT: &str = "ca.crt";
pub(super) const CA_KEY: &str = "ca.key";
/// The key of a server's certificate.
pub const TLS_CRT: &str = "tls.crt";
/// The key of a server's private key.
pub const TLS_KEY: &str = "tls.key";
/// The key of the certificates in a bundle.
pub const BUNDLE_CRT: &str = "bundle.crt";

/// What is to be done next.
#[derive(Debug)]
pub enum Step {
    /// A Secret is missing.
    Make(Box<Blank>),
    /// All Secrets are there.
    Settled(Settled),
}

/// A Secret that has to be made.
#[derive(Clone, Debug)]
pub struct Blank {
    /// Its name.
    pub object: String,
    /// The name of its configuration.
    pub configuration: String,
    /// Its labels, without those that state its lifetime.
    pub labels: Labels,
    /// What is in it.
    pub content: Content,
}

/// What is in a Secret.
#[derive(Clone, Debug)]
pub enum Content {
    /// An authority, whose common name is the name of its Secret, so that no two have the same.
    Authority {
        /// How long it is valid; none for ten years.
        validity: Option<SignedDuration>,
    },
    /// The certificate of a server.
    Server {
        /// What it says.
        server: Server,
        /// The data of the authority that signs.
        signer: Data,
    },
    /// A bundle.
    Bundle(Data),
}

impl Content {
    /// The key of the certificate in the data; none in a bundle.
    pub(super) fn certificate(&self) -> Option<&'static str> {
        match self {
            Self::Authority { .. } => Some(CA_CRT),
            Self::Server { .. } => Some(TLS_CRT),
            Self::Bundle(_) => None,
        }
    }
}

/// All Secrets are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// The names of the Secrets to use, by the names of authorities, bundles and servers.
    pub current: BTreeMap<String, String>,
    /// Digests of their data, as annotations of pods have them, by the names of authorities and servers.
    pub checksums: BTreeMap<String, String>,
    /// Secrets that get other labels.
    pub relabel: BTreeMap<String, Labels>,
    /// The names of the Secrets that stay: those, and authorities that are rotated away.
    pub stay: BTreeSet<String>,
}

/// Why nothing can be decided. No message has data of a Secret.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// A server's authority is not wanted.
    #[error("`{server}` names the authority `{authority}`, which there is not")]
    Authority {
        /// The server.
        server: String,
        /// The authority.
        authority: String,
    },
    /// A label cannot be read.
    #[error("the label `{label}` of the Secret `{secret}` is no number")]
    Label {
        /// The Secret.
        secret: String,
        /// The label.
        label: &'static str,
    },
    /// A Secret lacks data.
    #[error("the Secret `{secret}` has no `{key}`")]
    Data {
        /// The Secret.
        secret: String,
        /// The key.
        key: &'static str,
    },
    /// A certificate cannot be read.
    #[error("`{key}` of the Secret `{secret}`: {error}")]
    Certificate {
        /// The Secret.
        secret: String,
        /// The key.
        key: &'static str,
        /// Why.
        error: CertificateError,
    },
}

/// Says what is to be done next. `held` are the Secrets of the manager.
pub fn decide(
    held: &[ExistingSecret],
    wanted: &DesiredCertificates,
    rotation: Rotation,
    now: Timestamp,
) -> Result<Step, DecideError> {
    let mut deciding = Deciding { held, wanted, rotation, now, settled: Settled::default() };
    let mut signers = BTreeMap::new();
    for authority in &wanted.authorities {
        match deciding.authority(authority)? {
            Found::Missing(blank) => return Ok(Step::Make(blank)),
            Found::Here(signer) => signers.insert(authority.name.as_str(), signer),
        };
    }
    for server in &wanted.servers {
        let signer = signers.get(server.authority.as_str()).ok_or_else(|| DecideError::Authority {
            server: server.name.clone(),
            authority: server.authority.clone(),
        })?;
        if let Found::Missing(blank) = deciding.server(server, signer)? {
            return Ok(Step::Make(blank));
        }
    }
    Ok(Step::Settled(deciding.settled))
}

enum Found<'h> {
    Here(&'h ExistingSecret),
    Missing(Box<Blank>),
}

struct Deciding<'d> {
    held: &'d [ExistingSecret],
    wanted: &'d DesiredCertificates,
    rotation: Rotation,
    now: Timestamp,
    settled: Settled,
}

impl<'d> Deciding<'d> {
    /// Decides about an authority and its bundle. Returns who signs certificates of servers. With a Shoot's
    /// rotation it is the old authority while there is one, because clients know it longer than the new one.
    fn authority(&mut self, authority: &Authority) -> Result<Found<'d>, DecideError> {
        let name = authority.name.as_str();
        let newest = self.newest(name, None)?;
        let rotated = match (authority.renewal, self.rotation.began) {
            (Renewal::WithShoot, Some(began)) => began.as_second().to_string(),
            (Renewal::WithShoot, None) => newest.map_or("", |newest| newest.label(ROTATED)).to_owned(),
            (Renewal::ByAge { .. }, _) => self.rotated_by_age(newest)?,
        };
        let validity = authority.renewal.validity();
        let identity = self.identity(name, hash::authority(name, validity), &rotated, authority.persist);
        let (current, old) = match self.find(&identity, || Content::Authority { validity }) {
            Found::Missing(blank) => return Ok(Found::Missing(blank)),
            Found::Here(current) if self.knows_no_old(authority.renewal, current)? => (current, None),
            Found::Here(current) => (current, self.newest(name, Some(&current.name))?),
        };
        self.settle(name, current, &identity, Some(CA_CRT))?;
        self.settled.stay.extend(old.map(|old| old.name.clone()));
        match self.bundle(name, current, old)? {
            Found::Missing(blank) => Ok(Found::Missing(blank)),
            Found::Here(_) => Ok(Found::Here(match authority.renewal {
                Renewal::WithShoot => old.unwrap_or(current),
                Renewal::ByAge { .. } => current,
            })),
        }
    }

    /// Whether clients need no old authority next to the current one any more.
    fn knows_no_old(&self, renewal: Renewal, current: &ExistingSecret) -> Result<bool, DecideError> {
        match renewal {
            Renewal::WithShoot => Ok(self.rotation.is_completing),
            Renewal::ByAge { overlap, .. } => {
                let issued = number(current, ISSUED)?;
                Ok(issued.is_some_and(|issued| self.now.as_second() >= issued.saturating_add(overlap.as_secs())))
            }
        }
    }

    fn bundle(
        &mut self,
        authority: &str,
        current: &'d ExistingSecret,
        old: Option<&'d ExistingSecret>,
    ) -> Result<Found<'d>, DecideError> {
        let mut parts = vec![value(current, CA_CRT)?];
        if let Some(old) = old
            && number(old, VALID_UNTIL)?.is_none_or(|until| self.now.as_second() < until)
        {
            parts.push(value(old, CA_CRT)?);
        }
        let name = format!("{authority}{BUNDLE}");
        let configuration = hash::bundle(&name, parts.iter().copied());
        let rotated = self.newest(&name, None)?.map_or("", |newest| newest.label(ROTATED));
        let identity =
            Identity { bundle_for: Some(authority), ..self.identity(&name, configuration, rotated, false) };
        let content = || Content::Bundle(Data::default().with(BUNDLE_CRT, parts.concat()));
        let found = self.find(&identity, content);
        if let Found::Here(bundle) = found {
            self.settle(&name, bundle, &identity, None)?;
        }
        Ok(found)
    }

    fn server(&mut self, server: &Server, signer: &'d ExistingSecret) -> Result<Found<'d>, DecideError> {
        let rotated = self.rotated_by_age(self.newest(&server.name, None)?)?;
        let certificate_pem = value(signer, CA_CRT)?;
        let in_signer = |error| DecideError::Certificate { secret: signer.name.clone(), key: CA_CRT, error };
        let certificate = Parsed::read(certificate_pem).map_err(in_signer)?;
        let key_pem = value(signer, CA_KEY)?;
        let signed_by = Signer { name: &server.authority, certificate: &certificate, certificate_pem, key_pem };
        let configuration = ServerConfiguration {
            name: &server.name,
            common_name: &server.common_name,
            dns_names: &server.dns_names,
            addresses: &server.addresses,
            has_authority: server.has_authority,
        };
        let configuration = hash::server(&configuration, &signed_by).map_err(in_signer)?;
        let digest = signer.data.digest().to_string();
        let identity = Identity {
            signer: Some(&digest),
            ..self.identity(&server.name, configuration, &rotated, server.persist)
        };
        let content = || Content::Server { server: server.clone(), signer: signer.data.clone() };
        let found = self.find(&identity, content);
        if let Found::Here(current) = found {
            self.settle(&server.name, current, &identity, Some(TLS_CRT))?;
        }
        Ok(found)
    }

    fn identity<'i>(&self, name: &'i str, configuration: u64, rotated: &'i str, persist: bool) -> Identity<'i>
    where
        'd: 'i,
    {
        let manager = self.wanted.identity.as_str();
        Identity { manager, name, configuration, signer: None, rotated, persist, bundle_for: None }
    }

    fn find(&self, identity: &Identity<'_>, content: impl FnOnce() -> Content) -> Found<'d> {
        let object = identity.object();
        match self.held.iter().find(|held| held.name == object) {
            Some(held) => Found::Here(held),
            None => Found::Missing(Box::new(Blank {
                object,
                configuration: identity.name.to_owned(),
                labels: identity.labels(),
                content: content(),
            })),
        }
    }

    /// The newest Secret of a configuration, but for the one of a name. Of those that were created in the same
    /// second, it is the one of the later rotation.
    fn newest(&self, name: &str, but: Option<&str>) -> Result<Option<&'d ExistingSecret>, DecideError> {
        let mut newest: Option<((Timestamp, i64), &ExistingSecret)> = None;
        for held in self.held.iter().filter(|held| held.label(NAME) == name && Some(held.name.as_str()) != but) {
            let at = (held.created, number(held, ROTATED)?.unwrap_or_default());
            if newest.is_none_or(|(newest, _)| newest < at) {
                newest = Some((at, held));
            }
        }
        Ok(newest.map(|(_, held)| held))
    }

    /// The second of the rotation of what is renewed by its age: that of the newest Secret, or now where its end
    /// is near.
    fn rotated_by_age(&self, newest: Option<&ExistingSecret>) -> Result<String, DecideError> {
        Ok(match newest {
            Some(newest) if self.must_be_renewed(newest)? => self.now.as_second().to_string(),
            Some(newest) => newest.label(ROTATED).to_owned(),
            None => String::new(),
        })
    }

    /// Whether a certificate has to be made again because its end is near.
    fn must_be_renewed(&self, held: &ExistingSecret) -> Result<bool, DecideError> {
        let (Some(issued), Some(until)) = (number(held, ISSUED)?, number(held, VALID_UNTIL)?) else {
            return Ok(false);
        };
        let after = number(held, RENEW_AFTER)?.unwrap_or(RENEWED_AFTER);
        let share = until.saturating_sub(issued).saturating_mul(after) / 100;
        let at = |second| Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
        let latest = at(until).checked_sub(RENEWED_BEFORE).unwrap_or(Timestamp::MIN);
        Ok(self.now > at(issued.saturating_add(share)) || self.now > latest)
    }

    fn settle(
        &mut self,
        name: &str,
        held: &ExistingSecret,
        identity: &Identity<'_>,
        certificate: Option<&'static str>,
    ) -> Result<(), DecideError> {
        let mut labels = identity.labels();
        let issued = Some(held.label(ISSUED)).filter(|issued| !issued.is_empty());
        match certificate {
            Some(key) => {
                labels.extend(lifetime(&held.data, key, &held.name)?);
                self.settled.checksums.insert(name.to_owned(), held.data.checksum().to_string());
            }
            None => _ = labels.insert(ISSUED.to_owned(), issued.map_or_else(|| seconds(self.now), str::to_owned)),
        }
        if labels != held.labels || !held.is_immutable {
            self.settled.relabel.insert(held.name.clone(), labels);
        }
        self.settled.current.insert(name.to_owned(), held.name.clone());
        self.settled.stay.insert(held.name.clone());
        Ok(())
    }
}

/// The labels that state the lifetime of the certificate in a Secret.
pub(super) fn lifetime(data: &Data, key: &'static str, secret: &str) -> Result<Labels, DecideError> {
    let missing = || DecideError::Data { secret: secret.to_owned(), key };
    let certificate = Parsed::read(data.get(key).ok_or_else(missing)?)
        .map_err(|error| DecideError::Certificate { secret: secret.to_owned(), key, error })?;
    let (from, until) = certificate.lifetime();
    Ok([(ISSUED, from), (VALID_UNTIL, until)].map(|(key, second)| (key.to_owned(), second.to_string())).into())
}

/// A time as labels have it.
pub(super) fn seconds(time: Timestamp) -> String {
    time.as_second().to_string()
}

fn value<'h>(held: &'h ExistingSecret, key: &'static str) -> Result<&'h [u8], DecideError> {
    held.data.get(key).ok_or_else(|| DecideError::Data { secret: held.name.clone(), key })
}

/// The number in a label; none where it is empty or not there.
fn number(held: &ExistingSecret, label: &'static str) -> Result<Option<i64>, DecideError> {
    match held.label(label) {
        "" => Ok(None),
        text => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(DecideError::Label { secret: held.name.clone(), label }),
        },
    }
}
