//! Certificates, read.

use rsa::pkcs1;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use x509_cert::Certificate;
use x509_cert::der::{self, Decode as _};

/// Why a certificate or a key cannot be used. No message has any of its content.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// There is no certificate in the text.
    #[error("there is no PEM block `CERTIFICATE`")]
    NoCertificate,
    /// It is no certificate.
    #[error("the certificate cannot be read ({})", .0.kind())]
    Certificate(#[from] der::Error),
    /// The key of the certificate is not one of RSA.
    #[error("the certificate has no key of RSA")]
    NotRsa,
}

/// A certificate.
pub struct Parsed {
    /// Its bytes.
    pub der: Vec<u8>,
    /// What they say.
    pub certificate: Certificate,
}

impl Parsed {
    /// Reads the first certificate of a text.
    pub fn read(pem: &[u8]) -> Result<Self, CertificateError> {
        let der = CertificateDer::from_pem_slice(pem).map_err(|_| CertificateError::NoCertificate)?.to_vec();
        Ok(Self { certificate: Certificate::from_der(&der)?, der })
    }

    /// The seconds since 1970 from and until which it is valid.
    pub fn lifetime(&self) -> (i64, i64) {
        let validity = self.certificate.tbs_certificate().validity();
        let seconds =
            |time: x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
        (seconds(validity.not_before), seconds(validity.not_after))
    }

    /// The public exponent of its key.
    pub fn exponent(&self) -> Result<i64, CertificateError> {
        let key = self.certificate.tbs_certificate().subject_public_key_info().subject_public_key.raw_bytes();
        let key = pkcs1::RsaPublicKeyRef::try_from(key).map_err(|_| CertificateError::NotRsa)?;
        let bytes = key.public_exponent.as_bytes();
        bytes
            .iter()
            .try_fold(0_i64, |sum, byte| sum.checked_mul(256)?.checked_add(i64::from(*byte)))
            .ok_or(CertificateError::NotRsa)
    }
}
