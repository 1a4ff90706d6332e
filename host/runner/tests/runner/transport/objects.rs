//! Requests to OSS.

use std::sync::Arc;

use hyper::Method;
use trellis_runner::transport::alicloud::{AccessKey, ObjectRequest};

use super::support::{Simulator, terms};

fn request(method: Method, key: &str, query: &[(&str, &str)], body: &str) -> ObjectRequest {
    ObjectRequest {
        method,
        bucket: Some("backups".to_owned()),
        key: key.to_owned(),
        query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.to_owned().into(),
        ..ObjectRequest::default()
    }
}

#[tokio::test]
async fn buckets_and_objects_are_made_read_and_deleted() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let send = async |request: ObjectRequest| client.0.object(&request, terms()).await;
    send(request(Method::PUT, "", &[], "")).await.unwrap();
    let info = send(request(Method::GET, "", &[("bucketInfo", "")], "")).await.unwrap();
    assert!(String::from_utf8_lossy(&info.body).contains("<Name>backups</Name>"));

    let key = "shoot--dev--a/etcd +&?=%/网络 ü";
    send(request(Method::PUT, key, &[], "content")).await.unwrap();
    assert_eq!(&*send(request(Method::GET, key, &[], "")).await.unwrap().body, b"content");
    let listed = send(request(Method::GET, "", &[("list-type", "2"), ("prefix", "shoot--dev--a/etcd +")], ""));
    assert!(String::from_utf8_lossy(&listed.await.unwrap().body).contains("<KeyCount>1</KeyCount>"));

    let failure = send(request(Method::DELETE, "", &[], "")).await.unwrap_err();
    assert_eq!((failure.code.as_str(), failure.http_status), ("BucketNotEmpty", 409));
    assert!(failure.request_id.is_some() && !failure.ambiguous, "{failure:?}");
    send(request(Method::DELETE, key, &[], "")).await.unwrap();
    send(request(Method::DELETE, "", &[], "")).await.unwrap();
    let failure = send(request(Method::GET, "", &[("bucketInfo", "")], "")).await.unwrap_err();
    assert!(failure.to_string().starts_with("oss GET bucketInfo: NoSuchBucket: "), "{failure}");
}

#[tokio::test]
async fn a_signature_of_another_secret_is_refused() {
    let simulator = Simulator::start().await;
    let credential = Arc::new(AccessKey::new(trellis_simulator::cloud::ACCESS_KEY, "wrong"));
    let client = simulator.client_of(credential);
    let failure = client.0.object(&request(Method::PUT, "", &[], ""), terms()).await.unwrap_err();
    assert_eq!((failure.code.as_str(), failure.http_status), ("SignatureDoesNotMatch", 403));
}
