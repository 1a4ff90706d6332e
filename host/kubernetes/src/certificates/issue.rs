//! Authorities and certificates of servers, as Gardener's `CertificateSecretConfig` makes them: RSA with 3,072
//! bits, PKCS #1, SHA-256, from a minute ago until in ten years, or for as long as an authority is wanted.

use std::net::IpAddr;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rsa::pkcs1::{DecodeRsaPrivateKey as _, EncodeRsaPrivateKey as _};
use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::EncodePublicKey as _;
use rsa::{Generate as _, PrivateKey, sha2};
use sha2::Digest as _;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder as _, CertificateBuilder};
use x509_cert::certificate::TbsCertificate;
use x509_cert::der::asn1::{Any, GeneralizedTime, Ia5String, OctetString, UtcTime};
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{self, Decode as _, Encode, EncodePem as _, Tag};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName,
    SubjectKeyIdentifier,
};
use x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{ObjectIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use x509_cert::time::{Time, Validity};

use super::decide::{Blank, CA_CRT, CA_KEY, Content, TLS_CRT, TLS_KEY};
use super::desired::Server;
use super::existing::Data;
use super::pem::{CertificateError, Parsed};

/// How many years a certificate is valid.
const YEARS: i64 = 10;
/// How much clocks may differ.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(1);
/// Octets of a serial number.
const SERIAL_OCTETS: usize = 16;
/// Octets of the identifier of a key.
const KEY_ID_OCTETS: usize = 20;

const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
const SERVER_AUTHENTICATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");

/// Where keys come from.
pub trait Keys: Send + Sync + 'static {
    /// A key that nobody has had.
    fn key(&self) -> Result<PrivateKey, IssueError>;
}

/// Keys from the randomness of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct FreshKeys;

impl Keys for FreshKeys {
    fn key(&self) -> Result<PrivateKey, IssueError> {
        PrivateKey::try_generate().map_err(|_| IssueError::Randomness)
    }
}

/// Why nothing is issued. No message has a part of a key.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// The operating system has no randomness.
    #[error("the operating system gives no randomness")]
    Randomness,
    /// The authority that has to sign cannot be used.
    #[error("the authority that signs cannot be used: {0}")]
    Signer(CertificateError),
    /// The key of the authority that has to sign cannot be used.
    #[error("the key of the authority that signs cannot be used")]
    SignerKey,
    /// What the certificate has to say cannot be written.
    #[error("the certificate cannot be written ({})", .0.kind())]
    Encoding(#[from] der::Error),
    /// The certificate cannot be signed.
    #[error("the certificate cannot be signed")]
    Signing,
    /// A time is out of range.
    #[error("a certificate cannot be valid at that time")]
    Time,
}

/// Makes the data of a Secret that is missing.
pub fn issue(blank: &Blank, keys: &dyn Keys, now: Timestamp) -> Result<Data, IssueError> {
    match &blank.content {
        Content::Bundle(data) => Ok(data.clone()),
        Content::Authority { validity } => {
            let key = keys.key()?;
            let subject = common_name(&blank.object)?;
            let profile = Profile { issuer: subject.clone(), subject, authority_key: None, server: None };
            let pem = certificate(profile, &key, &key, now, *validity)?;
            Ok(Data::default().with(CA_CRT, pem).with(CA_KEY, private(&key)?))
        }
        Content::Server { server, signer } => {
            let pem = signer.get(CA_CRT).ok_or(IssueError::Signer(CertificateError::NoCertificate))?;
            let authority = Parsed::read(pem).map_err(IssueError::Signer)?;
            let authority = authority.certificate.tbs_certificate();
            let signing =
                signer.get(CA_KEY).and_then(|pem| PrivateKey::from_pkcs1_pem(str::from_utf8(pem).ok()?).ok());
            let known = authority.get_extension::<SubjectKeyIdentifier>()?;
            let profile = Profile {
                issuer: authority.subject().clone(),
                subject: common_name(&server.common_name)?,
                authority_key: known.map(|(_, id)| id.0),
                server: Some(server),
            };
            let key = keys.key()?;
            let certificate = certificate(profile, &key, &signing.ok_or(IssueError::SignerKey)?, now, None)?;
            let data = Data::default().with(TLS_CRT, certificate).with(TLS_KEY, private(&key)?);
            Ok(if server.has_authority { data.with(CA_CRT, pem) } else { data })
        }
    }
}

/// What a certificate says in addition to key, serial number and times.
struct Profile<'s> {
    issuer: Name,
    subject: Name,
    authority_key: Option<OctetString>,
    /// None for an authority.
    server: Option<&'s Server>,
}

impl BuilderProfile for Profile<'_> {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.subject.clone()
    }

    /// Extensions in the order in which Go writes them.
    fn build_extensions(
        &self,
        key: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let of_all = KeyUsages::DigitalSignature | KeyUsages::KeyEncipherment;
        let constraints = BasicConstraints { ca: self.server.is_none(), path_len_constraint: None };
        let Some(server) = self.server else {
            let digest = sha2::Sha256::digest(key.subject_public_key.raw_bytes());
            let id = digest.iter().copied().take(KEY_ID_OCTETS).collect::<Vec<_>>();
            return Ok(vec![
                extension(&KeyUsage(of_all | KeyUsages::KeyCertSign | KeyUsages::CRLSign), true)?,
                extension(&constraints, true)?,
                extension(&SubjectKeyIdentifier(OctetString::new(id)?), false)?,
            ]);
        };
        let mut all = vec![
            extension(&KeyUsage(of_all), true)?,
            extension(&ExtendedKeyUsage(vec![SERVER_AUTHENTICATION]), false)?,
            extension(&constraints, true)?,
        ];
        if let Some(id) = &self.authority_key {
            let id =
                AuthorityKeyIdentifier { key_identifier: Some(id.clone()), ..AuthorityKeyIdentifier::default() };
            all.push(extension(&id, false)?);
        }
        let names = server.dns_names.iter().map(|name| Ia5String::new(name).map(GeneralName::DnsName));
        let addresses = server.addresses.iter().map(|address| octets(*address).map(GeneralName::IpAddress));
        let names: Vec<GeneralName> = names.chain(addresses).collect::<Result<_, _>>()?;
        if !names.is_empty() {
            all.push(extension(&SubjectAltName(names), false)?);
        }
        Ok(all)
    }
}

/// An address as certificates have it.
fn octets(address: IpAddr) -> der::Result<OctetString> {
    match address {
        IpAddr::V4(address) => OctetString::new(address.octets()),
        IpAddr::V6(address) => OctetString::new(address.octets()),
    }
}

fn extension<T: AssociatedOid + Encode>(value: &T, critical: bool) -> der::Result<Extension> {
    Ok(Extension { extn_id: T::OID, critical, extn_value: OctetString::new(value.to_der()?)? })
}

/// The text of a signed certificate. Without a validity, it is valid for ten years.
fn certificate(
    profile: Profile<'_>,
    key: &PrivateKey,
    signer: &PrivateKey,
    now: Timestamp,
    validity: Option<SignedDuration>,
) -> Result<String, IssueError> {
    let mut serial = [0; SERIAL_OCTETS];
    getrandom::fill(&mut serial).map_err(|_| IssueError::Randomness)?;
    let from = now.checked_sub(CLOCK_SKEW).map_err(|_| IssueError::Time)?;
    let until = match validity {
        Some(validity) => now.checked_add(validity),
        None => now.to_zoned(TimeZone::UTC).checked_add(YEARS.years()).map(|until| until.timestamp()),
    };
    let validity = Validity::new(time(from)?, time(until.map_err(|_| IssueError::Time)?)?);
    let public = key.to_public_key().to_public_key_der().map_err(|_| IssueError::Signing)?;
    let public = SubjectPublicKeyInfo::from_der(public.as_bytes())?;
    let signer = SigningKey::<sha2::Sha256>::new(signer.clone());
    CertificateBuilder::new(profile, SerialNumber::new(&serial)?, validity, public)
        .and_then(|builder| builder.build(&signer))
        .map_err(|error| match error {
            builder::Error::Asn1(error) => IssueError::Encoding(error),
            _ => IssueError::Signing,
        })?
        .to_pem(LineEnding::LF)
        .map_err(IssueError::Encoding)
}

/// The text of a key.
fn private(key: &PrivateKey) -> Result<Vec<u8>, IssueError> {
    let pem = key.to_pkcs1_pem(LineEnding::LF).map_err(|_| IssueError::Signing)?;
    Ok(pem.as_bytes().to_vec())
}

/// A name of a common name alone, in the type of text that Go takes for it.
fn common_name(text: &str) -> der::Result<Name> {
    let is_printable = |octet: u8| octet.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&octet);
    let tag = if text.bytes().all(is_printable) { Tag::PrintableString } else { Tag::Utf8String };
    let mut part = RelativeDistinguishedName::default();
    part.insert(AttributeTypeAndValue { oid: COMMON_NAME, value: Any::new(tag, text.as_bytes())? })?;
    let mut all = RdnSequence::default();
    all.push(part);
    Name::from_der(&all.to_der()?)
}

/// A time, to the second: as `UTCTime` until 2049, as certificates have it.
fn time(at: Timestamp) -> Result<Time, IssueError> {
    let since = u64::try_from(at.as_second()).map(Duration::from_secs).map_err(|_| IssueError::Time)?;
    match UtcTime::from_unix_duration(since) {
        Ok(time) => Ok(Time::UtcTime(time)),
        Err(_) => Ok(Time::GeneralTime(GeneralizedTime::from_unix_duration(since)?)),
    }
}

#[cfg(test)]
mod tests {
    use rsa::pkcs1v15::{Signature, VerifyingKey};
    use rsa::signature::Verifier as _;
    use rsa::traits::PublicKeyParts as _;
    use x509_cert::Certificate;

    use super::super::existing::ExistingSecret;
    use super::super::name::Labels;
    use super::super::recorded::Recorded;
    use super::*;

    struct Key(PrivateKey);

    impl Keys for Key {
        fn key(&self) -> Result<PrivateKey, IssueError> {
            Ok(self.0.clone())
        }
    }

    fn held(recorded: &Recorded, prefix: &str) -> ExistingSecret {
        recorded.held().into_iter().find(|held| held.name.starts_with(prefix)).unwrap()
    }

    fn key(data: &Data, key: &str) -> PrivateKey {
        PrivateKey::from_pkcs1_pem(str::from_utf8(data.get(key).unwrap()).unwrap()).unwrap()
    }

    fn certificate(data: &Data, key: &str) -> Certificate {
        Parsed::read(data.get(key).unwrap()).unwrap().certificate
    }

    /// All that a certificate says, but for its serial number.
    fn says(certificate: &Certificate) -> [Vec<u8>; 7] {
        let signed = certificate.tbs_certificate();
        [
            signed.signature().to_der(),
            signed.issuer().to_der(),
            signed.validity().to_der(),
            signed.subject().to_der(),
            signed.subject_public_key_info().to_der(),
            signed.extensions().cloned().unwrap().to_der(),
            certificate.signature_algorithm().to_der(),
        ]
        .map(Result::unwrap)
    }

    fn is_signed_by(certificate: &Certificate, key: &PrivateKey) -> bool {
        let signature = Signature::try_from(certificate.signature().raw_bytes()).unwrap();
        let signed = certificate.tbs_certificate().to_der().unwrap();
        VerifyingKey::<sha2::Sha256>::new(key.to_public_key()).verify(&signed, &signature).is_ok()
    }

    #[test]
    fn with_the_keys_and_the_time_of_gardener_certificates_say_what_those_of_gardener_say() {
        let recorded = Recorded::read("none");
        let blank = |object: &str, content| Blank {
            object: object.to_owned(),
            configuration: String::new(),
            labels: Labels::new(),
            content,
        };
        let authority = held(&recorded, "ca-provider-alicloud-controlplane-f");
        let authority_key = key(&authority.data, CA_KEY);
        let keys = Key(authority_key.clone());
        let content = Content::Authority { validity: None };
        let own = issue(&blank(&authority.name, content), &keys, recorded.now()).unwrap();
        assert_eq!(own.get(CA_KEY), authority.data.get(CA_KEY), "the text of the key");
        let certificate_of = |data: &Data| certificate(data, CA_CRT);
        assert_eq!(says(&certificate_of(&own)), says(&certificate_of(&authority.data)));
        assert!(is_signed_by(&certificate_of(&own), &authority_key));

        let theirs = held(&recorded, "cloud-controller-manager-server");
        let name = "cloud-controller-manager";
        let within = |suffix| format!("{name}.{}{suffix}", recorded.namespace());
        let server = Server {
            name: format!("{name}-server"),
            common_name: name.to_owned(),
            dns_names: vec![name.to_owned(), within(""), within(".svc"), within(".svc.cluster.local")],
            addresses: Vec::new(),
            authority: "ca-provider-alicloud-controlplane".to_owned(),
            has_authority: false,
            persist: false,
        };
        let content = Content::Server { server: server.clone(), signer: authority.data.clone() };
        let keys = Key(key(&theirs.data, TLS_KEY));
        let own = issue(&blank(&theirs.name, content), &keys, recorded.now()).unwrap();
        assert_eq!(own.get(TLS_KEY), theirs.data.get(TLS_KEY), "the text of the key");
        assert_eq!(own.get(CA_CRT), None);
        assert_eq!(says(&certificate(&own, TLS_CRT)), says(&certificate(&theirs.data, TLS_CRT)));
        assert!(is_signed_by(&certificate(&own, TLS_CRT), &authority_key));

        let server = Server { has_authority: true, ..server };
        let content = Content::Server { server, signer: authority.data.clone() };
        let own = issue(&blank(&theirs.name, content), &keys, recorded.now()).unwrap();
        assert_eq!(own.get(CA_CRT), authority.data.get(CA_CRT), "where the policy wants the authority next to it");
    }

    #[test]
    fn texts_have_the_types_that_go_gives_them() {
        for (text, tag) in [("a-b.c:d=e", 0x13), ("*.example", 0x0c), ("a_b", 0x0c), ("é", 0x0c)] {
            let name = common_name(text).unwrap().to_der().unwrap();
            assert_eq!(name[name.len() - text.len() - 2], tag, "{text}");
        }
    }

    #[test]
    fn times_have_the_forms_that_certificates_have() {
        for (at, is_short) in [("2049-12-31T23:59:59Z", true), ("2050-01-01T00:00:00Z", false)] {
            let time = time(at.parse().unwrap()).unwrap();
            assert_eq!(matches!(time, Time::UtcTime(_)), is_short, "{at}");
        }
    }

    #[test]
    fn a_fresh_key_has_3072_bits() {
        let keys = [FreshKeys.key().unwrap(), FreshKeys.key().unwrap()];
        assert_eq!(keys.each_ref().map(|key| key.n().bit_width()), [3072, 3072]);
        assert_ne!(keys[0], keys[1]);
    }

    #[test]
    fn an_authority_without_its_key_signs_nothing() {
        let server = Server {
            name: String::new(),
            common_name: String::new(),
            dns_names: Vec::new(),
            addresses: Vec::new(),
            authority: String::new(),
            has_authority: false,
            persist: false,
        };
        let signer =
            held(&Recorded::read("none"), "ca-provider-alicloud-controlplane-f").data.with(CA_KEY, "secret");
        let content = Content::Server { server, signer };
        let blank = Blank { object: String::new(), configuration: String::new(), labels: Labels::new(), content };
        let error = issue(&blank, &FreshKeys, Timestamp::UNIX_EPOCH).unwrap_err();
        assert_eq!(error.to_string(), "the key of the authority that signs cannot be used");
    }
}
