//! The request of the functions that are about an object.

use super::RequestError;
use super::member::{facts, flag, known_members, malformed, time};
use crate::call::{Fact, FactAnswer, Known, Query};
use crate::document::Value;
use crate::kube::query;
use crate::kube::time::Time;

/// The request of `validate`, `default` and `addresses`; `zones` has one more member.
#[derive(Debug)]
pub struct Request<'r> {
    /// The object to judge.
    pub object: &'r Value<'r>,
    /// The object before the update; absent where the object is new.
    pub old_object: Option<&'r Value<'r>>,
    /// Other objects, by role, such as `cloudProfile` and `secret`.
    pub(super) context: &'r Value<'r>,
    /// Answers to queries of an earlier answer.
    pub(super) facts: Vec<Fact<'r>>,
    /// Whether, on an update, an error that the old object had already becomes a warning. An error that hides
    /// others never does.
    pub(super) ratchet: bool,
    /// The time at which the object is judged, as it is written.
    pub(super) now: Option<&'r Value<'r>>,
    /// Whether the object is what a person sends.
    pub(super) is_sent: bool,
    /// Set where the old object is the object itself.
    pub(super) itself: Option<Itself>,
    /// Whether a person looks at the update in advance.
    pub(super) is_ahead: bool,
}

/// How an object that is its own old version may differ from what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Itself {
    /// It does not.
    Stored,
    /// A person may have edited it.
    Edited,
}

static EMPTY: Value<'static> = Value::Object(Vec::new());

impl<'r> Request<'r> {
    /// The members that a request document may have.
    pub(super) const MEMBERS: [&'static str; 6] = ["object", "oldObject", "context", "facts", "ratchet", "now"];

    /// Reads a request document that may have each of the members.
    #[cfg(test)]
    pub(crate) fn read_any(document: &'r Value<'r>) -> Result<Self, RequestError> {
        Self::read(document, &Self::MEMBERS)
    }

    /// Reads a request document. Other members than `members` are an error.
    pub(super) fn read(document: &'r Value<'r>, members: &[&str]) -> Result<Self, RequestError> {
        known_members(document, "the request", members)?;
        let object = document.get("object").ok_or_else(|| malformed("the request has no `object`"))?;
        let old_object = document.get("oldObject");
        let kind = |object: &Value<'_>| object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(old) = old_object
            && kind(old) != kind(object)
        {
            return Err(RequestError::KindChanged { old: kind(old), new: kind(object) });
        }
        let context = document.get("context").unwrap_or(&EMPTY);
        if !matches!(context, Value::Object(_)) {
            return Err(malformed(format!("`context` must be an object, not {}", context.kind())));
        }
        let ratchet = flag(document, "ratchet")?;
        let is_sent = flag(context, "request")?;
        let itself = match context.get("itself").map(Value::as_str) {
            None => None,
            Some(Some("stored")) => Some(Itself::Stored),
            Some(Some("edited")) => Some(Itself::Edited),
            Some(_) => return Err(malformed("`itself` of the context must be \"stored\" or \"edited\"")),
        };
        let itself = itself.filter(|_| old_object.is_some());
        Ok(Self {
            object,
            old_object,
            context,
            facts: facts(document)?,
            ratchet,
            now: document.get("now"),
            is_sent,
            itself,
            is_ahead: flag(context, "ahead")?,
        })
    }

    /// The time at which the object is judged; none where the caller does not say. Rules that know no time do not
    /// read it.
    pub fn now(&self) -> Result<Option<Time>, RequestError> {
        self.now.map(time).transpose()
    }

    /// Whether the object is what a person sends, of which the API server sets a part of the metadata itself
    /// before it judges. Without this member of the context, rules see the metadata as they are written.
    pub fn is_sent(&self) -> bool {
        self.is_sent
    }

    /// Whether the old object is the object itself, because the caller has no other version: then rules and
    /// defaults say what the next change of it meets, whatever that change is.
    pub fn is_itself(&self) -> bool {
        self.itself.is_some()
    }

    /// Whether a person looks at the update in advance: it may go over several minor versions of Kubernetes, of
    /// which Gardener takes one after the other.
    pub fn is_ahead(&self) -> bool {
        self.is_ahead
    }

    /// Whether, besides, a person may have edited the object since it was stored: of a value that Gardener accepts
    /// only where the stored object has it, nobody knows whether it does.
    pub fn may_be_edited(&self) -> bool {
        self.itself == Some(Itself::Edited)
    }

    /// The same request about another object.
    pub fn about<'o>(&self, object: &'o Value<'o>) -> Request<'o>
    where
        'r: 'o,
    {
        Request { object, facts: self.facts.clone(), ..*self }
    }

    /// An object of the context.
    pub fn context(&self, role: &str) -> Option<&'r Value<'r>> {
        self.context.get(role)
    }

    /// An object of the cluster: among `objects` of the context, else from a fact.
    pub fn object(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Known<&'r Value<'r>> {
        let objects = self.context("objects").map(Value::items).unwrap_or_default();
        let group = group_of(api_version);
        let found = objects.iter().find(|object| {
            let text = |keys: &[&str]| object.at(keys).and_then(Value::as_str).unwrap_or_default();
            text(&["kind"]) == kind
                && text(&["metadata", "name"]) == name
                && text(&["metadata", "namespace"]) == namespace
                && group_of(text(&["apiVersion"])) == group
        });
        let query = query::object(api_version, kind, namespace, name);
        let answer = found.map(FactAnswer::Response).or_else(|| self.fact(&query));
        Known::answered(query, answer)
    }

    /// Whether a look-up found that the cluster has no such object.
    pub fn lacks(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> bool {
        let answer = self.fact(&query::object(api_version, kind, namespace, name));
        matches!(answer, Some(FactAnswer::Error { http_status: 404, .. }))
    }

    /// The answer to a query, if the request has it.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

/// The group of an `apiVersion`; empty for the core group.
fn group_of(api_version: &str) -> &str {
    api_version.rsplit_once('/').map_or("", |(group, _)| group)
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    use crate::policy::member::shape::Fact;

    /// The request of `validate`, `default` and `addresses`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Request {
        /// The object to judge.
        object: Map<String, Value>,
        /// The object before the update; absent where the object is new.
        old_object: Option<Map<String, Value>>,
        /// What is known in addition to the object: other objects by role, such as `cloudProfile` and `secret`,
        /// `objects` of the cluster, and for Gardener's own rules `gardenerVersion` and `openapi`. `info` says what
        /// the policy reads. With `"request": true` the object is what a person sends: the API server sets `uid`,
        /// `generation` and the times of creation and deletion itself. With `itself`, `oldObject` is the object,
        /// because the caller has no other version: rules and defaults say what the next change of it meets. It is
        /// `stored` where the garden has it so, and `edited` where a person may have changed it since. With
        /// `"ahead": true` a person looks at the update in advance: it may skip minor versions of Kubernetes.
        #[serde(default)]
        context: BTreeMap<String, Value>,
        /// Answers to queries of an earlier answer.
        #[serde(default)]
        facts: Vec<Fact>,
        /// Whether, on an update, an error that the old object had already becomes a warning.
        #[serde(default)]
        ratchet: bool,
        /// The time at which the object is judged (RFC 3339), such as `2026-06-01T00:00:00Z`. Without it, no version
        /// has expired.
        now: Option<String>,
    }
}
