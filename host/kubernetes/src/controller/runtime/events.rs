//! Events of Kubernetes: what happened to an object, in words that a person can act on.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Event, EventSource, ObjectReference};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::api::{ObjectMeta, Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::api_server::requests::{late, reported};
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::{Kind, Operation};
use trellis_policies::span::{span, within};
use trellis_runner::state::object::ApiError;

/// The most bytes of a note.
const MOST_BYTES: usize = 1024;
/// The most bytes of the part of an event's name that is the name of its object.
const MOST_OF_NAME: usize = 230;
/// The longest time for one request.
const LIMIT: Duration = Duration::from_secs(5);
/// How long the same event counts as one of a series.
const SERIES: Duration = Duration::from_mins(6);
/// Where events of objects without a namespace are.
const DEFAULT: &str = "default";

/// Writes events, as `v1` and not as `events.k8s.io`, because the roles of Gardener's extensions allow the former
/// alone. An event that cannot be written may be lost, because the log has the same words.
pub struct Events {
    client: Option<Client>,
    controller: String,
    instance: String,
    /// What was written last, by object, reason and note.
    written: Mutex<HashMap<[String; 3], Written>>,
    /// Whether the log says that this process may write no events.
    is_refusal_reported: AtomicBool,
}

/// An event that was written.
struct Written {
    name: String,
    count: i32,
    last: Instant,
}

impl Events {
    /// Writes events in the name of a controller, by a process.
    pub fn new(client: Client, controller: &str, instance: &str) -> Self {
        Self {
            client: Some(client),
            controller: controller.to_owned(),
            instance: instance.to_owned(),
            ..Self::none()
        }
    }

    /// Writes nothing.
    pub fn none() -> Self {
        Self {
            client: None,
            controller: String::new(),
            instance: String::new(),
            written: Mutex::default(),
            is_refusal_reported: AtomicBool::new(false),
        }
    }

    /// Something happened, and all is well.
    pub async fn inform(&self, object: &ObjectReference, reason: &str, operation: Operation, note: &str) {
        self.publish("Normal", object, reason, operation, note).await;
    }

    /// Somebody may have to do something.
    pub async fn warn(&self, object: &ObjectReference, reason: &str, operation: Operation, note: &str) {
        self.publish("Warning", object, reason, operation, note).await;
    }

    async fn publish(
        &self,
        type_: &'static str,
        object: &ObjectReference,
        reason: &str,
        operation: Operation,
        note: &str,
    ) {
        let Some(client) = self.client.clone() else { return };
        let namespace = object.namespace.clone().unwrap_or_else(|| DEFAULT.to_owned());
        let now = Time(Timestamp::now());
        let event = Event {
            metadata: ObjectMeta {
                name: Some(name(object)),
                namespace: Some(namespace.clone()),
                ..ObjectMeta::default()
            },
            involved_object: object.clone(),
            type_: Some(type_.to_owned()),
            reason: Some(reason.to_owned()),
            message: Some(cut(note)),
            action: Some(operation.name().to_owned()),
            count: Some(1),
            first_timestamp: Some(now.clone()),
            last_timestamp: Some(now),
            source: Some(EventSource { component: Some(self.controller.clone()), host: None }),
            reporting_component: Some(self.controller.clone()),
            reporting_instance: Some(self.instance.clone()),
            ..Event::default()
        };
        let api = Api::namespaced(client, &namespace);
        let span = span!("write", otel.name = "write event", otel.kind = "client", part = "event", reason);
        let published = within(span, async {
            timeout(LIMIT, self.write(&api, &event)).await.map_err(|_| late(LIMIT)).flatten()
        });
        match published.await {
            Ok(()) => {}
            Err(ApiError::Refused { status: 401 | 403, message }) => self.show_refusal(&message),
            Err(error) => tracing::warn!(%error, reason, "an event was not written"),
        }
    }

    /// Writes an event, or counts the one that has said the same before.
    async fn write(&self, api: &Api<Event>, event: &Event) -> Result<(), ApiError> {
        let key = [event.involved_object.uid.clone(), event.reason.clone(), event.message.clone()]
            .map(Option::unwrap_or_default);
        if let Some((name, count)) = self.repeated(&key) {
            let patch = json!({ "count": count, "lastTimestamp": event.last_timestamp });
            match api.patch(&name, &PatchParams::default(), &Patch::Merge(patch)).await {
                // Events go after a while.
                Err(kube::Error::Api(status)) if status.code == 404 => {}
                patched => return patched.map(drop).map_err(|error| reported(&error)),
            }
        }
        api.create(&PostParams::default(), event).await.map_err(|error| reported(&error))?;
        let name = event.metadata.name.clone().unwrap_or_default();
        self.lock().insert(key, Written { name, count: 1, last: Instant::now() });
        Ok(())
    }

    /// The name of the event that said the same not long ago, and how often it has been said with this time.
    fn repeated(&self, key: &[String; 3]) -> Option<(String, i32)> {
        let mut written = self.lock();
        written.retain(|_, written| written.last.elapsed() < SERIES);
        let Written { name, count, last } = written.get_mut(key)?;
        (*count, *last) = (count.saturating_add(1), Instant::now());
        Some((name.clone(), *count))
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[String; 3], Written>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says once what a process cannot do that may write no events.
    fn show_refusal(&self, message: &str) {
        if !self.is_refusal_reported.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                error = message,
                "no events are written, and this log alone has what they would say: allow this process to `create` and `patch` `events` of the API group \"\" in all namespaces"
            );
        }
    }
}

/// A name for an event of an object, which no other one has.
fn name(object: &ObjectReference) -> String {
    let of = object.name.as_deref().unwrap_or_default();
    let of = of.get(..of.floor_char_boundary(MOST_OF_NAME)).unwrap_or_default();
    format!("{of}.{:x}", Timestamp::now().as_nanosecond())
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

    const EVENTS: Resource = Resource { group: "", version: "v1", kind: "Event", plural: "events" };

    fn object() -> ObjectReference {
        let object: Extension =
            serde_json::from_value(json!({ "metadata": { "name": "a", "uid": "u" } })).unwrap();
        object.reference(&BACKUP_BUCKET)
    }

    #[tokio::test]
    async fn an_event_of_an_object_without_a_namespace_is_in_the_namespace_default() {
        let server = Server::default();
        let events = Events::new(server.client(), "backupbucket-controller", "test");
        events.warn(&object(), "Reason", Operation::Delete, "words").await;
        let requests = server.requests();
        let name = requests.iter().find_map(|request| request.strip_prefix("POST events/")).unwrap();
        let event = server.object(&EVENTS, "default", name).unwrap();
        assert_eq!(event["involvedObject"].get("namespace"), None);
        assert_eq!((&event["involvedObject"]["name"], &event["message"]), (&"a".into(), &"words".into()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_said_again_is_counted_until_it_was_not_said_for_a_while() {
        let server = Server::default();
        let events = Events::new(server.client(), "backupbucket-controller", "test");
        let say = async |note: &str| {
            events.inform(&object(), "Reason", Operation::Delete, note).await;
            server.requests().into_iter().map(|request| request.split(' ').next().unwrap().to_owned()).collect()
        };
        for (note, expected) in [("words", "POST"), ("words", "PATCH"), ("others", "POST"), ("words", "PATCH")] {
            let verbs: Vec<String> = say(note).await;
            assert_eq!(verbs, [expected], "{note}");
        }
        let all = server.objects().list(&EVENTS, "default", "").await.unwrap();
        let mut counts: Vec<_> = all.iter().map(|event| event["count"].as_i64().unwrap()).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 3]);
        server.requests();
        tokio::time::advance(SERIES).await;
        let verbs: Vec<String> = say("words").await;
        assert_eq!(verbs, ["POST"]);
    }

    #[tokio::test]
    async fn a_process_that_may_write_no_events_goes_on_and_says_so_once() {
        let events = Events::new(Server::default().failing(0, 403).client(), "backupbucket-controller", "test");
        assert!(!events.is_refusal_reported.load(Ordering::Relaxed));
        events.warn(&object(), "Reason", Operation::Delete, "words").await;
        assert!(events.is_refusal_reported.load(Ordering::Relaxed));
    }
}
