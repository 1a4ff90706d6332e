//! What may become of an answer on its way.

use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Garbling {
    /// It has no content.
    Empty,
    /// Its content breaks off in the middle.
    Cut,
    /// It does not say whether a list goes on, and where.
    NoEnd,
    /// It is a page of somebody else, who says that all is well.
    Html,
}

/// Members of answers that say whether a list goes on.
const ENDS: [&str; 8] = [
    "IsTruncated",
    "NextContinuationToken",
    "NextKeyMarker",
    "NextMarker",
    "NextPartNumberMarker",
    "NextToken",
    "NextUploadIdMarker",
    "TotalCount",
];

/// The page of somebody else.
const PAGE: &str = "<html><head><title>Sign in</title></head><body><p>Welcome</p></body></html>";

impl Garbling {
    /// Takes away what an answer does not show.
    pub(crate) fn shorten(self, fields: &mut Map<String, Value>) {
        if self != Self::NoEnd {
            return;
        }
        fields.retain(|name, _| !ENDS.contains(&name.as_str()));
        for field in fields.values_mut() {
            if let Value::Object(fields) = field {
                self.shorten(fields);
            }
        }
    }

    /// Damages an answer that is written.
    pub(crate) fn damage(self, mut response: Response<Bytes>) -> Response<Bytes> {
        match self {
            Self::NoEnd => response,
            Self::Empty => {
                *response.body_mut() = Bytes::new();
                response
            }
            Self::Cut => {
                let half = response.body().len() / 2;
                response.body_mut().truncate(half);
                response
            }
            Self::Html => {
                let mut page = Response::new(Bytes::from_static(PAGE.as_bytes()));
                page.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
                page
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_without_its_end_has_its_entries() {
        let list = json!({ "List": { "IsTruncated": true, "NextMarker": "b", "Entry": [{ "Name": "a" }] } });
        let Value::Object(mut fields) = list else { panic!("an object") };
        for how in [Garbling::Empty, Garbling::Cut, Garbling::Html] {
            how.shorten(&mut fields);
        }
        assert_eq!(fields["List"]["NextMarker"], "b");
        Garbling::NoEnd.shorten(&mut fields);
        assert_eq!(Value::Object(fields), json!({ "List": { "Entry": [{ "Name": "a" }] } }));
    }

    #[test]
    fn an_answer_is_damaged_as_ordered() {
        for (how, body) in
            [(Garbling::Empty, ""), (Garbling::Cut, "<a>"), (Garbling::NoEnd, "<a></a>"), (Garbling::Html, PAGE)]
        {
            let response = how.damage(Response::new(Bytes::from_static(b"<a></a>")));
            assert_eq!((response.status().as_u16(), &response.body()[..]), (200, body.as_bytes()), "{how:?}");
        }
    }
}
