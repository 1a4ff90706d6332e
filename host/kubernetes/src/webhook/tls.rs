//! The certificate that the server shows. It can be exchanged while connections go on: each handshake takes the
//! newest.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, NoServerSessionStorage, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::time::{MissedTickBehavior, interval};
use zeroize::Zeroizing;

use trellis_policies::file;

/// How often the process looks whether files have changed.
const INTERVAL: Duration = Duration::from_secs(10);
/// Largest file with a certificate or a key, in bytes.
const FILE: u64 = 1 << 20;
/// The one protocol that is spoken: API servers spread requests over several webhook servers only by connections.
const PROTOCOL: &[u8] = b"http/1.1";

/// The certificate in use and its key. Clones share the certificate, because what rotates it has one.
#[derive(Clone, Default)]
pub struct Certificates(Arc<RwLock<Option<Arc<CertifiedKey>>>>);

/// Why a certificate cannot be used. No message has a part of a key.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// No PEM text with certificates.
    #[error("there is no certificate in PEM")]
    NoCertificate,
    /// No PEM text with a key.
    #[error("there is no private key in PEM")]
    NoKey,
    /// The key is none that TLS takes, or another certificate's.
    #[error("the private key and the certificate cannot be used together: {0}")]
    Mismatch(rustls::Error),
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", file.display())]
    File {
        /// Which one.
        file: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

impl Certificates {
    /// No certificate yet: handshakes fail until there is one.
    pub fn none() -> Self {
        Self::default()
    }

    /// Takes a certificate into use, for handshakes from now on: the certificate and those of authorities between
    /// it and the one that clients trust, and its key, in PEM. Where they cannot be used, what is in use stays.
    pub fn set(&self, certificate: &[u8], key: &[u8]) -> Result<(), CertificateError> {
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(certificate)
            .collect::<Result<_, _>>()
            .map_err(|_| CertificateError::NoCertificate)?;
        if chain.is_empty() {
            return Err(CertificateError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| CertificateError::NoKey)?;
        let key =
            CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(CertificateError::Mismatch)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(key));
        Ok(())
    }

    /// Whether there is a certificate.
    pub fn is_set(&self) -> bool {
        self.current().is_some()
    }

    fn current(&self) -> Option<Arc<CertifiedKey>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How the server speaks TLS: 1.2 and 1.3, with the certificate that is the newest at each handshake. Nobody
    /// resumes a session.
    pub fn config(&self) -> Result<ServerConfig, rustls::Error> {
        let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(self.clone()));
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        Ok(config)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.current()
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Certificates").field("is_set", &self.is_set()).finish_non_exhaustive()
    }
}

/// A certificate and its key in files, which somebody else exchanges.
#[derive(Clone, Debug)]
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
}

/// What the files hold.
#[derive(PartialEq, Eq)]
struct Pair {
    certificate: Vec<u8>,
    key: Zeroizing<Vec<u8>>,
}

impl CertificateFiles {
    /// The files `tls.crt` and `tls.key` of a folder, such as a mounted Secret.
    pub fn of_folder(folder: &Path) -> Self {
        Self { certificate: folder.join("tls.crt"), key: folder.join("tls.key") }
    }

    /// Takes the certificate into use. Then looks from time to time whether the files have changed, and takes what
    /// they hold into use; the returned future does so for ever.
    pub fn keep(
        self,
        certificates: Certificates,
    ) -> Result<impl Future<Output = ()> + Send + 'static, CertificateError> {
        let mut used = self.read()?;
        certificates.set(&used.certificate, &used.key)?;
        Ok(async move {
            let mut ticks = interval(INTERVAL);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                match self.read() {
                    Ok(found) if found == used => {}
                    // Somebody may still be writing the files: then the two do not fit, and the next look shows
                    // more.
                    Ok(found) => match certificates.set(&found.certificate, &found.key) {
                        Ok(()) => {
                            tracing::info!(file = %self.certificate.display(), "another certificate is in use");
                            used = found;
                        }
                        Err(error) => tracing::error!(%error, "the certificate in use stays"),
                    },
                    Err(error) => tracing::error!(%error, "the certificate in use stays"),
                }
            }
        })
    }

    fn read(&self) -> Result<Pair, CertificateError> {
        let read = |path: &PathBuf| {
            file::read(path, FILE).map_err(|error| CertificateError::File { file: path.clone(), error })
        };
        Ok(Pair { certificate: read(&self.certificate)?, key: Zeroizing::new(read(&self.key)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Authority;
    use super::*;

    #[test]
    fn a_certificate_that_cannot_be_used_leaves_the_one_in_use() {
        let (authority, certificates) = (Authority::new(), Certificates::none());
        let (certificate, key) = authority.issue();
        let (_, other) = authority.issue();
        assert!(matches!(certificates.set(b"", key.as_bytes()), Err(CertificateError::NoCertificate)));
        assert!(!certificates.is_set());
        certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap();
        let used = certificates.current().unwrap();
        for (certificate, key, why) in [
            ("nonsense", key.as_str(), "there is no certificate in PEM"),
            (key.as_str(), key.as_str(), "there is no certificate in PEM"),
            (certificate.as_str(), "nonsense", "there is no private key in PEM"),
            (certificate.as_str(), other.as_str(), "cannot be used together"),
        ] {
            let error = certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert!(Arc::ptr_eq(&used, &certificates.current().unwrap()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn files_are_read_again_when_they_change() {
        let (authority, folder, certificates) =
            (Authority::new(), tempfile::tempdir().unwrap(), Certificates::none());
        let files = CertificateFiles::of_folder(folder.path());
        let error = files.clone().keep(certificates.clone()).err().unwrap().to_string();
        assert!(error.starts_with("cannot read `") && error.contains("tls.crt"), "{error}");
        let write = |(certificate, key): (String, String)| {
            std::fs::write(folder.path().join("tls.crt"), certificate).unwrap();
            std::fs::write(folder.path().join("tls.key"), key).unwrap();
        };
        write(authority.issue());
        let keeping = tokio::spawn(files.keep(certificates.clone()).unwrap());
        let first = certificates.current().unwrap();
        tokio::time::sleep(3 * INTERVAL).await;
        assert!(Arc::ptr_eq(&first, &certificates.current().unwrap()));
        // Half of a change has no effect.
        let (certificate, key) = authority.issue();
        std::fs::write(folder.path().join("tls.crt"), &certificate).unwrap();
        tokio::time::sleep(3 * INTERVAL).await;
        assert!(Arc::ptr_eq(&first, &certificates.current().unwrap()));
        write((certificate, key));
        tokio::time::sleep(3 * INTERVAL).await;
        assert!(!Arc::ptr_eq(&first, &certificates.current().unwrap()));
        keeping.abort();
    }
}
