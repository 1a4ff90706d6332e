//! `AdmissionReview`: what an API server asks of a webhook, and what it is told (`gardener-contract` 5.1, 5.3).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::Instant;

/// The versions of the API that are answered: those that registrations list.
const VERSIONS: [&str; 2] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];
const KIND: &str = "AdmissionReview";
/// Status codes of HTTP that a denial has.
const BAD_REQUEST: u16 = 400;
const FORBIDDEN: u16 = 403;
const INTERNAL: u16 = 500;
/// Most characters of all warnings together: an API server drops those above.
const WARNINGS: usize = 4_000;

/// A review: what is about to become of an object. It says nothing of the user who asks.
pub struct Review {
    /// The kind of the object, in the version in which the object is.
    pub kind: Kind,
    /// The part of the object that is written, such as `status`; empty for the object itself.
    pub subresource: String,
    /// The namespace of the object; empty where it has none.
    pub namespace: String,
    /// Its name; may be empty where the API server is yet to choose one.
    pub name: String,
    /// What is about to become of it.
    pub operation: Operation,
    /// The object, as JSON text; none for a deletion.
    pub object: Option<Box<RawValue>>,
    /// The object as it is stored, as JSON text; none for a creation.
    pub old_object: Option<Box<RawValue>>,
    /// Who sent the review: for webhooks of Shoots, a kube-apiserver in the seed.
    pub sender: SocketAddr,
    /// When the answer must be there.
    pub deadline: Instant,
}

/// A kind of objects, in a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Kind {
    /// The API group; empty for the first kinds of Kubernetes.
    pub group: String,
    /// Such as `v1beta1`.
    pub version: String,
    /// Such as `Shoot`.
    pub kind: String,
}

/// What is about to become of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Operation {
    /// It is created.
    Create,
    /// It is changed.
    Update,
    /// It is deleted.
    Delete,
    /// A connection to it is opened.
    Connect,
}

/// What the API server is told.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Why the object is not admitted; none where it is.
    pub denial: Option<Denial>,
    /// What the person who sent the object is told in addition, a sentence each.
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
                warnings: told(&self.warnings),
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
fn told(warnings: &[String]) -> Vec<Cow<'_, str>> {
    let (mut told, mut length): (Vec<Cow<'_, str>>, usize) = (Vec::new(), 0);
    for (at, warning) in warnings.iter().enumerate() {
        length += warning.chars().count();
        if length > WARNINGS && at > 0 {
            told.push(format!("{} more warnings are not shown", warnings.len() - at).into());
            break;
        }
        told.push(if warning.contains(char::is_control) {
            warning.chars().map(|of| if of.is_control() { ' ' } else { of }).collect::<String>().into()
        } else {
            warning.into()
        });
    }
    told
}

/// What an answer repeats of its review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    api_version: &'static str,
    uid: String,
}

/// Why a body is no review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The body is no text.
    #[error("the body is not UTF-8")]
    NotUtf8,
    /// The body is no JSON text, or has another form.
    #[error("the body is no AdmissionReview: {0}")]
    Form(#[from] serde_json::Error),
    /// The document is of another kind, or of a version that nobody registered.
    #[error("the body is `{kind}` of `{api_version}`; webhooks answer AdmissionReview of {}", VERSIONS.join(" and "))]
    Version {
        /// What it says.
        api_version: String,
        /// What it says.
        kind: String,
    },
    /// The document has no request.
    #[error("the AdmissionReview has no `request`")]
    NoRequest,
}

impl Review {
    /// Reads the body of a request.
    pub(super) fn read(
        body: &[u8],
        sender: SocketAddr,
        deadline: Instant,
    ) -> Result<(Self, Envelope), ReviewError> {
        let text = str::from_utf8(body).map_err(|_| ReviewError::NotUtf8)?;
        let Incoming { api_version, kind, request } = serde_json::from_str(text)?;
        let known = VERSIONS.into_iter().find(|known| *known == api_version && kind == KIND);
        let shown = |text: Cow<'_, str>| text.chars().take(60).collect();
        let api_version =
            known.ok_or_else(|| ReviewError::Version { api_version: shown(api_version), kind: shown(kind) })?;
        let request = request.ok_or(ReviewError::NoRequest)?;
        let review = Self {
            kind: request.kind,
            subresource: request.sub_resource.unwrap_or_default(),
            namespace: request.namespace.unwrap_or_default(),
            name: request.name.unwrap_or_default(),
            operation: request.operation,
            object: request.object,
            old_object: request.old_object,
            sender,
            deadline,
        };
        Ok((review, Envelope { api_version, uid: request.uid }))
    }
}

/// The object may be secret.
impl fmt::Debug for Review {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name, operation, .. } = self;
        write!(out, "{operation:?} {kind} {namespace}/{name}")
    }
}

/// As Go's `GroupVersionKind` prints itself.
impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}, Kind={}", self.group, self.version, self.kind)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Incoming<'d> {
    #[serde(borrow, default)]
    api_version: Cow<'d, str>,
    #[serde(borrow, default)]
    kind: Cow<'d, str>,
    request: Option<IncomingRequest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IncomingRequest {
    uid: String,
    kind: Kind,
    sub_resource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    operation: Operation,
    object: Option<Box<RawValue>>,
    old_object: Option<Box<RawValue>>,
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
    use std::net::Ipv4Addr;

    use serde_json::{Value, json};

    use super::*;

    fn read(body: &[u8]) -> Result<(Review, Envelope), ReviewError> {
        Review::read(body, (Ipv4Addr::LOCALHOST, 1).into(), Instant::now())
    }

    fn document(version: &str, request: &Value) -> Vec<u8> {
        json!({ "apiVersion": version, "kind": "AdmissionReview", "request": request }).to_string().into_bytes()
    }

    fn request() -> Value {
        json!({
            "uid": "u", "kind": { "group": "g", "version": "v1", "kind": "K" }, "operation": "UPDATE", "namespace": "n",
            "userInfo": { "username": "somebody" }, "object": { "a": 1.30 }, "oldObject": null, "subResource": "status",
        })
    }

    #[test]
    fn a_review_keeps_the_text_of_its_object() {
        for version in VERSIONS {
            let text = String::from_utf8(document(version, &request())).unwrap().replace("1.3", "1.30");
            let (review, envelope) = read(text.as_bytes()).unwrap();
            assert_eq!(review.kind.to_string(), "g/v1, Kind=K");
            assert_eq!((review.namespace.as_str(), review.name.as_str()), ("n", ""));
            assert_eq!((review.operation, review.subresource.as_str()), (Operation::Update, "status"));
            assert_eq!(review.object.unwrap().get(), r#"{"a":1.30}"#);
            assert!(review.old_object.is_none());
            assert_eq!(envelope, Envelope { api_version: version, uid: "u".to_owned() });
        }
    }

    #[test]
    fn what_is_no_review_is_told_why() {
        let without = |key: &str| {
            let mut request = request();
            request.as_object_mut().unwrap().remove(key);
            document("admission.k8s.io/v1", &request)
        };
        let mut odd = request();
        odd["operation"] = json!("BREAK");
        for (body, why) in [
            (vec![b'"', 0xff, b'"'], "the body is not UTF-8"),
            (b"".to_vec(), "the body is no AdmissionReview: EOF"),
            (b"[]".to_vec(), "the body is no AdmissionReview"),
            (b"{}".to_vec(), "the body is `` of ``"),
            (document("admission.k8s.io/v2", &request()), "`AdmissionReview` of `admission.k8s.io/v2`"),
            (document("admission.k8s.io/v1", &Value::Null), "has no `request`"),
            (without("uid"), "missing field `uid`"),
            (without("kind"), "missing field `kind`"),
            (document("admission.k8s.io/v1", &odd), "unknown variant `BREAK`"),
        ] {
            let error = read(&body).err().unwrap().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn answers_have_the_form_of_the_api() {
        let (_, envelope) = read(&document("admission.k8s.io/v1beta1", &request())).unwrap();
        let told = |answer: &Answer| -> Value { serde_json::from_str(&answer.to_json(&envelope)).unwrap() };
        assert_eq!(
            told(&Answer::allowed()),
            json!({
                "apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview",
                "response": { "uid": "u", "allowed": true },
            })
        );
        let patch = RawValue::from_string(r#"[{"op":"remove","path":"/a"}]"#.to_owned()).unwrap();
        let changed = &told(&Answer::patched(patch.clone()))["response"];
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
            told(&denied)["response"],
            json!({
                "uid": "u", "allowed": false, "warnings": ["a b"], "auditAnnotations": { "rules": "A-1" },
                "status": { "status": "Failure", "message": "no", "reason": "Forbidden", "code": 403 },
            })
        );
        assert_eq!(told(&Answer::unreadable("x"))["response"]["status"]["code"], 400);
        assert_eq!(told(&Answer::failed("x"))["response"]["status"]["reason"], "InternalError");
    }

    #[test]
    fn warnings_end_where_an_api_server_drops_them() {
        let warnings: Vec<String> = (0..50).map(|at| format!("{at} {}", "ü".repeat(196))).collect();
        let told = told(&warnings);
        assert_eq!(told.len(), 21);
        assert_eq!(told[20], "30 more warnings are not shown");
        let long = ["a".repeat(9_000)];
        assert_eq!(super::told(&long).len(), 1);
    }
}
