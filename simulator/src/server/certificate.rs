//! The certificate of a server that speaks TLS.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

/// The names that clients may call the server by.
const NAMES: [&str; 5] = ["localhost", "127.0.0.1", "::1", "*.aliyuncs.com", "*.localhost"];

/// A certificate for loopback, and the authority that signed it. The authority's key is forgotten, so that it
/// signs nothing else.
pub struct Certificate {
    config: Arc<ServerConfig>,
    authority: String,
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Certificate").finish_non_exhaustive()
    }
}

/// A certificate cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The text of the certificate cannot be made.
    #[error("cannot make a certificate: {0}")]
    Make(#[from] rcgen::Error),
    /// The certificate cannot be used.
    #[error("cannot use the certificate: {0}")]
    Use(#[from] rustls::Error),
}

impl Certificate {
    /// Makes a certificate.
    pub fn make() -> Result<Self, CertificateError> {
        let mut params = CertificateParams::default();
        params.distinguished_name = name("Trellis simulator: authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let key = KeyPair::generate()?;
        let authority = params.self_signed(&key)?.pem();
        let issuer = Issuer::new(params, key);

        let mut params = CertificateParams::new(NAMES.map(str::to_owned))?;
        params.distinguished_name = name("Trellis simulator");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &issuer)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));

        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), authority })
    }

    /// The authority's certificate in PEM, which clients have to trust.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config))
    }
}

fn name(common_name: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, common_name);
    name
}
