//! The hash of a certificate's configuration, as Gardener's secrets manager has it in labels and names of Secrets.
//!
//! Gardener hashes the members of its Go structs with `github.com/mitchellh/hashstructure/v2` (format 2, zero
//! values left out): names of types and members, and their values, through FNV-1. The structs here are
//! `CertificateSecretConfig`, `CertificateBundleSecretConfig` and `Certificate` of `pkg/utils/secrets`, and what
//! those hold: `x509.Certificate`, `pkix.Name`, `pkix.Extension`, `rsa.PrivateKey`. The same configuration has the
//! same hash here and there, so that Secrets of one manager are current for the other.

use std::net::IpAddr;

use jiff::SignedDuration;
use x509_cert::der::Encode as _;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, BasicConstraints, KeyUsage, SubjectKeyIdentifier};
use x509_cert::name::Name;
use x509_cert::time::Time;

use super::pem::{CertificateError, Parsed};

/// Seconds from the year 1 to 1970, as Go counts.
const YEAR_1: i64 = 62_135_596_800;
/// `x509.SHA256WithRSA`.
const SHA256_WITH_RSA: (&str, i64) = ("1.2.840.113549.1.1.11", 4);
/// `x509.RSA`.
const RSA: (&str, i64) = ("1.2.840.113549.1.1.1", 1);

/// The configuration of an authority: `CertificateSecretConfig` with the type `ca`, and how long it is valid where
/// that is said.
pub fn authority(name: &str, validity: Option<SignedDuration>) -> u64 {
    let nanoseconds = validity.map(|validity| i64::try_from(validity.as_nanos()).unwrap_or(i64::MAX));
    Struct::new("CertificateSecretConfig")
        .text("Name", name)
        .text("CommonName", name)
        .text("CertType", "ca")
        .some("Validity", nanoseconds.map(number))
        .hash()
}

/// The configuration of a server's certificate, as far as the secrets manager has it before it is signed.
#[derive(Clone, Copy, Debug)]
pub struct ServerConfiguration<'c> {
    /// The name of the configuration.
    pub name: &'c str,
    /// Whom the certificate names.
    pub common_name: &'c str,
    /// The names of the server.
    pub dns_names: &'c [String],
    /// Its addresses.
    pub addresses: &'c [IpAddr],
    /// Whether the certificate of the authority is next to that of the server.
    pub has_authority: bool,
}

/// The configuration of a server's certificate: `CertificateSecretConfig` with the type `server`, and with the
/// authority that signs.
pub fn server(configuration: &ServerConfiguration<'_>, signer: &Signer<'_>) -> Result<u64, CertificateError> {
    Ok(signed(configuration, Some(signer.hash()?)))
}

fn signed(configuration: &ServerConfiguration<'_>, signer: Option<u64>) -> u64 {
    Struct::new("CertificateSecretConfig")
        .text("Name", configuration.name)
        .text("CommonName", configuration.common_name)
        .some("DNSNames", list(configuration.dns_names.iter().map(|name| text(name))))
        .some("IPAddresses", list(configuration.addresses.iter().map(|address| bytes(&octets(*address)))))
        .text("CertType", "server")
        .some("SigningCA", signer)
        .flag("SkipPublishingCACertificate", !configuration.has_authority)
        .hash()
}

/// The configuration of a bundle: `CertificateBundleSecretConfig`.
pub fn bundle<'b>(name: &str, certificates: impl Iterator<Item = &'b [u8]>) -> u64 {
    Struct::new("CertificateBundleSecretConfig")
        .text("Name", name)
        .some("CertificatePEMs", list(certificates.map(bytes)))
        .hash()
}

/// An address as Go's `net.ParseIP` has it: of either family, 16 octets.
fn octets(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    }
}

/// An authority as the secrets manager reads it from a Secret.
#[derive(Clone, Copy)]
pub struct Signer<'s> {
    /// The name of its configuration.
    pub name: &'s str,
    /// Its certificate and its key.
    pub certificate: &'s Parsed,
    /// The text of its certificate.
    pub certificate_pem: &'s [u8],
    /// The text of its key.
    pub key_pem: &'s [u8],
}

impl Signer<'_> {
    fn hash(&self) -> Result<u64, CertificateError> {
        Ok(Struct::new("Certificate")
            .text("Name", self.name)
            .member("PrivateKey", private_key(self.certificate.exponent()?))
            .some("PrivateKeyPEM", Some(bytes(self.key_pem)))
            .member("Certificate", certificate(self.certificate)?)
            .some("CertificatePEM", Some(bytes(self.certificate_pem)))
            .hash())
    }
}

/// `rsa.PrivateKey`, with two primes: what `big.Int` holds is not exported, so that keys differ in their public
/// exponent alone.
fn private_key(exponent: i64) -> u64 {
    let integer = Struct::new("Int").hash();
    let precomputed = Struct::new("PrecomputedValues")
        .member("Dp", integer)
        .member("Dq", integer)
        .member("Qinv", integer)
        // An empty list, which is not nil.
        .member("CRTValues", 0)
        .hash();
    Struct::new("PrivateKey")
        .member("PublicKey", public_key(exponent))
        .member("D", integer)
        .some("Primes", list([integer, integer].into_iter()))
        .member("Precomputed", precomputed)
        .hash()
}

fn public_key(exponent: i64) -> u64 {
    Struct::new("PublicKey").member("N", Struct::new("Int").hash()).number("E", exponent).hash()
}

/// `x509.Certificate` with what authorities of the secrets manager have. Members that stand for other extensions
/// are left out.
fn certificate(parsed: &Parsed) -> Result<u64, CertificateError> {
    let signed = parsed.certificate.tbs_certificate();
    let algorithm = |(oid, number): (&str, i64), is: String| if is == oid { number } else { 0 };
    let key = signed.subject_public_key_info();
    let key_usage = signed.get_extension::<KeyUsage>()?.map_or(0, |(_, usage)| i64::from(usage.0.bits()));
    let constraints = signed.get_extension::<BasicConstraints>()?.map(|(_, constraints)| constraints);
    let longest_path = constraints.as_ref().map(|found| found.path_len_constraint.map_or(-1, i64::from));
    let subject_key = signed.get_extension::<SubjectKeyIdentifier>()?;
    let authority_key =
        signed.get_extension::<AuthorityKeyIdentifier>()?.and_then(|(_, known)| known.key_identifier);
    let extensions = signed.extensions().into_iter().flatten().map(extension);
    Ok(Struct::new("Certificate")
        .some("Raw", Some(bytes(&parsed.der)))
        .some("RawTBSCertificate", Some(bytes(&signed.to_der()?)))
        .some("RawSubjectPublicKeyInfo", Some(bytes(&key.to_der()?)))
        .some("RawSubject", Some(bytes(&signed.subject().to_der()?)))
        .some("RawIssuer", Some(bytes(&signed.issuer().to_der()?)))
        .some("Signature", Some(bytes(parsed.certificate.signature().raw_bytes())))
        .number("SignatureAlgorithm", algorithm(SHA256_WITH_RSA, signed.signature().oid.to_string()))
        .number("PublicKeyAlgorithm", algorithm(RSA, key.algorithm.oid.to_string()))
        .member("PublicKey", public_key(parsed.exponent()?))
        .number("Version", i64::from(signed.version() as u8) + 1)
        .member("SerialNumber", Struct::new("Int").hash())
        .some("Issuer", name(signed.issuer()))
        .some("Subject", name(signed.subject()))
        .member("NotBefore", time(signed.validity().not_before))
        .member("NotAfter", time(signed.validity().not_after))
        .number("KeyUsage", key_usage)
        .some("Extensions", list(extensions))
        .flag("BasicConstraintsValid", constraints.is_some())
        .flag("IsCA", constraints.as_ref().is_some_and(|found| found.ca))
        .number("MaxPathLen", longest_path.unwrap_or_default())
        .flag("MaxPathLenZero", longest_path == Some(0))
        .some("SubjectKeyId", subject_key.map(|(_, id)| bytes(id.0.as_bytes())))
        .some("AuthorityKeyId", authority_key.map(|id| bytes(id.as_bytes())))
        .hash())
}

/// `pkix.Name`; none where it is empty.
fn name(name: &Name) -> Option<u64> {
    let all: Vec<(String, String)> = name
        .iter()
        .map(|entry| (entry.oid.to_string(), String::from_utf8_lossy(entry.value.value()).into_owned()))
        .collect();
    let entry = |(oid, value): &(String, String)| {
        let oid = list(oid.split('.').map(|part| number(part.parse().unwrap_or_default())));
        Struct::new("AttributeTypeAndValue").some("Type", oid).member("Value", text(value)).hash()
    };
    let of = |arc: u8| {
        let oid = format!("2.5.4.{arc}");
        all.iter().filter(move |(found, _)| *found == oid).map(|(_, value)| value.as_str())
    };
    let several = |arc| list(of(arc).map(text));
    let last = |arc| of(arc).next_back().unwrap_or_default();
    let whole = Struct::new("Name")
        .some("Country", several(6))
        .some("Organization", several(10))
        .some("OrganizationalUnit", several(11))
        .some("Locality", several(7))
        .some("Province", several(8))
        .some("StreetAddress", several(9))
        .some("PostalCode", several(17))
        .text("SerialNumber", last(5))
        .text("CommonName", last(3))
        .some("Names", list(all.iter().map(entry)));
    (!all.is_empty()).then(|| whole.hash())
}

/// `pkix.Extension`.
fn extension(extension: &Extension) -> u64 {
    let oid = list(extension.extn_id.arcs().map(|arc| number(i64::from(arc))));
    Struct::new("Extension")
        .some("Id", oid)
        .flag("Critical", extension.critical)
        .some("Value", Some(bytes(extension.extn_value.as_bytes())))
        .hash()
}

/// `time.Time`, as its method `MarshalBinary` writes it: version 1, seconds, nanoseconds, and UTC as -1 minutes.
fn time(time: Time) -> u64 {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or_default() + YEAR_1;
    let mut all = vec![1];
    all.extend(seconds.to_be_bytes());
    all.extend([0, 0, 0, 0, 0xff, 0xff]);
    fnv(&all)
}

/// The members of a struct, in their order.
struct Struct(u64);

impl Struct {
    fn new(name: &str) -> Self {
        Self(text(name))
    }

    fn member(self, name: &str, value: u64) -> Self {
        Self(fnv(&(self.0 ^ ordered(text(name), value)).to_le_bytes()))
    }

    fn some(self, name: &str, value: Option<u64>) -> Self {
        match value {
            Some(value) => self.member(name, value),
            None => self,
        }
    }

    fn text(self, name: &str, value: &str) -> Self {
        self.some(name, (!value.is_empty()).then(|| text(value)))
    }

    fn number(self, name: &str, value: i64) -> Self {
        self.some(name, (value != 0).then(|| number(value)))
    }

    fn flag(self, name: &str, value: bool) -> Self {
        self.some(name, value.then(|| fnv(&[1])))
    }

    fn hash(&self) -> u64 {
        self.0
    }
}

fn text(value: &str) -> u64 {
    fnv(value.as_bytes())
}

fn number(value: i64) -> u64 {
    fnv(&value.to_le_bytes())
}

/// A list; none where it is empty.
fn list(mut values: impl Iterator<Item = u64>) -> Option<u64> {
    let first = ordered(0, values.next()?);
    Some(values.fold(first, ordered))
}

fn bytes(value: &[u8]) -> u64 {
    value.iter().fold(0, |hash, byte| ordered(hash, fnv(&[*byte])))
}

fn ordered(one: u64, other: u64) -> u64 {
    let mut both = [0; 16];
    let (left, right) = both.split_at_mut(8);
    left.copy_from_slice(&one.to_le_bytes());
    right.copy_from_slice(&other.to_le_bytes());
    fnv(&both)
}

/// FNV-1 with 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::super::recorded::Recorded;
    use super::*;

    // What `hashstructure.Hash(config, hashstructure.FormatV2, &hashstructure.HashOptions{IgnoreZeroValue: true})`
    // of github.com/mitchellh/hashstructure/v2 v2.0.2 returns for configs of github.com/gardener/gardener v1.141.0
    // (Go 1.26.8).

    #[test]
    fn authorities_and_bundles_have_the_hashes_that_go_has() {
        assert_eq!(authority("ca", None), 7_811_977_632_296_897_242);
        assert_eq!(authority("ca-provider-alicloud-controlplane", None), 382_196_848_590_825_821);
        let month = Some(SignedDuration::from_hours(30 * 24));
        assert_eq!(authority("ca-provider-alicloud-webhook", month), 2_001_110_787_803_397_623);
        for (parts, hash) in [
            (&["x\n"][..], 4_434_989_690_402_325_669),
            (&["x\n", "y\n"], 13_141_094_682_622_006_007),
            (&[], 670_826_872_000_502_489),
        ] {
            assert_eq!(bundle("b", parts.iter().map(|part| part.as_bytes())), hash, "{parts:?}");
        }
    }

    #[test]
    fn addresses_of_a_server_have_the_hashes_that_go_has() {
        for (names, addresses, hash) in [
            (&[][..], &["192.0.2.1"][..], 3_848_004_045_471_447_888),
            (&[], &["2001:db8::1"], 7_478_343_942_561_859_891),
            (&["a".to_owned()], &["192.0.2.1"], 9_947_263_242_557_479_190),
        ] {
            let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
            let configuration = ServerConfiguration {
                name: "s",
                common_name: "c",
                dns_names: names,
                addresses: &addresses,
                has_authority: false,
            };
            assert_eq!(signed(&configuration, None), hash, "{addresses:?}");
        }
    }

    #[test]
    fn a_server_has_the_hash_that_go_has_with_all_that_its_authority_says() {
        let authority = Recorded::read("none").authority("ca-provider-alicloud-controlplane-f36f9b25");
        let signer = authority.signer("ca");
        assert_eq!(private_key(65_537), 524_850_110_283_770_410, "key");
        assert_eq!(
            name(signer.certificate.certificate.tbs_certificate().subject()),
            Some(17_850_956_060_300_628_055)
        );
        assert_eq!(certificate(signer.certificate).unwrap(), 18_221_828_231_024_231_768, "certificate");
        assert_eq!(signer.hash().unwrap(), 12_647_921_601_781_709_400, "authority");
        let names = ["a".to_owned(), "b.c".to_owned()];
        let configuration = ServerConfiguration {
            name: "s",
            common_name: "c",
            dns_names: &names,
            addresses: &[],
            has_authority: false,
        };
        assert_eq!(server(&configuration, &signer).unwrap(), 8_214_372_224_730_805_681);
    }
}
