//! OSS V4, `OSS4-HMAC-SHA256`: the whole query, the headers of the content, all `x-oss-` headers, more if listed.
//!
//! The key is derived from the secret for a day, a region and a product. The body is never signed.

use hmac::Hmac;
use jiff::{SignedDuration, Timestamp};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use sha2::{Digest, Sha256};

use super::{
    super::{
        Claim, RESERVED, Refusal, Secret,
        claim::{Scheme, Scope, Validity},
        find, mac, time,
    },
    OssRefusal, Request, argument,
};

pub(super) const ALGORITHM: &str = "OSS4-HMAC-SHA256";
const UNSIGNED_PAYLOAD: &str = "UNSIGNED-PAYLOAD";
const TERMINATOR: &str = "aliyun_v4_request";

/// Slashes in the name of an object stay as they are.
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// How long a link may be good: 7 days.
const LONGEST_LINK: i64 = 7 * 24 * 60 * 60;

/// The value of `Authorization` for a request that has its date, its `x-oss-content-sha256` and all other headers.
///
/// Signs no header beyond those that are always signed.
pub fn sign(request: &Request<'_>, access_key: &str, region: &str, secret: &Secret) -> Result<String, Refusal> {
    let (timestamp, time) = time::of_headers(request.headers).ok_or(OssRefusal::Date)?;
    let credential = format!("{access_key}/{}/{region}/oss/{TERMINATOR}", day(time));
    let (_, scope) = Scope::parse(&credential, IN_HEADER)?;
    let signature = scope.signature(&scope.string_to_sign(timestamp, &canonical_request(request, &[])), secret);
    Ok(format!("{ALGORITHM} Credential={credential},Signature={signature}"))
}

/// The value of the parameter `x-oss-signature` for a link that has all its other parameters.
pub fn sign_link(request: &Request<'_>, secret: &Secret) -> Result<String, Refusal> {
    let Link { scope, timestamp, additional, .. } = Link::of(request)?;
    let canonical_request = canonical_request(request, &additional);
    Ok(scope.signature(&scope.string_to_sign(timestamp, &canonical_request), secret))
}

const IN_HEADER: &str = "Authorization header";
const IN_LINK: &str = "x-oss-credential";

pub(super) fn claim_of_header<'a>(request: &Request<'a>, fields: &'a str) -> Result<Claim<'a>, Refusal> {
    let invalid = || argument("Authorization header is invalid.");
    let (mut credential, mut additional, mut signature) = (None, None, None);
    for field in fields.split(',') {
        let (name, value) = field.trim().split_once('=').ok_or_else(invalid)?;
        let place = match name {
            "Credential" => &mut credential,
            "AdditionalHeaders" => &mut additional,
            "Signature" => &mut signature,
            _ => return Err(invalid()),
        };
        if place.replace(value).is_some() {
            return Err(invalid());
        }
    }
    let (access_key, scope) = Scope::parse(credential.ok_or_else(invalid)?, IN_HEADER)?;
    let (timestamp, time) = time::of_headers(request.headers).ok_or(OssRefusal::Date)?;
    if day(time) != scope.date {
        return Err(argument(format!("Invalid signing date in {IN_HEADER}.")));
    }
    if request.header("x-oss-content-sha256") != Some(UNSIGNED_PAYLOAD) {
        return Err(argument("x-oss-content-sha256 must be UNSIGNED-PAYLOAD."));
    }
    let canonical_request = canonical_request(request, &names(additional));
    Ok(Claim {
        access_key,
        security_token: request.header("x-oss-security-token"),
        nonce: None,
        region: Some(scope.region),
        validity: Validity::OssRequest(time),
        string_to_sign: scope.string_to_sign(timestamp, &canonical_request),
        scheme: Scheme::OssV4 { scope, canonical_request },
        signature: signature.ok_or_else(invalid)?,
    })
}

pub(super) fn claim_of_link<'a>(request: &Request<'a>) -> Result<Claim<'a>, Refusal> {
    let Link { access_key, scope, timestamp, additional, from, until } = Link::of(request)?;
    let signature = find(request.query, "x-oss-signature").ok_or(OssRefusal::Link("x-oss-signature"))?;
    let canonical_request = canonical_request(request, &additional);
    Ok(Claim {
        access_key,
        security_token: find(request.query, "x-oss-security-token"),
        nonce: None,
        region: Some(scope.region),
        validity: Validity::OssLink { from, until },
        string_to_sign: scope.string_to_sign(timestamp, &canonical_request),
        scheme: Scheme::OssV4 { scope, canonical_request },
        signature,
    })
}

/// What the parameters of a link say, but for its signature.
struct Link<'a> {
    access_key: &'a str,
    scope: Scope<'a>,
    timestamp: &'a str,
    additional: Vec<&'a str>,
    from: Timestamp,
    until: Timestamp,
}

impl<'a> Link<'a> {
    fn of(request: &Request<'a>) -> Result<Self, Refusal> {
        let required = |name| find(request.query, name).ok_or(OssRefusal::Link(name));
        if required("x-oss-signature-version")? != ALGORITHM {
            return Err(argument("Invalid x-oss-signature-version."));
        }
        let (access_key, scope) = Scope::parse(required("x-oss-credential")?, IN_LINK)?;
        let timestamp = required("x-oss-date")?;
        let from = time::compact(timestamp).ok_or(OssRefusal::Date)?;
        if day(from) != scope.date {
            return Err(argument(format!("Invalid signing date in {IN_LINK}.")));
        }
        let until = required("x-oss-expires")?
            .parse()
            .ok()
            .filter(|seconds| (1..=LONGEST_LINK).contains(seconds))
            .and_then(|seconds| from.checked_add(SignedDuration::from_secs(seconds)).ok())
            .ok_or_else(|| argument("Invalid x-oss-expires."))?;
        let additional = names(find(request.query, "x-oss-additional-headers"));
        Ok(Self { access_key, scope, timestamp, additional, from, until })
    }
}

impl<'a> Scope<'a> {
    /// Reads `access key/date/region/product/aliyun_v4_request`; `place` is where that was found.
    fn parse(credential: &'a str, place: &str) -> Result<(&'a str, Self), Refusal> {
        let invalid = |what: &str| argument(format!("Invalid {what} in {place}."));
        let (access_key, text) = credential.split_once('/').ok_or_else(|| invalid("credential"))?;
        let parts: Vec<&str> = text.splitn(5, '/').collect();
        let [date, region, product, TERMINATOR] = parts[..] else { return Err(invalid("credential")) };
        if access_key.is_empty() || region.is_empty() {
            return Err(invalid("credential"));
        }
        if date.len() != 8 || !date.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(invalid("signing date"));
        }
        if !matches!(product, "oss" | "oss-cloudbox") {
            return Err(invalid("signing product"));
        }
        Ok((access_key, Self { text, date, region, product }))
    }

    fn string_to_sign(&self, timestamp: &str, canonical_request: &[u8]) -> Vec<u8> {
        format!("{ALGORITHM}\n{timestamp}\n{}\n{:x}", self.text, Sha256::digest(canonical_request)).into_bytes()
    }

    pub(in super::super) fn signature(&self, string_to_sign: &[u8], secret: &Secret) -> String {
        let mut key = mac::<Hmac<Sha256>>(&[b"aliyun_v4", secret.as_bytes()].concat(), self.date.as_bytes());
        for part in [self.region, self.product, TERMINATOR] {
            key = mac::<Hmac<Sha256>>(&key, part.as_bytes());
        }
        format!("{:x}", mac::<Hmac<Sha256>>(&key, string_to_sign))
    }
}

/// The day of an instant as a scope spells it.
fn day(time: Timestamp) -> String {
    time.strftime("%Y%m%d").to_string()
}

/// The names of a list of additional headers, each once, in order.
fn names(list: Option<&str>) -> Vec<&str> {
    let mut names: Vec<&str> = list.into_iter().flat_map(|list| list.split(';')).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn canonical_request(request: &Request<'_>, additional: &[&str]) -> Vec<u8> {
    let mut canonical = Vec::with_capacity(1024);
    canonical.extend_from_slice(request.method.as_str().as_bytes());
    canonical.push(b'\n');
    canonical.extend(utf8_percent_encode(&request.resource(), RESERVED_IN_PATH).flat_map(str::bytes));
    canonical.push(b'\n');
    let encode = |text: &str| utf8_percent_encode(text, RESERVED).to_string();
    let mut query: Vec<(String, String)> = request
        .query
        .iter()
        .filter(|(name, _)| name != "x-oss-signature")
        .map(|(name, value)| (encode(name), encode(value)))
        .collect();
    query.sort_unstable();
    for (position, (name, value)) in query.into_iter().enumerate() {
        if position > 0 {
            canonical.push(b'&');
        }
        canonical.extend_from_slice(name.as_bytes());
        if !value.is_empty() {
            canonical.push(b'=');
            canonical.extend_from_slice(value.as_bytes());
        }
    }
    canonical.push(b'\n');
    let signed = |name: &str| {
        name.starts_with("x-oss-")
            || matches!(name, "content-type" | "content-md5")
            || additional.binary_search(&name).is_ok()
    };
    request.push_headers(signed, &mut canonical);
    canonical.push(b'\n');
    canonical.extend_from_slice(additional.join(";").as_bytes());
    canonical.push(b'\n');
    canonical.extend_from_slice(UNSIGNED_PAYLOAD.as_bytes());
    canonical
}
