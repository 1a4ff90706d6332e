//! Any answer of a cloud is a response or a failure, and nothing in it is too much.
#![no_main]

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use libfuzzer_sys::fuzz_target;
use trellis_runner::call::ResolvedCall;
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::answer::Answer;
use trellis_runner::transport::family::Family as _;

fuzz_target!(|input: (u16, &[u8], &[u8])| {
    let (status, header, body) = input;
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(header) {
        for name in ["x-acs-retry-after", "x-ratelimit-user-api", "retry-after", "x-acs-request-id"] {
            headers.insert(name, value.clone());
        }
    }
    let answer = Answer { status, headers, body: body.to_vec().into() };
    if let Err(failure) = Alicloud.response(&ResolvedCall::default(), &answer) {
        assert_eq!(failure.http_status, status);
        assert!(!failure.code.is_empty() && !failure.message.is_empty());
    }
});
