//! Events of Kubernetes: what happened to an object, in words that a person can act on.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use tokio::time::{Instant, timeout};

use crate::api_server::requests::{late, told};
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::{Kind, Operation};
use trellis_policies::span::{span, within};

/// The most bytes of a note (`events.k8s.io/v1`).
const MOST_BYTES: usize = 1024;
/// The longest time for one request.
const LIMIT: Duration = Duration::from_secs(5);
/// How long the same event counts as one of a series.
const SERIES: Duration = Duration::from_mins(6);

/// Writes events. An event that cannot be written may be lost, because the log has the same words.
pub struct Events {
    client: Option<Client>,
    reporter: Reporter,
    /// Who wrote which event last, by object, reason and note.
    recorders: Mutex<HashMap<[String; 3], (Recorder, Instant)>>,
}

impl Events {
    /// Writes events in the name of a controller, by a process.
    pub fn new(client: Client, controller: &str, instance: &str) -> Self {
        let reporter = Reporter { controller: controller.to_owned(), instance: Some(instance.to_owned()) };
        Self { client: Some(client), reporter, recorders: Mutex::default() }
    }

    /// Writes nothing.
    pub fn none() -> Self {
        let reporter = Reporter { controller: String::new(), instance: None };
        Self { client: None, reporter, recorders: Mutex::default() }
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
        let note = cut(note);
        let Some(recorder) = self.recorder(object, reason, &note) else { return };
        let event = Event {
            type_,
            reason: reason.to_owned(),
            note: Some(note),
            action: operation.name().to_owned(),
            secondary: None,
        };
        let span = span!("write", otel.name = "write event", otel.kind = "client", part = "event", reason);
        let publish = async {
            let published = timeout(LIMIT, recorder.publish(&event, object)).await.map_err(|_| late(LIMIT))?;
            published.map_err(|error| told(&error))
        };
        if let Err(error) = within(span, publish).await {
            tracing::warn!(%error, reason, "an event was not written");
        }
    }
}

impl Events {
    /// A recorder counts events of the same object and reason together, whatever their notes say: each note has
    /// its own.
    fn recorder(&self, object: &ObjectReference, reason: &str, note: &str) -> Option<Recorder> {
        let client = self.client.as_ref()?;
        let uid = object.uid.clone().unwrap_or_default();
        let mut recorders = self.recorders.lock().unwrap_or_else(PoisonError::into_inner);
        recorders.retain(|_, (_, last)| last.elapsed() < SERIES);
        let key = [uid, reason.to_owned(), note.to_owned()];
        let new = || (Recorder::new(client.clone(), self.reporter.clone()), Instant::now());
        let (recorder, last) = recorders.entry(key).or_insert_with(new);
        *last = Instant::now();
        Some(recorder.clone())
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
    use crate::api_server::resource::Resource;
    use crate::controller::runtime::kind::BACKUP_BUCKET;
    use crate::controller::runtime::testing::Server;

    #[test]
    fn a_note_is_cut_to_what_an_event_may_hold() {
        assert_eq!(cut("short"), "short");
        let long = cut(&"ü".repeat(1000));
        assert!(long.len() <= MOST_BYTES && long.ends_with("ü…"), "{}", long.len());
    }

    #[tokio::test]
    async fn an_event_of_an_object_without_a_namespace_is_in_the_namespace_default() {
        let server = Server::default();
        let object: Extension =
            serde_json::from_value(serde_json::json!({ "metadata": { "name": "a", "uid": "u" } })).unwrap();
        let events = Events::new(server.client(), "backupbucket-controller", "test");
        events.warn(&object.reference(&BACKUP_BUCKET), "Reason", Operation::Delete, "words").await;
        let of = Resource { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events" };
        let requests = server.requests();
        let name = requests.iter().find_map(|request| request.strip_prefix("POST events/")).unwrap();
        let event = server.object(&of, "default", name).unwrap();
        assert_eq!(event["regarding"].get("namespace"), None);
        assert_eq!((&event["regarding"]["name"], &event["note"]), (&"a".into(), &"words".into()));
    }
}
