//! The certificates of a webhook server, as Gardener's library for extensions keeps them (`gardener-contract`
//! 5.4): an authority of 30 days that is renewed by its age, and the certificate of the server, as Secrets. Each
//! process serves what the Secrets hold; the leader renews them, and reports the authorities to API servers.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::registration::{Extension, Reach};
use crate::certificates::decide::{BUNDLE_CRT, Blank, CA_CRT, Content, TLS_CRT, TLS_KEY};
use crate::certificates::desired::BUNDLE;
use crate::certificates::existing::{Data, ExistingSecret};
use crate::certificates::issue::{IssueError, Keys, issue};
use crate::certificates::name::Labels;
use crate::certificates::{
    Authority, CurrentCertificates, DesiredCertificates, KeepError, Keeper, Renewal, Rotation, SecretStore, Server,
};

/// How long an authority is valid. It is renewed ten days before its end, as all is that the secrets manager
/// keeps.
const VALIDITY: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long API servers still trust the authority before.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// The certificate that a server shows, with its key.
#[derive(Clone, PartialEq, Eq)]
pub struct Served {
    /// The Secret that holds them; empty where none does.
    pub secret: String,
    data: Data,
}

impl Served {
    /// The certificate, in PEM.
    pub fn certificate(&self) -> &[u8] {
        self.data.get(TLS_CRT).unwrap_or_default()
    }

    /// The key, in PEM.
    pub fn key(&self) -> &[u8] {
        self.data.get(TLS_KEY).unwrap_or_default()
    }
}

/// Shows no key.
impl fmt::Debug for Served {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Served").field("secret", &self.secret).finish_non_exhaustive()
    }
}

/// Why there are no certificates.
#[derive(Debug, thiserror::Error)]
pub enum CertificatesError<E> {
    /// The Secrets.
    #[error("the certificates of the webhooks cannot be kept: {0}")]
    Keep(#[from] KeepError<E>),
    /// A Secret that was there is gone.
    #[error("the certificates of the webhooks change all the time: the Secret of `{0}` is gone again")]
    Gone(String),
}

/// The certificates that the Secrets of a namespace hold.
#[derive(Clone)]
pub struct Managed<S> {
    keeper: Keeper<S>,
    namespace: String,
    wanted: DesiredCertificates,
    authority: String,
    server: String,
    hold: Duration,
}

impl<S: SecretStore> Managed<S> {
    /// The certificates of an extension, in a namespace. A new one waits for `hold` while there is another one:
    /// API servers have to learn of its authority first.
    pub fn new(keeper: Keeper<S>, namespace: &str, extension: &Extension, reach: &Reach, hold: Duration) -> Self {
        let wanted = wanted(extension, reach);
        let (authority, server) = (authority(extension), server(extension));
        Self { keeper, namespace: namespace.to_owned(), wanted, authority, server, hold }
    }

    /// The certificate to serve. `serving` is the Secret of the one that is served now. None where nobody has made
    /// one yet.
    pub async fn served(
        &self,
        serving: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<Served>, CertificatesError<S::Error>> {
        let held = self.keeper.of(&self.wanted.identity, &self.server).await?;
        Ok(choose(&held, serving, now, self.hold)
            .map(|held| Served { secret: held.name.clone(), data: held.data.clone() }))
    }

    /// The certificate to serve at the start: where there is none, this process makes it, whether it leads or not.
    pub async fn first(&self, now: Timestamp) -> Result<Served, CertificatesError<S::Error>> {
        if let Some(served) = self.served(None, now).await? {
            return Ok(served);
        }
        self.keep(now).await?;
        self.served(None, now).await?.ok_or_else(|| CertificatesError::Gone(self.server.clone()))
    }

    /// Renews what is due. Returns the authorities that vouch for the server, in PEM, and what [`Self::clean`]
    /// leaves. The leader calls this.
    pub async fn keep(
        &self,
        now: Timestamp,
    ) -> Result<(Vec<u8>, CurrentCertificates), CertificatesError<S::Error>> {
        let kept = self.keeper.keep(&self.namespace, &self.wanted, Rotation::default(), now).await?;
        let bundle = format!("{}{BUNDLE}", self.authority);
        let current = kept.secrets().get(&bundle);
        let held = self.keeper.of(&self.wanted.identity, &bundle).await?;
        let found = held.iter().find(|held| Some(&held.name) == current);
        match found.and_then(|held| held.data.get(BUNDLE_CRT)) {
            Some(authorities) => Ok((authorities.to_vec(), kept)),
            None => Err(CertificatesError::Gone(bundle)),
        }
    }

    /// Deletes what nobody uses any more, once API servers know the authorities.
    pub async fn clean(&self, kept: &CurrentCertificates) -> Result<(), CertificatesError<S::Error>> {
        Ok(self.keeper.clean(kept).await?)
    }
}

impl<S> fmt::Debug for Managed<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Managed").field("namespace", &self.namespace).finish_non_exhaustive()
    }
}

/// Certificates for a process alone, which no Secret holds and nobody renews: the certificate to serve, and the
/// authority that vouches for it, in PEM. They are valid for ten years, or until the process ends.
pub fn unmanaged(
    extension: &Extension,
    reach: &Reach,
    keys: &Arc<dyn Keys>,
    now: Timestamp,
) -> Result<(Served, Vec<u8>), IssueError> {
    let blank = |object: String, content: Content| Blank {
        configuration: object.clone(),
        object,
        labels: Labels::new(),
        content,
    };
    let authority = blank(authority(extension), Content::Authority { validity: None });
    let authority = issue(&authority, keys.as_ref(), now)?;
    let bundle = authority.get(CA_CRT).unwrap_or_default().to_vec();
    let server = wanted_server(extension, reach);
    let data =
        issue(&blank(server.name.clone(), Content::Server { server, signer: authority }), keys.as_ref(), now)?;
    Ok((Served { secret: String::new(), data }, bundle))
}

/// The certificates that an extension wants.
pub fn wanted(extension: &Extension, reach: &Reach) -> DesiredCertificates {
    DesiredCertificates {
        identity: format!("{}-webhook", extension.object()),
        authorities: vec![Authority {
            name: authority(extension),
            persist: false,
            renewal: Renewal::ByAge { validity: VALIDITY, overlap: OVERLAP },
        }],
        servers: vec![wanted_server(extension, reach)],
    }
}

fn wanted_server(extension: &Extension, reach: &Reach) -> Server {
    let (dns_names, addresses) = reach.names(extension);
    Server {
        name: server(extension),
        common_name: extension.name().to_owned(),
        dns_names,
        addresses,
        authority: authority(extension),
        has_authority: false,
        persist: false,
    }
}

fn authority(extension: &Extension) -> String {
    format!("ca-{}-webhook", extension.name())
}

fn server(extension: &Extension) -> String {
    format!("{}-webhook-server", extension.name())
}

/// Which certificate to serve: the newest. One that is so new that API servers may not know its authority yet
/// waits while there is another one: the one that is served, which stays where its Secret is gone, or the one
/// before.
fn choose<'h>(
    held: &'h [ExistingSecret],
    serving: Option<&str>,
    now: Timestamp,
    pause: Duration,
) -> Option<&'h ExistingSecret> {
    let newest = held.iter().max_by_key(|held| held.created)?;
    let is_old = now.duration_since(newest.created).try_into().is_ok_and(|age: Duration| age >= pause);
    if serving == Some(newest.name.as_str()) || is_old {
        return Some(newest);
    }
    let mut others = held.iter().filter(|held| held.name != newest.name);
    match serving {
        Some(serving) => others.find(|held| held.name == serving),
        None => Some(others.max_by_key(|held| held.created).unwrap_or(newest)),
    }
}
