//! The form of the recorded state in `status.state`, as the policy of a run says.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::document::{SUBJECTS, State, SubjectStatus};
use crate::state::object::{Form, FormError};
use trellis_policies::answer;
use trellis_policies::engine::{Asker, Function};

/// Asks the policy for the form. The host reads the state from the answers of the policy only: `data`, a flat map
/// of texts.
#[derive(Debug)]
pub struct PolicyForm {
    asker: Asker,
    request: Map<String, Value>,
    /// The member of the request that has the object.
    member: &'static str,
}

/// Why a request has no form.
#[derive(Debug, thiserror::Error)]
#[error("the request has no object in whose status the state could be kept")]
pub struct NoSubject;

/// What the policy is asked.
#[derive(Serialize)]
struct StatusRequest<'r> {
    request: &'r Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'r State>,
}

/// The part of the document that the host reads.
#[derive(Deserialize)]
struct Document {
    data: State,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl PolicyForm {
    /// The form of the state of a run with this request, which has an object and not only a Shoot.
    pub fn new(asker: Asker, request: &RawValue) -> Result<Self, NoSubject> {
        let request: Map<String, Value> = serde_json::from_str(request.get()).map_err(|_| NoSubject)?;
        let mut members = SUBJECTS.into_iter().map(|(_, member)| member);
        let member = members.find(|member| request.get(*member).is_some_and(Value::is_object)).ok_or(NoSubject)?;
        Ok(Self { asker, request, member })
    }

    /// The document for `status.state` that the policy answers.
    async fn document(&self, request: &StatusRequest<'_>, until: Instant) -> Result<Document, FormError> {
        let question = serde_json::to_string(request)?;
        let answer = self.asker.ask(Function::Status, question, until).await?;
        let status: SubjectStatus = answer::read(&answer).map_err(|failure| failure.message)?;
        serde_json::from_str(status.state.get()).map_err(|error| {
            format!("the policy's `state` is not a document with texts in its `data`: {error}").into()
        })
    }
}

impl Form for PolicyForm {
    async fn read(&self, document: &Value, until: Instant) -> Result<State, FormError> {
        let mut request = self.request.clone();
        if let Some(Value::Object(object)) = request.get_mut(self.member) {
            let status = object.entry("status").or_insert(Value::Null);
            match status {
                Value::Object(status) => _ = status.insert("state".to_owned(), document.clone()),
                other => *other = serde_json::json!({ "state": document }),
            }
        }
        Ok(self.document(&StatusRequest { request: &request, state: None }, until).await?.data)
    }

    async fn write(&self, state: &State, until: Instant) -> Result<Map<String, Value>, FormError> {
        let request = StatusRequest { request: &self.request, state: Some(state) };
        let Document { data, mut rest } = self.document(&request, until).await?;
        rest.insert("data".to_owned(), serde_json::to_value(data)?);
        Ok(rest)
    }
}
