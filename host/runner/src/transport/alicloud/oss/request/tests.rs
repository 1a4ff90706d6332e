use hyper::http::uri::Scheme;
use serde_json::json;

use super::*;
use crate::call::Parameter;

fn call(action: &str, parameters: &[(&str, Parameter)]) -> ResolvedCall {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    ResolvedCall { service: "oss".to_owned(), action: action.to_owned(), parameters, ..ResolvedCall::default() }
}

/// A call for the bucket `b`.
fn of_bucket(action: &str, parameters: &[(&str, &str)]) -> ResolvedCall {
    let bucket = ("bucket", "b".into());
    let parameters = parameters.iter().map(|(name, value)| (*name, Parameter::from(*value)));
    call(action, &std::iter::once(bucket).chain(parameters).collect::<Vec<_>>())
}

fn object(members: &[(&str, Parameter)]) -> Parameter {
    Parameter::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn with_body(mut call: ResolvedCall, body: Parameter) -> ResolvedCall {
    call.parameters.push(("body".to_owned(), body));
    call
}

fn place(host: &str) -> Place {
    Place { scheme: Scheme::HTTPS, host: host.parse().unwrap(), region: "cn-shanghai".to_owned() }
}

const OWN: &str = "b.oss-cn-shanghai.aliyuncs.com";

#[test]
fn a_bucket_has_a_host_of_its_own_where_hosts_are_the_clouds() {
    let worm = with_body(of_bucket("ExtendBucketWorm", &[("wormId", "W 1")]), object(&[]));
    let tagging = with_body(of_bucket("PutObjectTagging", &[("key", "a b/ü?&")]), object(&[]));
    let number = call(
        "ListObjects",
        &[("bucket", "b".into()), ("max-keys", Parameter::Number(2.into())), ("prefix", Parameter::Null)],
    );
    for (call, method, path) in [
        (of_bucket("GetBucketInfo", &[]), "GET", "?bucketInfo"),
        (of_bucket("DeleteBucket", &[]), "DELETE", ""),
        (of_bucket("GetBucketWorm", &[("RegionId", "cn-beijing")]), "GET", "?worm"),
        (of_bucket("AbortBucketWorm", &[]), "DELETE", "?worm"),
        (of_bucket("CompleteBucketWorm", &[("wormId", "W")]), "POST", "?wormId=W"),
        (worm, "POST", "?wormExtend&wormId=W%201"),
        (of_bucket("ListObjects", &[("prefix", "a/b c"), ("marker", "")]), "GET", "?prefix=a%2Fb%20c"),
        (number, "GET", "?max-keys=2"),
        (of_bucket("AbortMultipartUpload", &[("key", "a"), ("uploadId", "U")]), "DELETE", "a?uploadId=U"),
        (tagging, "PUT", "a%20b/%C3%BC%3F%26?tagging"),
    ] {
        for (host, start) in [(OWN, "/"), ("127.0.0.1:1", "/b/")] {
            let request = unsigned(&call, &place(host)).unwrap();
            assert_eq!(request.method(), method, "{call:?}");
            assert_eq!(request.uri().to_string(), format!("https://{host}{start}{path}"));
        }
    }
}

#[test]
fn a_body_is_xml_with_its_digest() {
    let rule = object(&[("Prefix", "".into()), ("Status", "Enabled".into())]);
    let body = object(&[("Rule", Parameter::List(vec![rule]))]);
    let request = unsigned(&with_body(of_bucket("PutBucketLifecycle", &[]), body), &place(OWN)).unwrap();
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><LifecycleConfiguration><Rule><Prefix></Prefix>\
               <Status>Enabled</Status></Rule></LifecycleConfiguration>";
    assert_eq!(request.body(), xml.as_bytes());
    assert_eq!(request.headers()["content-type"], "application/xml");
    assert_eq!(request.headers()["content-md5"], STANDARD.encode(Md5::digest(xml)));
}

#[tokio::test]
async fn the_signature_shows_no_secret() {
    let key = AccessKey::temporary("id", "hidden", "temporary-text");
    let signed = request(&of_bucket("GetBucketInfo", &[]), &place(OWN), &key).await.unwrap();
    let header = |name: &str| signed.headers().get(name).unwrap().to_str().unwrap();
    assert!(header("authorization").starts_with("OSS4-HMAC-SHA256 Credential=id/"));
    assert_eq!(header("x-oss-security-token"), "temporary-text");
    let shown = format!("{signed:?}");
    assert!(
        !shown.contains("hidden") && !shown.contains("temporary-text") && !shown.contains("Credential"),
        "{shown}"
    );
}

#[tokio::test]
async fn what_would_ask_for_something_else_is_refused() {
    let list = Parameter::List(Vec::new());
    for (call, reported) in [
        (
            of_bucket("DeleteObject", &[("key", "a")]),
            "`oss` has no action `DeleteObject` here; it has PutBucket, ",
        ),
        (call("DeleteBucket", &[]), "`` cannot be part of the name of a host"),
        (call("DeleteBucket", &[("bucket", "evil.example/".into())]), "`evil.example/` cannot be part"),
        (call("DeleteBucket", &[("bucket", "..".into())]), "`..` cannot be part"),
        // It would delete the object.
        (
            of_bucket("AbortMultipartUpload", &[("key", "a")]),
            "`AbortMultipartUpload` needs the parameter `uploadId`",
        ),
        (of_bucket("AbortMultipartUpload", &[("key", "a"), ("uploadId", "")]), "needs the parameter `uploadId`"),
        // It would be for the bucket.
        (of_bucket("AbortMultipartUpload", &[("key", ""), ("uploadId", "U")]), "needs the parameter `key`"),
        (with_body(of_bucket("PutObjectTagging", &[]), object(&[])), "needs the parameter `key`"),
        // It would make a retention policy.
        (of_bucket("CompleteBucketWorm", &[]), "needs the parameter `wormId`"),
        (of_bucket("PutBucketLifecycle", &[]), "`PutBucketLifecycle` needs the parameter `body`"),
        (of_bucket("DeleteBucket", &[("key", "a")]), "`DeleteBucket` has no parameter `key`"),
        (of_bucket("ListObjects", &[("Prefix", "a/")]), "`ListObjects` has no parameter `Prefix`"),
        (of_bucket("ListObjects", &[("delimiter", "/")]), "`ListObjects` has no parameter `delimiter`"),
        // Nothing decodes the keys in its answer.
        (of_bucket("DeleteMultipleObjects", &[("encoding-type", "url")]), "has no parameter `encoding-type`"),
        (
            with_body(of_bucket("DeleteMultipleObjects", &[]), object(&[("Quiet", Parameter::Bool(true))])),
            "a deletion must not be `Quiet`",
        ),
        (
            call("ListObjects", &[("bucket", "b".into()), ("prefix", list)]),
            "the parameter `prefix` must be a text",
        ),
        (with_body(of_bucket("PutBucketEncryption", &[]), object(&[("a b", "".into())])), "`a b` is no name"),
    ] {
        let failure = request(&call, &place(OWN), &AccessKey::new("id", "hidden")).await.unwrap_err();
        assert_eq!((failure.code.as_str(), failure.ambiguous), (INVALID_CALL, false), "{call:?}");
        assert!(failure.message.contains(reported), "{failure}");
    }
}

#[test]
fn no_region_leads_elsewhere() {
    for region in ["", "evil.example/", "me@evil.example", "a:80", "A"] {
        assert!(super::super::host_of(&of_bucket("GetBucketInfo", &[]), region).is_err(), "{region}");
    }
    assert_eq!(super::super::host_of(&of_bucket("GetBucketInfo", &[]), "cn-shanghai").as_deref(), Ok(OWN));
}

#[test]
fn each_action_has_a_form_of_request_of_its_own() {
    let mut seen: Vec<_> = super::super::actions::ACTIONS
        .iter()
        .map(|action| {
            json!([action.method.as_str(), action.target == Target::Object, action.subresource, action.required])
        })
        .collect();
    seen.sort_unstable_by_key(ToString::to_string);
    let all = seen.len();
    seen.dedup();
    assert_eq!(seen.len(), all, "two actions have the same form of request");
}
