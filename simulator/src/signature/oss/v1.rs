//! OSS V1: HMAC-SHA1 in base64 over the method, three headers, the `x-oss-` headers and the resource.
//!
//! In a link, the second until which it is good stands where the date stands in a request.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::Hmac;
use jiff::Timestamp;
use sha1::Sha1;

use super::{
    super::{
        Claim, Pair, Refusal, Secret,
        claim::{Scheme, Validity},
        find, mac, time,
    },
    OssRefusal, Request, argument,
};

/// The parameters that belong to the resource and are signed with it, in addition to all that start with `x-oss-`.
///
/// These are all that the Python SDK (oss2 2.19) or the Go SDK (3.0) knows; sorted.
const SUB_RESOURCES: &[&str] = &[
    "accessPoint",
    "accessPointPolicy",
    "acl",
    "append",
    "asyncFetch",
    "bucketArchiveDirectRead",
    "bucketInfo",
    "callback",
    "callback-var",
    "cloudboxes",
    "cname",
    "comp",
    "continuation-token",
    "cors",
    "delete",
    "encryption",
    "endTime",
    "group",
    "httpsConfig",
    "img",
    "inventory",
    "inventoryId",
    "lifecycle",
    "link",
    "live",
    "location",
    "logging",
    "metaQuery",
    "objectInfo",
    "objectMeta",
    "partNumber",
    "policy",
    "position",
    "publicAccessBlock",
    "qos",
    "qosInfo",
    "qosRequester",
    "redundancyTransition",
    "referer",
    "regionList",
    "replication",
    "replicationLocation",
    "replicationProgress",
    "requestPayment",
    "requesterQosInfo",
    "resourceGroup",
    "resourcePool",
    "resourcePoolBuckets",
    "resourcePoolInfo",
    "response-cache-control",
    "response-content-disposition",
    "response-content-encoding",
    "response-content-language",
    "response-content-type",
    "response-expires",
    "restore",
    "security-token",
    "sequential",
    "startTime",
    "stat",
    "status",
    "style",
    "styleName",
    "symlink",
    "tagging",
    "transferAcceleration",
    "udf",
    "udfApplication",
    "udfApplicationLog",
    "udfId",
    "udfImage",
    "udfImageDesc",
    "udfName",
    "uploadId",
    "uploads",
    "versionId",
    "versioning",
    "versions",
    "vod",
    "website",
    "withHashContext",
    "worm",
    "wormExtend",
    "wormId",
];

/// The value of `Authorization` for a request that has its date and all its other headers.
pub fn sign(request: &Request<'_>, access_key: &str, secret: &Secret) -> Result<String, Refusal> {
    let (date, _) = time::of_headers(request.headers).ok_or(OssRefusal::Date)?;
    Ok(format!("OSS {access_key}:{}", signature(&string_to_sign(request, date), secret)))
}

/// The value of the parameter `Signature` for a link that has its `Expires`.
pub fn sign_link(request: &Request<'_>, secret: &Secret) -> Result<String, Refusal> {
    let expires = find(request.query, "Expires").ok_or(OssRefusal::Link("Expires"))?;
    Ok(signature(&string_to_sign(request, expires), secret))
}

pub(super) fn claim_of_header<'a>(request: &Request<'a>, fields: &'a str) -> Result<Claim<'a>, Refusal> {
    let (access_key, signature) = fields
        .split_once(':')
        .filter(|(access_key, signature)| !access_key.trim().is_empty() && !signature.is_empty())
        .ok_or_else(|| argument("Authorization header is invalid."))?;
    let (date, time) = time::of_headers(request.headers).ok_or(OssRefusal::Date)?;
    Ok(Claim {
        access_key,
        security_token: request.header("x-oss-security-token"),
        nonce: None,
        region: None,
        scheme: Scheme::OssV1,
        validity: Validity::OssRequest(time),
        string_to_sign: string_to_sign(request, date),
        signature,
    })
}

pub(super) fn claim_of_link<'a>(request: &Request<'a>) -> Result<Claim<'a>, Refusal> {
    let required = |name| find(request.query, name).ok_or(OssRefusal::Link(name));
    let access_key = required("OSSAccessKeyId")?;
    let signature = required("Signature")?;
    let expires = required("Expires")?;
    let until = expires.parse().ok().and_then(|second| Timestamp::from_second(second).ok());
    Ok(Claim {
        access_key,
        security_token: find(request.query, "security-token"),
        nonce: None,
        region: None,
        scheme: Scheme::OssV1,
        validity: Validity::OssLink { from: Timestamp::MIN, until: until.ok_or(OssRefusal::Link("Expires"))? },
        string_to_sign: string_to_sign(request, expires),
        signature,
    })
}

pub(in super::super) fn signature(string_to_sign: &[u8], secret: &Secret) -> String {
    BASE64_STANDARD.encode(mac::<Hmac<Sha1>>(secret.as_bytes(), string_to_sign))
}

fn string_to_sign(request: &Request<'_>, date: &str) -> Vec<u8> {
    let mut canonical = Vec::with_capacity(512);
    canonical.extend_from_slice(request.method.as_str().as_bytes());
    canonical.push(b'\n');
    for name in ["content-md5", "content-type"] {
        canonical.extend_from_slice(request.headers.get(name).map_or(b"", |value| value.as_bytes()));
        canonical.push(b'\n');
    }
    canonical.extend_from_slice(date.as_bytes());
    canonical.push(b'\n');
    request.push_headers(|name| name.starts_with("x-oss-"), &mut canonical);
    canonical.extend_from_slice(request.resource().as_bytes());
    let signed =
        |(name, _): &&Pair<'_>| name.starts_with("x-oss-") || SUB_RESOURCES.binary_search(&name.as_ref()).is_ok();
    let mut sub_resources: Vec<&Pair<'_>> = request.query.iter().filter(signed).collect();
    sub_resources.sort_unstable();
    for (position, (name, value)) in sub_resources.into_iter().enumerate() {
        canonical.push(if position == 0 { b'?' } else { b'&' });
        canonical.extend_from_slice(name.as_bytes());
        if !value.is_empty() {
            canonical.push(b'=');
            canonical.extend_from_slice(value.as_bytes());
        }
    }
    canonical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sub_resources_are_sorted_to_be_searched() {
        assert!(SUB_RESOURCES.is_sorted_by(|name, next| name < next));
    }
}
