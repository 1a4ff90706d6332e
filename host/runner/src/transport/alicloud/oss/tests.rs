use hyper::HeaderMap;

use super::*;

fn request(bucket: Option<&str>, key: &str, query: &[(&str, &str)]) -> ObjectRequest {
    ObjectRequest {
        bucket: bucket.map(str::to_owned),
        key: key.to_owned(),
        query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..ObjectRequest::default()
    }
}

#[tokio::test]
async fn a_bucket_has_a_host_of_its_own_where_hosts_are_the_clouds() {
    let credential = AccessKey::temporary("id", "hidden", "token");
    for (request, address, uri) in [
        (request(None, "", &[]), None, "https://oss-cn-shanghai.aliyuncs.com/"),
        (
            request(Some("b"), "", &[("bucketInfo", "")]),
            None,
            "https://b.oss-cn-shanghai.aliyuncs.com/?bucketInfo",
        ),
        (request(Some("b"), "", &[("worm", "")]), Some("http://127.0.0.1:1"), "http://127.0.0.1:1/b/?worm"),
        (
            request(Some("b"), "a b/ü", &[("prefix", "a/b c"), ("max-keys", "2")]),
            Some("http://127.0.0.1:1"),
            "http://127.0.0.1:1/b/a%20b/%C3%BC?prefix=a%2Fb%20c&max-keys=2",
        ),
    ] {
        let signed = request.signed(address, "cn-shanghai", &credential).await.unwrap();
        assert_eq!(signed.uri().to_string(), uri);
        let header = |name: &str| signed.headers().get(name).unwrap().to_str().unwrap();
        assert!(header("authorization").starts_with("OSS4-HMAC-SHA256 Credential=id/"));
        assert_eq!(header("x-oss-security-token"), "token");
    }
}

#[tokio::test]
async fn what_cannot_be_written_is_said_to_be_so() {
    let mut bad = request(Some("b"), "", &[]);
    bad.headers.push(("x-oss-meta".to_owned(), "two\nlines".to_owned()));
    for (request, region) in [
        (bad, "cn-shanghai"),
        (request(Some("evil.example/"), "", &[]), "cn-shanghai"),
        (request(Some(""), "", &[]), "cn-shanghai"),
        (request(None, "", &[]), "me@evil.example"),
    ] {
        let failure = request.signed(None, region, &AccessKey::new("id", "hidden")).await.unwrap_err();
        assert_eq!(failure.code, INVALID_CALL);
    }
}

#[test]
fn errors_are_read() {
    let answer = |body: &str| {
        let headers = HeaderMap::from_iter([("x-oss-request-id".parse().unwrap(), "R".parse().unwrap())]);
        object(Answer { status: 404, headers, body: body.to_owned().into() }).unwrap_err()
    };
    let failure = answer(
        "<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>a &lt; b</Message>\
         <RequestId>Q</RequestId><HostId>h</HostId><BucketName>b</BucketName></Error>",
    );
    assert_eq!((failure.code.as_str(), failure.message.as_str()), ("NoSuchBucket", "a < b"));
    assert_eq!((failure.request_id.as_deref(), failure.host_id.as_deref()), (Some("Q"), Some("h")));
    // The answer to HEAD has no content.
    for body in ["", "<html>", "{}", "<Error><Code>"] {
        let failure = answer(body);
        assert_eq!(
            (failure.code.as_str(), failure.request_id.as_deref()),
            (UNREADABLE_ANSWER, Some("R")),
            "{body}"
        );
    }
}
