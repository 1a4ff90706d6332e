//! Writes answers and errors of OSS.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Bytes;
use hyper::header::{CONTENT_RANGE, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Response, StatusCode};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};
use serde_json::Value;

use super::request::Request;
use super::xml;
use crate::action::{Answer, CloudError, ErrorCode, Shape, common};
use crate::service::oss::errors::{ACCESS_DENIED, INVALID_ARGUMENT, MISSING_ARGUMENT, NOT_IMPLEMENTED};

const XML: HeaderValue = HeaderValue::from_static("application/xml");

const TOO_MANY: ErrorCode = ErrorCode::new(503, "QpsLimitExceeded", "Please reduce your request rate.");
const INTERNAL: ErrorCode =
    ErrorCode::new(500, "InternalError", "We encountered an internal error. Please try again.");
const UNAVAILABLE: ErrorCode = ErrorCode::new(503, "ServiceUnavailable", "Please try again later.");
const FORBIDDEN: ErrorCode = ErrorCode::new(403, ACCESS_DENIED.code, "You have no right to access this object.");

/// Writes what an action answered to a request.
pub fn success(request: &Request<'_>, request_id: &str, answer: Answer) -> Response<Bytes> {
    let Answer { fields, content } = answer;
    let mut response = Response::new(content);
    let mut status = request.route.status;
    for field in request.action.answer {
        let Some(value) = fields.get(field.name) else { continue };
        match (field.shape, value) {
            (Shape::Record(shape), Value::Object(value)) => {
                // Writing to memory does not fail.
                *response.body_mut() = xml::document(field.name, shape, value).unwrap_or_default().into();
                response.headers_mut().insert(CONTENT_TYPE, XML);
            }
            (Shape::Map, Value::Object(values)) => {
                for (name, value) in values {
                    header(response.headers_mut(), &format!("{}-{name}", field.name), value);
                }
            }
            (_, value) => header(response.headers_mut(), field.name, value),
        }
    }
    if response.headers().contains_key(CONTENT_RANGE) {
        status = 206;
    }
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    identify(&mut response, request_id);
    response
}

/// Adds a header. A text that cannot be a header is left out.
fn header(headers: &mut HeaderMap, name: &str, value: &Value) {
    let text = match value {
        Value::String(text) => HeaderValue::from_bytes(text.as_bytes()),
        value => HeaderValue::from_str(&value.to_string()),
    };
    if let (Ok(name), Ok(text)) = (HeaderName::from_bytes(name.as_bytes()), text) {
        headers.insert(name, text);
    }
}

fn identify(response: &mut Response<Bytes>, request_id: &str) {
    let headers = response.headers_mut();
    header(headers, "x-oss-request-id", &Value::from(request_id));
    header(headers, "server", &Value::from("AliyunOSS"));
}

/// An error and what the answer says of its request.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The code.
    pub code: &'a str,
    /// What it says.
    pub message: &'a str,
    /// Further elements of the error.
    pub details: &'a [(&'static str, String)],
    /// The method of the request: a request for a head alone gets the error in a header.
    pub method: &'a Method,
    /// The host that the request was sent to.
    pub host: &'a str,
}

/// The error of OSS in place of one of the [common errors](common).
pub fn translate(error: CloudError) -> CloudError {
    let own: &ErrorCode = match error.error {
        own if *own == common::MISSING_PARAMETER => &MISSING_ARGUMENT,
        own if *own == common::INVALID_PARAMETER => &INVALID_ARGUMENT,
        own if *own == common::INVALID_ACTION => &NOT_IMPLEMENTED,
        own if *own == common::FORBIDDEN => &FORBIDDEN,
        own if *own == common::THROTTLED || *own == common::THROTTLED_API => &TOO_MANY,
        own if *own == common::INTERNAL => return (&INTERNAL).into(),
        own if *own == common::UNAVAILABLE => return (&UNAVAILABLE).into(),
        _ => return error,
    };
    own.because(error.message())
}

/// Writes why a request was refused.
pub fn failure(request_id: &str, failure: &Failure<'_>) -> Response<Bytes> {
    let status = StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Response::new(Bytes::new());
    if status != StatusCode::NOT_MODIFIED {
        // Writing to memory does not fail.
        let body = document(request_id, failure).unwrap_or_default();
        if failure.method == Method::HEAD {
            header(response.headers_mut(), "x-oss-err", &Value::from(STANDARD.encode(body)));
        } else {
            *response.body_mut() = body.into();
            response.headers_mut().insert(CONTENT_TYPE, XML);
        }
    }
    *response.status_mut() = status;
    identify(&mut response, request_id);
    response
}

fn document(request_id: &str, failure: &Failure<'_>) -> std::io::Result<Vec<u8>> {
    let Failure { code, message, details, host, .. } = failure;
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer.create_element("Error").write_inner_content(|writer| {
        let known = [("Code", *code), ("Message", *message), ("RequestId", request_id), ("HostId", *host)];
        let details = details.iter().map(|(name, text)| (*name, text.as_str()));
        known.into_iter().chain(details).try_for_each(|(name, text)| xml::text(writer, name, text))
    })?;
    Ok(writer.into_inner())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answered(method: &str, target: &str, fields: Value, content: &'static str) -> (u16, HeaderMap, String) {
        let head = hyper::Request::builder().method(method).uri(target).body(()).unwrap().into_parts().0;
        let request = Request::read(&head).unwrap();
        let Value::Object(fields) = fields else { panic!("an object") };
        let response = success(&request, "R", Answer { fields, content: content.into() });
        let (head, body) = response.into_parts();
        (head.status.as_u16(), head.headers, String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn fields_are_headers_or_xml_in_the_order_of_the_declaration() {
        let copied = json!({ "ETag": "\"E\"", "CopyObjectResult": { "ETag": "\"E\"", "LastModified": "L<" } });
        let head = hyper::Request::builder().method("PUT").uri("/b/a").header("x-oss-copy-source", "/b/c");
        let head = head.body(()).unwrap().into_parts().0;
        let Value::Object(fields) = copied else { panic!("an object") };
        let request = Request::read(&head).unwrap();
        let response = success(&request, "R", Answer { fields, content: Bytes::new() });
        assert_eq!(response.headers()["etag"], "\"E\"");
        assert_eq!(response.headers()["x-oss-request-id"], "R");
        assert_eq!(response.headers()["content-type"], "application/xml");
        assert_eq!(
            response.body(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><CopyObjectResult><LastModified>L&lt;</LastModified>\
             <ETag>&quot;E&quot;</ETag></CopyObjectResult>"
        );

        let (status, _, body) =
            answered("GET", "/b?location", json!({ "LocationConstraint": { "": "oss-cn-shanghai" } }), "");
        assert_eq!(status, 200);
        assert!(body.ends_with("<LocationConstraint>oss-cn-shanghai</LocationConstraint>"), "{body}");
    }

    #[test]
    fn content_is_the_body() {
        let fields = json!({ "Content-Range": "bytes 0-1/3", "x-oss-meta": { "colour": "red" } });
        let (status, headers, body) = answered("GET", "/b/a", fields, "con");
        assert_eq!((status, body.as_str()), (206, "con"));
        assert_eq!(headers["x-oss-meta-colour"], "red");
        assert_eq!(answered("DELETE", "/b/a", json!({}), "").0, 204);
    }

    #[test]
    fn errors_are_xml_and_of_a_head_a_header() {
        let refused = |method, status| {
            let details = [("BucketName", "b".to_owned())];
            let code = "NoSuchBucket";
            failure("R", &Failure { status, code, message: "m", details: &details, method, host: "h" })
        };
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>NoSuchBucket</Code><Message>m</Message>\
                   <RequestId>R</RequestId><HostId>h</HostId><BucketName>b</BucketName></Error>";
        let response = refused(&Method::GET, 404);
        assert_eq!((response.status().as_u16(), &response.body()[..]), (404, xml.as_bytes()));
        let response = refused(&Method::HEAD, 404);
        assert!(response.body().is_empty());
        assert_eq!(STANDARD.decode(&response.headers()["x-oss-err"]).unwrap(), xml.as_bytes());
        let response = refused(&Method::HEAD, 304);
        assert_eq!((response.body().len(), response.headers().get("x-oss-err")), (0, None));
    }

    #[test]
    fn common_errors_are_those_of_this_service() {
        for (error, status, code) in [
            (CloudError::missing("wormId"), 400, "MissingArgument"),
            (CloudError::invalid("max-keys", "a number"), 400, "InvalidArgument"),
            ((&common::THROTTLED).into(), 503, "QpsLimitExceeded"),
            ((&common::FORBIDDEN).into(), 403, "AccessDenied"),
            ((&common::INTERNAL).into(), 500, "InternalError"),
            ((&common::UNAVAILABLE).into(), 503, "ServiceUnavailable"),
        ] {
            let error = translate(error);
            assert_eq!((error.error.status, error.code()), (status, code));
        }
    }
}
