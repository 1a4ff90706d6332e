//! Signatures of OSS: V1 and V4, in the header `Authorization` or in the query of a link.
//!
//! Which headers and sub-resources are signed follows the Python SDK and the two Go SDKs. Neither version has a
//! nonce: the same request may be sent again. The versions that OSS has left behind (V2) are refused.

use hyper::{
    HeaderMap, Method,
    header::{AUTHORIZATION, HeaderName},
};

use super::{Claim, Pair, Refusal};

pub mod v1;
pub mod v4;

pub use super::oss_refusal::OssRefusal;

/// All of a request that is signed.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The HTTP method.
    pub method: &'a Method,
    /// The bucket, of the host or of the path; none when the request is to the service.
    pub bucket: Option<&'a str>,
    /// The name of the object, decoded; empty when the request is to the bucket.
    pub key: &'a str,
    /// The parameters of the query, in any order.
    pub query: &'a [Pair<'a>],
    /// All headers.
    pub headers: &'a HeaderMap,
}

/// Reads who has sent a request, whichever way it is signed.
pub fn claim<'a>(request: &Request<'a>) -> Result<Claim<'a>, Refusal> {
    let has = |name| request.query.iter().any(|(key, _)| key == name);
    let link_v4 = has("x-oss-signature-version") || has("x-oss-signature");
    let link_v1 = has("OSSAccessKeyId") || has("Signature");
    match request.headers.get(AUTHORIZATION) {
        None if link_v4 => v4::claim_of_link(request),
        None if link_v1 => v1::claim_of_link(request),
        None => Err(OssRefusal::Anonymous.into()),
        Some(_) if link_v4 || link_v1 => {
            Err(argument("Signature is not allowed in both the Authorization header and the URL."))
        }
        Some(authorization) => {
            let invalid = || argument("Authorization header is invalid.");
            let authorization = authorization.to_str().map_err(|_| invalid())?;
            match authorization.split_once(' ') {
                Some(("OSS", fields)) => v1::claim_of_header(request, fields),
                Some((v4::ALGORITHM, fields)) => v4::claim_of_header(request, fields),
                _ => Err(invalid()),
            }
        }
    }
}

impl<'a> Request<'a> {
    /// The text of a header, when it has one that is not empty.
    fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty())
    }

    /// `/bucket/key`, as both versions start their resource.
    fn resource(&self) -> String {
        self.bucket.map_or_else(|| "/".to_owned(), |bucket| format!("/{bucket}/{}", self.key))
    }

    /// Appends `name:value\n` for each header that is to be signed, in the order of their names.
    fn push_headers(&self, signed: impl Fn(&str) -> bool, canonical: &mut Vec<u8>) {
        let mut names: Vec<&str> =
            self.headers.keys().map(HeaderName::as_str).filter(|name| signed(name)).collect();
        names.sort_unstable();
        for name in names {
            canonical.extend_from_slice(name.as_bytes());
            canonical.push(b':');
            for (position, value) in self.headers.get_all(name).iter().enumerate() {
                if position > 0 {
                    canonical.push(b',');
                }
                canonical.extend_from_slice(value.as_bytes().trim_ascii());
            }
            canonical.push(b'\n');
        }
    }
}

fn argument(message: impl Into<String>) -> Refusal {
    OssRefusal::Argument(message.into()).into()
}

#[cfg(test)]
mod tests;
