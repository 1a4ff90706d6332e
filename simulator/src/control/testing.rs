//! Requests of tests.

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Response};
use serde_json::Value;

use super::{PREFIX, Request, answer};
use crate::testing::TestCloud;

/// The API of a cloud of tests.
pub(super) struct Api {
    pub(super) test: TestCloud,
}

impl Api {
    pub(super) fn new() -> Self {
        Self { test: TestCloud::new() }
    }

    pub(super) fn respond(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        headers: &[(&'static str, &'static str)],
    ) -> Response<Bytes> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut all = HeaderMap::new();
        all.insert("host", HeaderValue::from_static("127.0.0.1:8751"));
        if !body.is_empty() {
            all.insert("content-type", HeaderValue::from_static("application/json"));
        }
        for (name, value) in headers {
            all.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let request = Request {
            method: &Method::from_bytes(method.as_bytes()).unwrap(),
            path: &format!("{PREFIX}{path}"),
            query,
            headers: &all,
            body,
        };
        answer(&self.test.cloud, &request)
    }

    /// The status and the body of an answer.
    pub(super) fn send(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let response = self.respond(method, path, body, &[]);
        let status = response.status().as_u16();
        (status, serde_json::from_slice(response.body()).unwrap())
    }

    /// The body of an answer to what is not refused.
    #[track_caller]
    pub(super) fn ok(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, answer) = self.send(method, path, body.as_bytes());
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }

    pub(super) fn get(&self, path: &str) -> Value {
        self.ok("GET", path, &Value::Null)
    }

    /// The status of an answer and what it says is wrong.
    #[track_caller]
    pub(super) fn refused(&self, method: &str, path: &str, body: &Value) -> (u16, String) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, answer) = self.send(method, path, body.as_bytes());
        let message = answer.pointer("/error/message").and_then(Value::as_str);
        (status, message.unwrap_or_else(|| panic!("{method} {path} is not refused: {answer}")).to_owned())
    }
}
