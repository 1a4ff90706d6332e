//! The routes of OSS: the action that a request asks for.

use hyper::Method;

use crate::action::{Action, CloudError};
use crate::service::oss::SERVICE;
use crate::service::oss::errors::{METHOD_NOT_ALLOWED, NOT_IMPLEMENTED};

/// The kind of thing that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All buckets.
    Service,
    /// A bucket.
    Bucket,
    /// An object.
    Object,
}

/// The body that a request of the action has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Nothing.
    None,
    /// The content of an object.
    Content,
    /// XML with this root.
    Xml(&'static str),
}

/// The form of requests for an action.
#[derive(Debug)]
pub struct Route {
    method: &'static str,
    level: Level,
    /// The names of the query, and [`COPY`], that select this action.
    selectors: &'static [&'static str],
    /// The action.
    pub action: &'static str,
    /// Its body.
    pub body: Body,
    /// The status of its answer.
    pub status: u16,
}

/// The header that makes a copy of a write.
pub const COPY: &str = "x-oss-copy-source";

const fn route(
    method: &'static str,
    level: Level,
    selectors: &'static [&'static str],
    action: &'static str,
) -> Route {
    let status = if matches!(method.as_bytes(), b"DELETE") { 204 } else { 200 };
    Route { method, level, selectors, action, body: Body::None, status }
}

impl Route {
    const fn takes(self, body: Body) -> Self {
        Self { body, ..self }
    }
}

/// Each action of this service.
pub static ROUTES: &[Route] = {
    use Level::{Bucket, Object, Service};
    &[
        route("GET", Service, &[], "ListBuckets"),
        route("PUT", Bucket, &[], "PutBucket").takes(Body::Xml("CreateBucketConfiguration")),
        route("DELETE", Bucket, &[], "DeleteBucket"),
        route("GET", Bucket, &["bucketInfo"], "GetBucketInfo"),
        route("GET", Bucket, &["location"], "GetBucketLocation"),
        route("PUT", Bucket, &["acl"], "PutBucketAcl"),
        route("GET", Bucket, &["acl"], "GetBucketAcl"),
        route("PUT", Bucket, &["encryption"], "PutBucketEncryption").takes(Body::Xml("ServerSideEncryptionRule")),
        route("GET", Bucket, &["encryption"], "GetBucketEncryption"),
        route("DELETE", Bucket, &["encryption"], "DeleteBucketEncryption"),
        route("PUT", Bucket, &["lifecycle"], "PutBucketLifecycle").takes(Body::Xml("LifecycleConfiguration")),
        route("GET", Bucket, &["lifecycle"], "GetBucketLifecycle"),
        route("DELETE", Bucket, &["lifecycle"], "DeleteBucketLifecycle"),
        route("POST", Bucket, &["worm"], "InitiateBucketWorm").takes(Body::Xml("InitiateWormConfiguration")),
        route("GET", Bucket, &["worm"], "GetBucketWorm"),
        route("DELETE", Bucket, &["worm"], "AbortBucketWorm"),
        route("POST", Bucket, &["wormId"], "CompleteBucketWorm"),
        route("POST", Bucket, &["wormExtend", "wormId"], "ExtendBucketWorm")
            .takes(Body::Xml("ExtendWormConfiguration")),
        route("GET", Bucket, &[], "ListObjects"),
        route("GET", Bucket, &["list-type"], "ListObjectsV2"),
        route("POST", Bucket, &["delete"], "DeleteMultipleObjects").takes(Body::Xml("Delete")),
        route("GET", Bucket, &["uploads"], "ListMultipartUploads"),
        route("PUT", Object, &[], "PutObject").takes(Body::Content),
        route("PUT", Object, &[COPY], "CopyObject"),
        route("GET", Object, &[], "GetObject"),
        route("HEAD", Object, &[], "HeadObject"),
        route("HEAD", Object, &["objectMeta"], "GetObjectMeta"),
        route("DELETE", Object, &[], "DeleteObject"),
        route("PUT", Object, &["tagging"], "PutObjectTagging").takes(Body::Xml("Tagging")),
        route("GET", Object, &["tagging"], "GetObjectTagging"),
        route("DELETE", Object, &["tagging"], "DeleteObjectTagging"),
        route("POST", Object, &["uploads"], "InitiateMultipartUpload"),
        route("PUT", Object, &["partNumber", "uploadId"], "UploadPart").takes(Body::Content),
        route("POST", Object, &["uploadId"], "CompleteMultipartUpload")
            .takes(Body::Xml("CompleteMultipartUpload")),
        route("DELETE", Object, &["uploadId"], "AbortMultipartUpload"),
        route("GET", Object, &["uploadId"], "ListParts"),
    ]
};

/// The cloud's further selectors, whose actions the simulator leaves out.
pub const LEFT_OUT: &[&str] = &[
    "accessmonitor",
    "accessPoint",
    "accessPointPolicy",
    "append",
    "asyncFetch",
    "bucketArchiveDirectRead",
    "callback",
    "cleanRestoredObject",
    "cname",
    "comp",
    "cors",
    "endTime",
    "group",
    "httpsConfig",
    "img",
    "inventory",
    "inventoryId",
    "legalHold",
    "link",
    "live",
    "logging",
    "metaQuery",
    "objectInfo",
    "objectWorm",
    "policy",
    "policyStatus",
    "position",
    "publicAccessBlock",
    "qos",
    "qosInfo",
    "qosRequester",
    "redundancyTransition",
    "referer",
    "regionList",
    "regions",
    "replication",
    "replicationLocation",
    "replicationProgress",
    "requesterQosInfo",
    "requestPayment",
    "resourceGroup",
    "resourcePool",
    "resourcePoolBuckets",
    "resourcePoolInfo",
    "restore",
    "retention",
    "rtc",
    "seal",
    "sequential",
    "stat",
    "style",
    "styleName",
    "symlink",
    "transferAcceleration",
    "udf",
    "versionId",
    "versioning",
    "versions",
    "vod",
    "website",
    "x-oss-async-process",
    "x-oss-process",
    "x-oss-traffic-limit",
    "x-oss-request-payer",
];

/// Whether a name of the query selects an action.
pub(super) fn selects(name: &str) -> bool {
    LEFT_OUT.contains(&name) || ROUTES.iter().any(|route| route.selectors.contains(&name))
}

/// The route of a request with these selectors.
pub(super) fn find(
    method: &Method,
    level: Level,
    selectors: &[&str],
) -> Result<(&'static Route, &'static Action), CloudError> {
    let asks = |route: &&Route| {
        route.level == level
            && route.selectors.len() == selectors.len()
            && route.selectors.iter().all(|name| selectors.contains(name))
    };
    let mut routes = ROUTES.iter().filter(asks).peekable();
    if routes.peek().is_none() {
        let named = if selectors.is_empty() { "This".to_owned() } else { format!("?{}", selectors.join("&")) };
        return Err(NOT_IMPLEMENTED.because(format!("{named} is not implemented here.")));
    }
    let route = routes.find(|route| route.method == method.as_str()).ok_or(&METHOD_NOT_ALLOWED)?;
    let action = SERVICE.action(route.action).ok_or(&NOT_IMPLEMENTED)?;
    Ok((route, action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_action_has_a_route_and_each_route_an_action() {
        let mut routed: Vec<_> = ROUTES.iter().map(|route| route.action).collect();
        let mut declared: Vec<_> = SERVICE.actions().map(|action| action.name).collect();
        routed.sort_unstable();
        declared.sort_unstable();
        assert_eq!(routed, declared);
    }

    #[test]
    fn what_has_no_route_is_refused() {
        for (method, level, selectors, code) in [
            (Method::POST, Level::Service, &[][..], "MethodNotAllowed"),
            (Method::PATCH, Level::Object, &[], "MethodNotAllowed"),
            (Method::PUT, Level::Bucket, &["location"], "MethodNotAllowed"),
            (Method::GET, Level::Bucket, &["cors"], "NotImplemented"),
            (Method::GET, Level::Object, &["acl"], "NotImplemented"),
            (Method::GET, Level::Bucket, &["acl", "location"], "NotImplemented"),
            (Method::PUT, Level::Object, &[COPY, "partNumber", "uploadId"], "NotImplemented"),
        ] {
            assert_eq!(find(&method, level, selectors).unwrap_err().error.code, code, "{method} {selectors:?}");
        }
    }
}
