//! The newer signature of all services but OSS: `ACS3-HMAC-SHA256`, sent in the header `Authorization`.
//!
//! It signs the method, the path, the query, the headers that it lists, and the hash of the body. What has to be
//! listed are `host` and every `x-acs-` header of the request. Its key is the secret itself. Source: Alibaba
//! Cloud, "V3 request structure and signature".

use hmac::Hmac;
use hyper::{
    HeaderMap, Method,
    header::{AUTHORIZATION, HeaderName},
};
use percent_encoding::utf8_percent_encode;
use sha2::{Digest, Sha256};

use super::{
    Claim, Pair, RESERVED, Refusal, Secret,
    claim::{Scheme, Validity},
    mac, time,
};

const ALGORITHM: &str = "ACS3-HMAC-SHA256";

/// The headers that every request has, with the names that errors have for them.
const REQUIRED: [(&str, &str); 6] = [
    ("host", "Host"),
    ("x-acs-action", "Action"),
    ("x-acs-version", "Version"),
    ("x-acs-date", "Timestamp"),
    ("x-acs-signature-nonce", "SignatureNonce"),
    ("x-acs-content-sha256", "ContentSha256"),
];

/// All of a request that is signed.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The HTTP method.
    pub method: &'a Method,
    /// The path as it was sent, percent-encoded.
    pub path: &'a str,
    /// The parameters of the query, in any order.
    pub query: &'a [Pair<'a>],
    /// All headers.
    pub headers: &'a HeaderMap,
    /// The whole body, as sent.
    pub body: &'a [u8],
}

/// Reads who has sent a request.
///
/// A body that is not the one of `x-acs-content-sha256` is refused here, as a signature that does not match.
pub fn claim<'a>(request: &Request<'a>) -> Result<Claim<'a>, Refusal> {
    let authorization = request.headers.get(AUTHORIZATION).ok_or(Refusal::Missing("AccessKeyId"))?;
    let Authorization { access_key, signed_headers, signature } =
        Authorization::parse(authorization.to_str().map_err(|_| Refusal::Incomplete)?)?;
    let header = |name| request.headers.get(name).and_then(|value| value.to_str().ok());
    for (name, parameter) in REQUIRED {
        if header(name).is_none_or(str::is_empty) {
            return Err(Refusal::Missing(parameter));
        }
    }
    let names: Vec<&str> = signed_headers.split(';').collect();
    // The order is strict, also because a name that came a thousand times would be signed a thousand times.
    let listed = |name: &str| names.binary_search(&name).is_ok();
    let to_list = |name: &str| name == "host" || name.starts_with("x-acs-");
    if !names.is_sorted_by(|name, next| name < next)
        || !request.headers.keys().all(|name| !to_list(name.as_str()) || listed(name.as_str()))
    {
        return Err(Refusal::Incomplete);
    }
    let time = header("x-acs-date").and_then(time::extended).ok_or(Refusal::TimestampFormat)?;
    let payload = content_sha256(request.body);
    let canonical_request = canonical_request(request, &names, signed_headers, &payload);
    let claim = Claim {
        access_key,
        security_token: header("x-acs-security-token").filter(|token| !token.is_empty()),
        nonce: header("x-acs-signature-nonce"),
        region: None,
        validity: Validity::Request(time),
        string_to_sign: string_to_sign(&canonical_request),
        scheme: Scheme::Acs3 { canonical_request },
        signature,
    };
    if header("x-acs-content-sha256") == Some(payload.as_str()) { Ok(claim) } else { Err(claim.mismatch()) }
}

/// The value of `Authorization` for a request that has all its other headers.
///
/// Signs `host`, `content-type` and every `x-acs-` header.
pub fn sign(request: &Request<'_>, access_key: &str, secret: &Secret) -> String {
    let signed = |name: &&str| matches!(*name, "host" | "content-type") || name.starts_with("x-acs-");
    let mut names: Vec<&str> = request.headers.keys().map(HeaderName::as_str).filter(signed).collect();
    names.sort_unstable();
    let signed_headers = names.join(";");
    let canonical_request = canonical_request(request, &names, &signed_headers, &content_sha256(request.body));
    let signature = signature(&string_to_sign(&canonical_request), secret);
    format!("{ALGORITHM} Credential={access_key},SignedHeaders={signed_headers},Signature={signature}")
}

/// The value of `x-acs-content-sha256` for a body: its SHA-256 in lower-case hex.
pub fn content_sha256(body: &[u8]) -> String {
    format!("{:x}", Sha256::digest(body))
}

pub(super) fn signature(string_to_sign: &[u8], secret: &Secret) -> String {
    format!("{:x}", mac::<Hmac<Sha256>>(secret.as_bytes(), string_to_sign))
}

/// The three fields of an `Authorization` header.
struct Authorization<'a> {
    access_key: &'a str,
    signed_headers: &'a str,
    signature: &'a str,
}

impl<'a> Authorization<'a> {
    fn parse(header: &'a str) -> Result<Self, Refusal> {
        let (algorithm, fields) = header.split_once(' ').ok_or(Refusal::Incomplete)?;
        if algorithm != ALGORITHM {
            return Err(Refusal::Method);
        }
        let (mut access_key, mut signed_headers, mut signature) = (None, None, None);
        for field in fields.split(',') {
            let (name, value) = field.trim().split_once('=').ok_or(Refusal::Incomplete)?;
            let place = match name {
                "Credential" => &mut access_key,
                "SignedHeaders" => &mut signed_headers,
                "Signature" => &mut signature,
                _ => return Err(Refusal::Incomplete),
            };
            if value.is_empty() || place.replace(value).is_some() {
                return Err(Refusal::Incomplete);
            }
        }
        match (access_key, signed_headers, signature) {
            (Some(access_key), Some(signed_headers), Some(signature)) => {
                Ok(Self { access_key, signed_headers, signature })
            }
            _ => Err(Refusal::Incomplete),
        }
    }
}

fn string_to_sign(canonical_request: &[u8]) -> Vec<u8> {
    format!("{ALGORITHM}\n{}", content_sha256(canonical_request)).into_bytes()
}

/// The request in the one form that both sides hash. Headers may hold any bytes, and so may this.
fn canonical_request(request: &Request<'_>, names: &[&str], signed_headers: &str, payload: &str) -> Vec<u8> {
    let mut canonical = Vec::with_capacity(1024);
    canonical.extend_from_slice(request.method.as_str().as_bytes());
    canonical.push(b'\n');
    canonical.extend_from_slice(if request.path.is_empty() { b"/" } else { request.path.as_bytes() });
    canonical.push(b'\n');
    let mut query: Vec<&Pair<'_>> = request.query.iter().collect();
    query.sort_unstable();
    for (position, (name, value)) in query.into_iter().enumerate() {
        if position > 0 {
            canonical.push(b'&');
        }
        canonical.extend(utf8_percent_encode(name, RESERVED).flat_map(str::bytes));
        canonical.push(b'=');
        canonical.extend(utf8_percent_encode(value, RESERVED).flat_map(str::bytes));
    }
    canonical.push(b'\n');
    for name in names {
        canonical.extend_from_slice(name.as_bytes());
        canonical.push(b':');
        let mut values: Vec<&[u8]> =
            request.headers.get_all(*name).iter().map(|value| value.as_bytes().trim_ascii()).collect();
        values.sort_unstable();
        canonical.extend_from_slice(&values.join(&b','));
        canonical.push(b'\n');
    }
    canonical.push(b'\n');
    canonical.extend_from_slice(signed_headers.as_bytes());
    canonical.push(b'\n');
    canonical.extend_from_slice(payload.as_bytes());
    canonical
}

#[cfg(test)]
mod tests;
