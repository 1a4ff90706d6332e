//! A request of OSS: its action, its parameters, and the sender that it claims.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method};
use md5::{Digest as _, Md5};

use super::address::{Address, Host};
use super::place::{Place, place};
use super::routes::{self, Body, COPY, Level, Route};
use super::xml;
use crate::action::{Action, CloudError};
use crate::regions;
use crate::service::oss::errors::{INVALID_ARGUMENT, INVALID_DIGEST, NOT_IMPLEMENTED};
use crate::signature::{Claim, Pair, Refusal, oss};

/// The writer's own headers.
const META: &str = "x-oss-meta-";
/// Headers that belong to the signature.
const SIGNING_HEADERS: [&str; 4] =
    ["x-oss-additional-headers", "x-oss-content-sha256", "x-oss-date", "x-oss-security-token"];
/// Names of the query that belong to the signature.
const SIGNING_QUERY: [&str; 11] = [
    "Expires",
    "OSSAccessKeyId",
    "Signature",
    "security-token",
    "x-oss-additional-headers",
    "x-oss-credential",
    "x-oss-date",
    "x-oss-expires",
    "x-oss-security-token",
    "x-oss-signature",
    "x-oss-signature-version",
];

/// Whether a request is sent to a host of OSS, whose paths are all its own.
pub fn is_hosted(head: &Parts) -> bool {
    Host::read(host(head)).is_ours()
}

/// Whether a request is one to OSS: all other services are asked at the root, with GET or POST, and with other
/// signatures.
pub fn is_request(head: &Parts) -> bool {
    let signed = head.headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
    match signed {
        Some(value) if value.starts_with(b"OSS ") || value.starts_with(b"OSS4-") => return true,
        Some(value) if value.starts_with(b"ACS3-") => return false,
        _ => {}
    }
    head.uri.path() != "/"
        || !(head.method == Method::GET || head.method == Method::POST)
        || is_hosted(head)
        || pairs(head).iter().any(|(name, _)| name == "OSSAccessKeyId" || name == "x-oss-signature-version")
}

fn host(head: &Parts) -> &str {
    let header = head.headers.get(HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| head.uri.authority().map(Authority::as_str)).unwrap_or_default()
}

fn pairs(head: &Parts) -> Vec<Pair<'_>> {
    form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).collect()
}

/// A request.
#[derive(Debug)]
pub struct Request<'a> {
    head: &'a Parts,
    /// The host that it was sent to.
    pub host: &'a str,
    /// Its address.
    pub address: Address,
    query: Vec<Pair<'a>>,
    pub(super) route: &'static Route,
    /// The action that it asks for.
    pub action: &'static Action,
}

impl<'a> Request<'a> {
    /// Reads what the head of a request asks for.
    pub fn read(head: &'a Parts) -> Result<Self, CloudError> {
        let host = host(head);
        let address = Address::read(host, head.uri.path())?;
        let query = pairs(head);
        let level = match (&address.bucket, &address.key) {
            (None, _) => Level::Service,
            (Some(_), None) => Level::Bucket,
            (Some(_), Some(_)) => Level::Object,
        };
        let mut selectors: Vec<&str> =
            query.iter().map(|(name, _)| name.as_ref()).filter(|name| routes::selects(name)).collect();
        if head.headers.contains_key(COPY) {
            selectors.push(COPY);
        }
        let (route, action) = routes::find(&head.method, level, &selectors)?;
        Ok(Self { head, host, address, query, route, action })
    }

    /// Whether its body is the content of an object.
    pub fn takes_content(&self) -> bool {
        self.route.body == Body::Content
    }

    /// The sender that the request claims.
    pub fn claim(&'a self) -> Result<Claim<'a>, Refusal> {
        oss::claim(&oss::Request {
            method: &self.head.method,
            bucket: self.address.bucket.as_deref(),
            key: self.address.key.as_deref().unwrap_or_default(),
            query: &self.query,
            headers: &self.head.headers,
        })
    }

    /// The region that the host names, or else the signature, of the [claim](Self::claim).
    pub fn region(&self, claim: &Claim<'_>) -> Result<Option<&'static str>, CloudError> {
        let Some(signed) = claim.region else { return Ok(self.address.region) };
        match (regions::region(signed), self.address.region) {
            (Some(signed), None) => Ok(Some(signed.id)),
            (Some(signed), Some(named)) if signed.id == named => Ok(Some(named)),
            _ => Err(INVALID_ARGUMENT.because("Invalid signing region in Authorization header.")),
        }
    }

    /// Its parameters, named as the action declares them, and the content of an object, if its body is one.
    pub fn parameters(&self, body: Bytes) -> Result<(Vec<(String, String)>, Bytes), CloudError> {
        check(&self.head.headers, &body)?;
        let mut parameters = Vec::new();
        let Address { bucket, key, region } = &self.address;
        for (name, value) in [("bucket", bucket.as_deref()), ("key", key.as_deref()), ("endpoint", *region)] {
            parameters.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        }
        self.query_parameters(&mut parameters)?;
        self.header_parameters(&mut parameters)?;
        let content = match self.route.body {
            Body::Content => body,
            Body::Xml(root) => {
                parameters.extend(xml::parameters(&body, root, self.action)?);
                Bytes::new()
            }
            Body::None if body.is_empty() => Bytes::new(),
            Body::None => return Err(INVALID_ARGUMENT.because(format!("{} takes no body.", self.action.name))),
        };
        Ok((parameters, content))
    }

    fn query_parameters(&self, parameters: &mut Vec<(String, String)>) -> Result<(), CloudError> {
        for (name, value) in &self.query {
            let declared = self.action.parameter(name).is_some() && place(name) == Place::Query;
            if !declared && (SIGNING_QUERY.contains(&name.as_ref()) || routes::selects(name)) {
                continue;
            }
            if !declared {
                return Err(INVALID_ARGUMENT.because(format!("The parameter {name} is unknown.")));
            }
            if parameters.iter().any(|(known, _)| known == name) {
                return Err(INVALID_ARGUMENT.because(format!("The parameter {name} is there more than once.")));
            }
            parameters.push((name.clone().into_owned(), value.clone().into_owned()));
        }
        Ok(())
    }

    fn header_parameters(&self, parameters: &mut Vec<(String, String)>) -> Result<(), CloudError> {
        let mut own = 0;
        for name in self.head.headers.keys().map(HeaderName::as_str) {
            let declared = self.action.parameters.iter().find(|parameter| {
                place(parameter.name) == Place::Header && parameter.name.eq_ignore_ascii_case(name)
            });
            let value = || text(&self.head.headers, name);
            if let Some(parameter) = declared {
                parameters.push((parameter.name.to_owned(), value()?));
            } else if let Some(rest) =
                name.strip_prefix(META).filter(|_| self.action.parameter("x-oss-meta").is_some())
            {
                own += 1;
                parameters.push((format!("x-oss-meta.{own}.Name"), rest.to_owned()));
                parameters.push((format!("x-oss-meta.{own}.Value"), value()?));
            } else if name.starts_with("x-oss-") && !SIGNING_HEADERS.contains(&name) {
                return Err(
                    NOT_IMPLEMENTED.because(format!("{name} of {} is not implemented here.", self.action.name))
                );
            }
        }
        Ok(())
    }
}

/// The text of a header.
fn text(headers: &HeaderMap, name: &str) -> Result<String, CloudError> {
    let mut texts = Vec::new();
    for value in headers.get_all(name) {
        let text = std::str::from_utf8(value.as_bytes());
        texts.push(text.map_err(|_| INVALID_ARGUMENT.because(format!("The header {name} is not UTF-8.")))?);
    }
    Ok(texts.join(","))
}

/// Checks a body against the digest that is sent with it.
fn check(headers: &HeaderMap, body: &[u8]) -> Result<(), CloudError> {
    let Some(digest) = headers.get("content-md5") else { return Ok(()) };
    match STANDARD.decode(digest) {
        Ok(digest) if digest == Md5::digest(body).as_slice() => Ok(()),
        _ => Err((&INVALID_DIGEST).into()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(method: &str, host: &str, target: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = hyper::Request::builder().method(method).uri(target).header("host", host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    /// The action and the parameters of a request.
    fn read(
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &'static str,
    ) -> Result<String, &'static str> {
        let head = head(method, "b.oss-cn-shanghai.aliyuncs.com", target, headers);
        let request = Request::read(&head).map_err(|error| error.error.code)?;
        let (pairs, content) = request.parameters(Bytes::from(body)).map_err(|error| error.error.code)?;
        let known = [("bucket", "b"), ("endpoint", "cn-shanghai")];
        let pairs = pairs.iter().filter(|(name, value)| !known.contains(&(name, value)));
        let mut call = vec![request.action.name.to_owned()];
        call.extend(pairs.map(|(name, value)| format!("{name}={value}")));
        if !content.is_empty() {
            call.push("+".to_owned());
        }
        Ok(call.join(" "))
    }

    #[test]
    fn requests_are_calls_of_actions() {
        for (method, target, headers, body, call) in [
            ("GET", "/", &[][..], "", "ListObjects"),
            ("GET", "/?prefix=a%2Fb+c&marker=&max-keys=2", &[], "", "ListObjects prefix=a/b c marker= max-keys=2"),
            ("GET", "/?list-type=2&fetch-owner=true", &[], "", "ListObjectsV2 list-type=2 fetch-owner=true"),
            ("GET", "/?bucketInfo", &[], "", "GetBucketInfo"),
            ("PUT", "/", &[("x-oss-acl", "private"), ("expires", "soon")], "", "PutBucket x-oss-acl=private"),
            ("POST", "/?wormId=1", &[], "", "CompleteBucketWorm wormId=1"),
            (
                "POST",
                "/?wormId=1&wormExtend",
                &[],
                "<ExtendWormConfiguration><RetentionPeriodInDays>2</RetentionPeriodInDays></ExtendWormConfiguration>",
                "ExtendBucketWorm wormId=1 RetentionPeriodInDays=2",
            ),
            (
                "GET",
                "/a?OSSAccessKeyId=x&Expires=1&Signature=y",
                &[("range", "bytes=0-1")],
                "",
                "GetObject key=a Range=bytes=0-1",
            ),
            ("HEAD", "/a?objectMeta", &[], "", "GetObjectMeta key=a"),
            (
                "PUT",
                "/a%20b/c",
                &[("content-type", "text/plain"), ("X-OSS-Meta-Colour", "red"), ("x-oss-date", "now")],
                "content",
                "PutObject key=a b/c Content-Type=text/plain x-oss-meta.1.Name=colour x-oss-meta.1.Value=red +",
            ),
            ("PUT", "/a", &[("x-oss-copy-source", "/b/c")], "", "CopyObject key=a x-oss-copy-source=/b/c"),
            ("PUT", "/a?partNumber=1&uploadId=U", &[], "content", "UploadPart key=a partNumber=1 uploadId=U +"),
        ] {
            assert_eq!(read(method, target, headers, body).as_deref(), Ok(call), "{method} {target}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (method, target, headers, body, code) in [
            ("GET", "/?colour=red", &[][..], "", "InvalidArgument"),
            ("GET", "/?prefix=a&prefix=b", &[], "", "InvalidArgument"),
            ("GET", "/?bucket=other", &[], "", "InvalidArgument"),
            ("GET", "/?endpoint=eu-central-1", &[], "", "InvalidArgument"),
            ("PUT", "/?StorageClass=IA", &[], "", "InvalidArgument"),
            ("GET", "/?cors", &[], "", "NotImplemented"),
            ("PATCH", "/", &[], "", "MethodNotAllowed"),
            ("GET", "/a", &[("x-oss-colour", "red")], "", "NotImplemented"),
            ("PUT", "/a", &[("x-oss-object-acl", "private")], "", "NotImplemented"),
            ("PUT", "/a", &[("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==")], "content", "InvalidDigest"),
            ("PUT", "/a", &[("content-md5", "?")], "content", "InvalidDigest"),
            ("GET", "/a", &[], "content", "InvalidArgument"),
            ("POST", "/?delete", &[], "<Delete>", "MalformedXML"),
        ] {
            assert_eq!(read(method, target, headers, body), Err(code), "{method} {target}");
        }
    }

    #[test]
    fn requests_of_other_services_are_distinguished() {
        let ip = "127.0.0.1:8751";
        for (method, host, target, headers, ours) in [
            ("GET", ip, "/", &[][..], false),
            ("POST", ip, "/?Action=DescribeVpcs", &[], false),
            ("GET", ip, "/?Action=DescribeVpcs", &[("authorization", "ACS3-HMAC-SHA256 x")], false),
            ("GET", "vpc.aliyuncs.com", "/", &[], false),
            ("GET", ip, "/", &[("authorization", "OSS x:y")], true),
            ("GET", ip, "/", &[("authorization", "OSS4-HMAC-SHA256 x")], true),
            ("GET", ip, "/?OSSAccessKeyId=x", &[], true),
            ("GET", ip, "/bucket/key", &[], true),
            ("PUT", ip, "/", &[], true),
            ("GET", "oss-cn-shanghai.aliyuncs.com", "/", &[], true),
            ("GET", "b.localhost:8751", "/", &[], true),
        ] {
            assert_eq!(is_request(&head(method, host, target, headers)), ours, "{method} {host}{target}");
        }
    }

    proptest! {
        #[test]
        fn any_request_is_read_or_refused(
            method in "GET|PUT|POST|DELETE|HEAD|X",
            host in "[a-z0-9.:\\[\\]-]{0,40}",
            path in "(/|/[!-~&&[^?# <>\\\\^`{|}\"]]{0,40})",
            query in "[!-~&&[^# <>\\\\^`{|}\"]]{0,60}",
            body in proptest::collection::vec(any::<u8>(), 0..50),
        ) {
            let request = hyper::Request::builder().method(&*method).uri(format!("{path}?{query}")).header("host", host);
            if let Ok(request) = request.body(()) {
                let head = request.into_parts().0;
                is_request(&head);
                if let Ok(request) = Request::read(&head) {
                    let _ = request.parameters(Bytes::from(body));
                }
            }
        }
    }
}
