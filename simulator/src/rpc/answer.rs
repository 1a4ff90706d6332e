//! Writes answers and errors.

use std::io;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::http::Response;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use serde_json::{Map, Value, json};

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// XML, with a root named for the action.
    Xml,
}

/// An error and what the answer says of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The code.
    pub code: &'a str,
    /// What it says.
    pub message: &'a str,
    /// The host that the request was sent to.
    pub host: &'a str,
    /// The service that was asked, if it is known.
    pub product: &'a str,
}

/// Writes what an action answered.
pub fn success(format: Format, action: &str, request_id: &str, mut answer: Map<String, Value>) -> Response<Bytes> {
    answer.insert("RequestId".to_owned(), Value::from(request_id));
    write(StatusCode::OK, format, &format!("{action}Response"), request_id, &Value::Object(answer))
}

/// Writes why a request was refused.
pub fn failure(format: Format, request_id: &str, failure: &Failure<'_>) -> Response<Bytes> {
    let Failure { status, code, message, host, product } = failure;
    let help = format!("https://api.aliyun.com/troubleshoot?q={code}&product={product}&requestId={request_id}");
    let body =
        json!({ "RequestId": request_id, "HostId": host, "Code": code, "Message": message, "Recommend": help });
    let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    write(status, format, "Error", request_id, &body)
}

fn write(status: StatusCode, format: Format, root: &str, request_id: &str, value: &Value) -> Response<Bytes> {
    let (kind, body) = match format {
        Format::Json => ("application/json;charset=utf-8", value.to_string().into_bytes()),
        // Writing to memory does not fail.
        Format::Xml => ("text/xml;charset=utf-8", xml(root, value).unwrap_or_default()),
    };
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(HeaderName::from_static("x-acs-request-id"), id);
    }
    response
}

fn xml(root: &str, value: &Value) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    element(&mut writer, root, value)?;
    Ok(writer.into_inner())
}

/// Writes a value as an element; items as one element each, named like what they are in.
fn element(writer: &mut Writer<Vec<u8>>, name: &str, value: &Value) -> io::Result<()> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| element(writer, name, item)),
        Value::Object(fields) => {
            writer.create_element(name).write_inner_content(|writer| {
                fields.iter().try_for_each(|(name, value)| element(writer, name, value))
            })?;
            Ok(())
        }
        Value::Null => writer.create_element(name).write_empty().map(drop),
        Value::String(text) => text_element(writer, name, text),
        Value::Bool(_) | Value::Number(_) => text_element(writer, name, &value.to_string()),
    }
}

fn text_element(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    // XML 1.0 has no way to write these.
    let text = text.replace(
        |char| matches!(char, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}'..='\u{ffff}'),
        "\u{fffd}",
    );
    let text = text.as_str();
    writer.create_element(name).write_text_content(BytesText::new(text)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(response: Response<Bytes>) -> String {
        String::from_utf8(response.into_body().to_vec()).unwrap()
    }

    #[test]
    fn an_answer_is_written_in_both_formats() {
        let answer = || {
            let Value::Object(answer) = json!({ "Vpcs": { "Vpc": [{ "VpcId": "a<b" }, { "VpcId": "c" }] } })
            else {
                panic!("an object")
            };
            answer
        };
        let json: Value =
            serde_json::from_str(&text(success(Format::Json, "DescribeVpcs", "R", answer()))).unwrap();
        assert_eq!(json, json!({ "RequestId": "R", "Vpcs": { "Vpc": [{ "VpcId": "a<b" }, { "VpcId": "c" }] } }));
        let xml = text(success(Format::Xml, "DescribeVpcs", "R", answer()));
        for part in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><DescribeVpcsResponse>",
            "<RequestId>R</RequestId>",
            "<Vpcs><Vpc><VpcId>a&lt;b</VpcId></Vpc><Vpc><VpcId>c</VpcId></Vpc></Vpcs>",
            "</DescribeVpcsResponse>",
        ] {
            assert!(xml.contains(part), "{xml}");
        }
    }

    #[test]
    fn an_error_says_which_request_it_is_of() {
        let refused = Failure {
            status: 404,
            code: "InvalidVpcID.NotFound",
            message: "Specified VPC does not exist.",
            host: "127.0.0.1:8751",
            product: "Vpc",
        };
        let response = failure(Format::Json, "R", &refused);
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(response.headers().get("x-acs-request-id").unwrap(), "R");
        let body: Value = serde_json::from_str(&text(response)).unwrap();
        assert_eq!(body.get("Code").unwrap(), "InvalidVpcID.NotFound");
        assert_eq!(body.get("HostId").unwrap(), "127.0.0.1:8751");
    }
}
