//! `AdmissionReview`: what an API server asks of a webhook (`gardener-contract` 5.1, 5.3).

use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

/// The versions of the API that are answered: those that registrations list.
const VERSIONS: [&str; 2] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];
pub(super) const KIND: &str = "AdmissionReview";

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

/// What an answer repeats of its review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub api_version: &'static str,
    pub uid: String,
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
    fn what_is_no_review_is_answered_with_the_reason() {
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
}
