//! The older signature of RPC services: all query and form parameters, HMAC-SHA1, `SignatureVersion=1.0`.
//!
//! `StringToSign = METHOD & "%2F" & encode(canonical query)`, its key is the secret and `&`, and the signature is
//! sent in base64 as the parameter `Signature`. The service documents `HMAC-SHA1` alone; `HMAC-SHA256` is taken as
//! well, since the PHP SDK has it.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::Hmac;
use hyper::Method;
use percent_encoding::utf8_percent_encode;
use sha1::Sha1;
use sha2::Sha256;

use super::{
    Claim, Pair, RESERVED, Refusal, Secret,
    claim::{Digest, Scheme, Validity},
    find, mac, time,
};

/// Reads who has sent a request, from all its parameters of query and form in any order.
pub fn claim<'a>(method: &Method, pairs: &'a [Pair<'_>]) -> Result<Claim<'a>, Refusal> {
    let required = |name| find(pairs, name).ok_or(Refusal::Missing(name));
    let access_key = required("AccessKeyId")?;
    let signature = required("Signature")?;
    let digest = Digest::of(required("SignatureMethod")?)?;
    if required("SignatureVersion")? != "1.0" {
        return Err(Refusal::Version);
    }
    let nonce = required("SignatureNonce")?;
    let time = time::extended(required("Timestamp")?).ok_or(Refusal::TimestampFormat)?;
    Ok(Claim {
        access_key,
        security_token: find(pairs, "SecurityToken"),
        nonce: Some(nonce),
        region: None,
        scheme: Scheme::Rpc(digest),
        validity: Validity::Request(time),
        string_to_sign: string_to_sign(method, pairs).into_bytes(),
        signature,
    })
}

/// The value of `Signature` for a request with these parameters, by the `SignatureMethod` that they name.
pub fn sign(method: &Method, pairs: &[Pair<'_>], secret: &Secret) -> Result<String, Refusal> {
    let digest = Digest::of(find(pairs, "SignatureMethod").ok_or(Refusal::Missing("SignatureMethod"))?)?;
    Ok(digest.signature(string_to_sign(method, pairs).as_bytes(), secret))
}

impl Digest {
    fn of(signature_method: &str) -> Result<Self, Refusal> {
        match signature_method {
            "HMAC-SHA1" => Ok(Self::Sha1),
            "HMAC-SHA256" => Ok(Self::Sha256),
            _ => Err(Refusal::Method),
        }
    }

    pub(super) fn signature(self, string_to_sign: &[u8], secret: &Secret) -> String {
        let key = [secret.as_bytes(), b"&"].concat();
        match self {
            Self::Sha1 => BASE64_STANDARD.encode(mac::<Hmac<Sha1>>(&key, string_to_sign)),
            Self::Sha256 => BASE64_STANDARD.encode(mac::<Hmac<Sha256>>(&key, string_to_sign)),
        }
    }
}

fn string_to_sign(method: &Method, pairs: &[Pair<'_>]) -> String {
    let mut signed: Vec<&Pair<'_>> = pairs.iter().filter(|(name, _)| name != "Signature").collect();
    signed.sort_unstable();
    let size: usize = signed.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    let mut query = String::with_capacity(size * 3 / 2);
    for (name, value) in signed {
        if !query.is_empty() {
            query.push('&');
        }
        query.extend(utf8_percent_encode(name, RESERVED));
        query.push('=');
        query.extend(utf8_percent_encode(value, RESERVED));
    }
    let mut string_to_sign = String::with_capacity(query.len() * 3 / 2);
    string_to_sign.push_str(method.as_str());
    string_to_sign.push_str("&%2F&");
    string_to_sign.extend(utf8_percent_encode(&query, RESERVED));
    string_to_sign
}

#[cfg(test)]
mod tests;
