//! Events of Kubernetes: what happened to an object, in words that a person can act on.

use std::fmt;
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use tokio::time::timeout;

use super::extension::Extension;
use super::kind::{Kind, Operation};

/// The most bytes of a note (`events.k8s.io/v1`).
const MOST_BYTES: usize = 1024;
/// The longest time for one request.
const LIMIT: Duration = Duration::from_secs(5);

/// Writes events. An event that cannot be written is lost: the log has the same words.
pub struct Events {
    recorder: Option<Recorder>,
}

impl Events {
    /// Writes events in the name of a controller, by a process.
    pub fn new(client: Client, controller: &str, instance: &str) -> Self {
        let reporter = Reporter { controller: controller.to_owned(), instance: Some(instance.to_owned()) };
        Self { recorder: Some(Recorder::new(client, reporter)) }
    }

    /// Writes nothing.
    pub fn none() -> Self {
        Self { recorder: None }
    }

    /// Something happened, and all is well.
    pub async fn tell(&self, object: &ObjectReference, reason: &str, operation: Operation, note: &str) {
        self.publish(EventType::Normal, object, reason, operation, note).await;
    }

    /// Somebody may have to do something.
    pub async fn warn(&self, object: &ObjectReference, reason: &str, operation: Operation, note: &str) {
        self.publish(EventType::Warning, object, reason, operation, note).await;
    }

    async fn publish(
        &self,
        type_: EventType,
        object: &ObjectReference,
        reason: &str,
        operation: Operation,
        note: &str,
    ) {
        let Some(recorder) = &self.recorder else { return };
        let event = Event {
            type_,
            reason: reason.to_owned(),
            note: Some(cut(note)),
            action: operation.name().to_owned(),
            secondary: None,
        };
        match timeout(LIMIT, recorder.publish(&event, object)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, reason, "an event was not written"),
            Err(_) => tracing::warn!(reason, "an event was not written in time"),
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Events").finish_non_exhaustive()
    }
}

impl Extension {
    /// The object, as events name it.
    pub fn reference(&self, kind: &Kind) -> ObjectReference {
        ObjectReference {
            api_version: Some(Kind::api_version()),
            kind: Some(kind.name.to_owned()),
            namespace: self.metadata.namespace.clone(),
            name: self.metadata.name.clone(),
            uid: self.metadata.uid.clone(),
            ..ObjectReference::default()
        }
    }
}

/// As much of a text as an event may hold.
fn cut(text: &str) -> String {
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MOST_BYTES - '…'.len_utf8());
    let start = text.get(..end).unwrap_or_default();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_cut_to_what_an_event_may_hold() {
        assert_eq!(cut("short"), "short");
        let long = cut(&"ü".repeat(1000));
        assert!(long.len() <= MOST_BYTES && long.ends_with("ü…"), "{}", long.len());
    }
}
