//! The signature of every service but OSS: `ACS3-HMAC-SHA256`.
//!
//! The signature covers the method, the path, the query, some headers, and the hash of the body. The secret itself
//! is the key. Source: Alibaba Cloud, "V3 request structure and signature".

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hmac::{Hmac, Mac as _};
use percent_encoding::utf8_percent_encode;
use sha2::{Digest as _, Sha256};

use super::access_key::AccessKey;
use crate::call::rest::RESERVED;
use crate::credentials::Credential as _;

const ALGORITHM: &str = "ACS3-HMAC-SHA256";

/// Headers by name, in lower case.
pub(super) type Headers = BTreeMap<&'static str, String>;

/// The parts of a request that the signature covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// The query, as [`encode`] writes it.
    pub(super) query: &'a str,
    /// The headers to sign. `x-acs-content-sha256` is the [`hash`] of the body.
    pub(super) headers: &'a Headers,
}

/// The value of the header `Authorization`.
pub(super) fn sign(request: Request<'_>, key: &AccessKey) -> String {
    let names = request.headers.keys().copied().collect::<Vec<_>>().join(";");
    let canonical = canonical(request, &names);
    let to_sign = format!("{ALGORITHM}\n{}", hash(canonical.as_bytes()));
    let signature = mac(key.secret(), &to_sign);
    format!("{ALGORITHM} Credential={},SignedHeaders={names},Signature={signature}", key.id())
}

fn canonical(request: Request<'_>, names: &str) -> String {
    let Request { method, path, query, headers } = request;
    let mut canonical = format!("{method}\n{path}\n{query}\n");
    for (name, value) in headers {
        // Writing to a text cannot fail.
        let _ = writeln!(canonical, "{name}:{}", value.trim());
    }
    let payload = headers.get("x-acs-content-sha256").map(String::as_str).unwrap_or_default();
    let _ = write!(canonical, "\n{names}\n{payload}");
    canonical
}

fn mac(secret: &str, text: &str) -> String {
    // A key may have any length.
    Hmac::<Sha256>::new_from_slice(secret.as_bytes())
        .map(|mac| format!("{:x}", mac.chain_update(text).finalize().into_bytes()))
        .unwrap_or_default()
}

/// The hash of a body.
pub(super) fn hash(body: &[u8]) -> String {
    format!("{:x}", Sha256::digest(body))
}

/// Parameters as a query or a form has them, in the order of the signature.
pub(super) fn encode(pairs: &[(String, String)]) -> String {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_unstable();
    let mut text = String::new();
    for (name, value) in pairs {
        if !text.is_empty() {
            text.push('&');
        }
        text.extend(utf8_percent_encode(name, RESERVED));
        text.push('=');
        text.extend(utf8_percent_encode(value, RESERVED));
    }
    text
}

#[cfg(test)]
mod tests;
