//! Any answer to a call of OSS that reads a document is a response or a failure. The first byte chooses the action, the
//! second whether the call succeeded, and the rest is the content. A response has the root that the call asks for, and
//! no beginning of its document is one.
#![no_main]

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use libfuzzer_sys::fuzz_target;
use trellis_runner::call::{Parameter, ResolvedCall};
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::answer::Answer;
use trellis_runner::transport::family::Family as _;

/// Actions that read a document, and its root.
const ACTIONS: [(&str, &str); 5] = [
    ("GetBucketInfo", "BucketInfo"),
    ("GetBucketLifecycle", "LifecycleConfiguration"),
    ("GetBucketWorm", "WormConfiguration"),
    ("ListObjects", "ListBucketResult"),
    ("ListMultipartUploads", "ListMultipartUploadsResult"),
];

fuzz_target!(|data: &[u8]| {
    let [action, status, body @ ..] = data else { return };
    let (action, root) = ACTIONS[usize::from(*action) % ACTIONS.len()];
    let status = if status % 2 == 0 { 200 } else { 404 };
    let parameters = [("bucket", "b"), ("encoding-type", "url")];
    let call = ResolvedCall {
        service: "oss".to_owned(),
        action: action.to_owned(),
        parameters: parameters.map(|(name, value)| (name.to_owned(), Parameter::from(value))).into(),
        ..ResolvedCall::default()
    };
    let headers = HeaderMap::from_iter([("x-oss-request-id".parse().unwrap(), HeaderValue::from_static("R"))]);
    let answer = |body: &[u8]| Answer { status, headers: headers.clone(), body: body.to_vec().into() };
    match Alicloud.response(&call, &answer(body)) {
        Ok(response) => {
            assert_eq!(status, 200);
            assert!(response[root].is_object());
            let whole = body.trim_ascii_end();
            assert!(Alicloud.response(&call, &answer(&whole[..whole.len() - 1])).is_err());
        }
        Err(failure) => {
            assert_eq!(failure.http_status, status);
            assert!(!failure.code.is_empty() && !failure.message.is_empty() && !failure.ambiguous);
        }
    }
});
