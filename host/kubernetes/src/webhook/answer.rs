//! The answer to a review.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;

use super::review::{Envelope, KIND};

/// Status codes of HTTP that a denial has.
const BAD_REQUEST: u16 = 400;
const FORBIDDEN: u16 = 403;
const INTERNAL: u16 = 500;
/// Most characters of all warnings together. An API server drops those above.
const WARNINGS: usize = 4_000;

/// What the API server gets.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Why the object is not admitted; none where it is.
    pub denial: Option<Denial>,
    /// What the person who sent the object gets to read in addition, a sentence each.
    pub warnings: Vec<String>,
    /// What the audit log of the API server keeps.
    pub audit: BTreeMap<&'static str, String>,
    /// What changes in the object: an RFC 6902 patch as JSON text. None where nothing does.
    pub patch: Option<Box<RawValue>>,
}

/// Why an object is not admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The status code of HTTP that the person's client gets.
    pub code: u16,
    /// What the person reads.
    pub message: String,
}

impl Answer {
    /// The object is admitted as it is.
    pub fn allowed() -> Self {
        Self::default()
    }

    /// The object is admitted, and changed by this RFC 6902 patch.
    pub fn patched(patch: Box<RawValue>) -> Self {
        Self { patch: Some(patch), ..Self::default() }
    }

    /// The object is not admitted.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::of(FORBIDDEN, message.into())
    }

    /// Nobody can read the review or the object.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self::of(BAD_REQUEST, message.into())
    }

    /// The object cannot be judged or changed now.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::of(INTERNAL, message.into())
    }

    fn of(code: u16, message: String) -> Self {
        Self { denial: Some(Denial { code, message }), ..Self::default() }
    }

    /// The answer in a word, for metrics.
    pub(super) fn verdict(&self) -> &'static str {
        match &self.denial {
            Some(denial) if denial.code >= INTERNAL => "failed",
            Some(_) => "denied",
            None if self.patch.is_some() => "changed",
            None => "allowed",
        }
    }

    /// The answer to a review of this version and with this id, as JSON text.
    pub(super) fn to_json(&self, envelope: &Envelope) -> String {
        let status = self.denial.as_ref().map(|Denial { code, message }| Status {
            result: "Failure",
            message,
            reason: match *code {
                BAD_REQUEST => "BadRequest",
                FORBIDDEN => "Forbidden",
                _ => "InternalError",
            },
            code: *code,
        });
        let patch = self.patch.as_ref().filter(|_| self.denial.is_none());
        let document = Outgoing {
            api_version: envelope.api_version,
            kind: KIND,
            response: Response {
                uid: &envelope.uid,
                allowed: self.denial.is_none(),
                status,
                warnings: reported(&self.warnings),
                audit_annotations: &self.audit,
                patch_type: patch.map(|_| "JSONPatch"),
                patch: patch.map(|patch| BASE64_STANDARD.encode(patch.get())),
            },
        };
        // Never fails: there are only texts in it.
        serde_json::to_string(&document).unwrap_or_default()
    }
}

/// The warnings as a header of HTTP takes them, as many as an API server hands on.
fn reported(warnings: &[String]) -> Vec<Cow<'_, str>> {
    let (mut reported, mut length): (Vec<Cow<'_, str>>, usize) = (Vec::new(), 0);
    for (at, warning) in warnings.iter().enumerate() {
        length += warning.chars().count();
        if length > WARNINGS && at > 0 {
            reported.push(format!("{} more warnings are not shown", warnings.len() - at).into());
            break;
        }
        reported.push(if warning.contains(char::is_control) {
            warning.chars().map(|of| if of.is_control() { ' ' } else { of }).collect::<String>().into()
        } else {
            warning.into()
        });
    }
    reported
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outgoing<'a> {
    api_version: &'static str,
    kind: &'static str,
    response: Response<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    uid: &'a str,
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    audit_annotations: &'a BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
}

#[derive(Serialize)]
struct Status<'a> {
    #[serde(rename = "status")]
    result: &'static str,
    message: &'a str,
    reason: &'static str,
    code: u16,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn answers_have_the_form_of_the_api() {
        let envelope = Envelope { api_version: "admission.k8s.io/v1beta1", uid: "u".to_owned() };
        let reported = |answer: &Answer| -> Value { serde_json::from_str(&answer.to_json(&envelope)).unwrap() };
        assert_eq!(
            reported(&Answer::allowed()),
            json!({
                "apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview",
                "response": { "uid": "u", "allowed": true },
            })
        );
        let patch = RawValue::from_string(r#"[{"op":"remove","path":"/a"}]"#.to_owned()).unwrap();
        let changed = &reported(&Answer::patched(patch.clone()))["response"];
        assert_eq!(
            (&changed["patchType"], &changed["patch"]),
            (&json!("JSONPatch"), &json!("W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL2EifV0="))
        );
        let denied = Answer {
            warnings: vec!["a\nb".to_owned()],
            audit: [("rules", "A-1".to_owned())].into(),
            patch: Some(patch),
            ..Answer::denied("no")
        };
        assert_eq!(
            reported(&denied)["response"],
            json!({
                "uid": "u", "allowed": false, "warnings": ["a b"], "auditAnnotations": { "rules": "A-1" },
                "status": { "status": "Failure", "message": "no", "reason": "Forbidden", "code": 403 },
            })
        );
        assert_eq!(reported(&Answer::unreadable("x"))["response"]["status"]["code"], 400);
        assert_eq!(reported(&Answer::failed("x"))["response"]["status"]["reason"], "InternalError");
    }

    #[test]
    fn warnings_end_where_an_api_server_drops_them() {
        let warnings: Vec<String> = (0..50).map(|at| format!("{at} {}", "ü".repeat(196))).collect();
        let reported = reported(&warnings);
        assert_eq!(reported.len(), 21);
        assert_eq!(reported[20], "30 more warnings are not shown");
        let long = ["a".repeat(9_000)];
        assert_eq!(super::reported(&long).len(), 1);
    }
}
