//! The task that reads and writes the object, one request at a time.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::order::{Options, Order, Save, Waiting};
use super::patch::{between, onto};
use super::{ApiError, Form, FormError, Object, Objects};
use crate::document::State;
use crate::limits::backoff::Backoff;
use crate::limits::lease::LeaseSignal;
use crate::limits::permit::{Permit, PermitEnded};
use crate::limits::stop::StopSignal;
use crate::plan::ledger::StoreError;

/// The most conflicts before the task waits, while somebody else changes other parts of the object again and
/// again.
const CONFLICTS: usize = 3;

const GONE: &str = "the object does not exist any more";
const MADE_AGAIN: &str = "the object was deleted, and another one of its name exists";
const CHANGED: &str = "`status.state` is not what this run read or wrote last";

/// Keeps the state in one object.
pub(super) struct Keeper<O, F> {
    objects: O,
    form: F,
    permit: Permit,
    options: Options,
    orders: mpsc::UnboundedReceiver<Order>,
    /// Orders that came while a save went on, and that are not part of that save.
    postponed: VecDeque<Order>,
    known: Option<Known>,
    /// Whether the task has sent a patch.
    has_written: bool,
    /// Why the task does nothing any more.
    over: Option<Failure>,
}

/// The object as the task saw it last.
struct Known {
    object: Object,
    /// The documents of patches of this version of the object that have no answer. Any of them may be in the
    /// object by now, or may come into it, until the object has another version.
    unanswered: Vec<Value>,
}

/// Why the task has not done something.
#[derive(Clone, Debug)]
enum Failure {
    Api(ApiError),
    Other(String),
    Overtaken(&'static str),
    LeaseLost,
}

/// The newest state that somebody wants to be saved, and all who wait for that.
struct Batch {
    state: State,
    /// The document of the state, once the form has answered.
    document: Option<Map<String, Value>>,
    waiting: Vec<Waiting>,
    until: Instant,
}

impl<O: Objects, F: Form> Keeper<O, F> {
    pub(super) fn new(
        objects: O,
        form: F,
        lease_signal: LeaseSignal,
        options: Options,
        orders: mpsc::UnboundedReceiver<Order>,
    ) -> Self {
        // A run that somebody stops still records the answers of calls in flight.
        let permit = Permit { stop: StopSignal::never(), lease_signal };
        let postponed = VecDeque::new();
        Self { objects, form, permit, options, orders, postponed, known: None, has_written: false, over: None }
    }

    /// Does what it is asked, until nobody is left to ask. Fails where the last state is not saved.
    pub(super) async fn run(mut self) -> Result<(), StoreError> {
        let mut last = Ok(());
        while let Some(order) = self.next().await {
            match order {
                Order::Load { until, answer } => {
                    let loaded = self.load(until).await;
                    self.note(loaded.as_ref().err());
                    // A caller that waits no longer wants no answer.
                    let _ = answer.send(loaded.map(Some).map_err(Failure::unread));
                }
                Order::Save(save) => {
                    last = self.save(save).await;
                    self.note(last.as_ref().err());
                }
            }
        }
        last.map_err(Failure::unkept)
    }

    async fn next(&mut self) -> Option<Order> {
        match self.postponed.pop_front() {
            Some(order) => Some(order),
            None => self.orders.recv().await,
        }
    }

    /// Remembers what ends everything.
    fn note(&mut self, failure: Option<&Failure>) {
        if let Some(failure @ (Failure::Overtaken(_) | Failure::LeaseLost)) = failure {
            self.over.get_or_insert_with(|| failure.clone());
        }
    }

    fn may_go_on(&self) -> Result<(), Failure> {
        match &self.over {
            Some(failure) => Err(failure.clone()),
            None => Ok(self.permit.to_read()?),
        }
    }

    /// The state in the object; an empty one where the object has none, so that nobody takes an older one from
    /// elsewhere.
    async fn load(&mut self, until: Instant) -> Result<State, Failure> {
        let mut backoff = Backoff::new(self.options.jitter);
        let found = loop {
            self.may_go_on()?;
            let failure = match self.read().await {
                Ok(found) => break found,
                Err(failure) => failure,
            };
            let again = Instant::now() + backoff.next(failure.retry_after());
            if !failure.is_temporary() || again >= until {
                return Err(failure);
            }
            self.pause(again).await;
        };
        match &self.known {
            Some(known) if self.has_written || known.object.uid != found.uid => self.recognize(found)?,
            _ => self.known = Some(Known { object: found, unanswered: Vec::new() }),
        }
        match self.known.as_ref().and_then(|known| known.object.state.as_ref()) {
            Some(document) => Ok(self.form.read(document, until).await?),
            None => Ok(State::new()),
        }
    }

    /// Saves a state, or a newer one that comes meanwhile.
    async fn save(&mut self, save: Save) -> Result<(), Failure> {
        let mut batch = Batch::new(save);
        let mut backoff = Backoff::new(self.options.jitter);
        let result = loop {
            self.join_newer(&mut batch);
            let failure = match self.attempt(&mut batch).await {
                Err(failure) if failure.is_temporary() => failure,
                result => break result,
            };
            let again = Instant::now() + backoff.next(failure.retry_after());
            batch.give_up_before(again, &failure);
            if batch.waiting.is_empty() {
                return Err(failure);
            }
            self.pause(again).await;
        };
        for Waiting { answer, .. } in batch.waiting {
            // A caller that waits no longer wants no answer.
            let _ = answer.send(result.clone().map_err(Failure::unkept));
        }
        result
    }

    /// Takes newer states that wait to be saved into a batch.
    fn join_newer(&mut self, batch: &mut Batch) {
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Save(save) => batch.join(save),
                load @ Order::Load { .. } => self.postponed.push_back(load),
            }
        }
    }

    /// Waits until a time, or until this process may no longer change things.
    async fn pause(&self, until: Instant) {
        tokio::select! {
            biased;
            _ = self.permit.ended() => {}
            () = sleep_until(until) => {}
        }
    }

    /// Brings the state of a batch into the object, if the API server is well.
    async fn attempt(&mut self, batch: &mut Batch) -> Result<(), Failure> {
        let mut conflicts = 0;
        loop {
            self.may_go_on()?;
            let wanted = match &mut batch.document {
                Some(document) => document,
                None => batch.document.insert(self.form.write(&batch.state, batch.until).await?),
            };
            let Some(Known { object, unanswered }) = &self.known else {
                return Err(Failure::Other("nobody has read the state before".to_owned()));
            };
            let mut document = onto(object.state.as_ref(), wanted);
            if object.state.as_ref() == Some(&document) {
                // A patch without an answer may still replace the state, unless the object gets another version.
                let Some(possible) = unanswered.last() else { return Ok(()) };
                document = possible.clone();
            }
            match self.patch(document, batch.until).await {
                Err(Failure::Api(ApiError::Conflict)) if conflicts + 1 < CONFLICTS => conflicts += 1,
                patched => patched?,
            }
        }
    }

    /// Sends a patch that brings a document into the object. On a conflict, reads the object again.
    async fn patch(&mut self, document: Value, until: Instant) -> Result<(), Failure> {
        let limit = self.options.request_limit;
        let Some(Known { object, unanswered }) = &mut self.known else { return Ok(()) };
        let Some(change) = between(object.state.as_ref(), &document) else { return Ok(()) };
        let patch =
            json!({ "metadata": { "resourceVersion": object.resource_version }, "status": { "state": change } });
        let permit = timeout_at(until, self.permit.to_change(limit)).await;
        permit.map_err(|_| {
            Failure::Other("the lease is never held for as long as a request may take".to_owned())
        })??;
        let is_new = !unanswered.contains(&document);
        if is_new {
            unanswered.push(document.clone());
        }
        self.has_written = true;
        let error = match self.permit.while_held(timeout(limit, self.objects.patch(&patch))).await? {
            Ok(Ok(answered)) => {
                let answered = plain(answered);
                let is_kept = answered.state.as_ref() == Some(&document);
                self.known = Some(Known { object: answered, unanswered: Vec::new() });
                let altered =
                    || Failure::Other("the API server has altered the state that it was given".to_owned());
                return if is_kept { Ok(()) } else { Err(altered()) };
            }
            Ok(Err(error)) => error,
            Err(_) => self.late(),
        };
        match error {
            ApiError::Conflict => {
                let found = self.read().await?;
                self.recognize(found)?;
            }
            ApiError::NotFound => return Err(Failure::Overtaken(GONE)),
            ApiError::TooMany { .. } | ApiError::Refused { .. } if is_new => {
                // The patch had no effect.
                if let Some(known) = &mut self.known {
                    known.unanswered.pop();
                }
            }
            ApiError::TooMany { .. }
            | ApiError::AlreadyExists
            | ApiError::Refused { .. }
            | ApiError::Server { .. } => {}
        }
        Err(Failure::Api(error))
    }

    /// Goes on from the object as it is now, where its state is one that this run read or wrote last.
    fn recognize(&mut self, found: Object) -> Result<(), Failure> {
        if let Some(Known { object, unanswered }) = &mut self.known {
            if found.uid != object.uid {
                return Err(Failure::Overtaken(MADE_AGAIN));
            }
            let is_written = |state: &Value| unanswered.contains(state);
            if found.state != object.state && !found.state.as_ref().is_some_and(is_written) {
                return Err(Failure::Overtaken(CHANGED));
            }
            if found.resource_version != object.resource_version {
                unanswered.clear();
            }
            *object = found;
        }
        Ok(())
    }

    async fn read(&self) -> Result<Object, Failure> {
        match timeout(self.options.request_limit, self.objects.read()).await {
            Ok(Ok(found)) => Ok(plain(found)),
            Ok(Err(ApiError::NotFound)) if self.known.is_some() => Err(Failure::Overtaken(GONE)),
            Ok(Err(error)) => Err(Failure::Api(error)),
            Err(_) => Err(Failure::Api(self.late())),
        }
    }

    fn late(&self) -> ApiError {
        let message = format!("there was no answer within {} s", self.options.request_limit.as_secs_f64());
        ApiError::Server { status: None, message }
    }
}

/// An object in which a state of null is none.
fn plain(object: Object) -> Object {
    Object { state: object.state.filter(|state| !state.is_null()), ..object }
}

impl Batch {
    fn new(Save { state, waiting }: Save) -> Self {
        let until = waiting.until;
        Self { state, document: None, waiting: vec![waiting], until }
    }

    /// Replaces the state by a newer one.
    fn join(&mut self, Save { state, waiting }: Save) {
        self.until = self.until.max(waiting.until);
        self.waiting.push(waiting);
        if self.state != state {
            self.state = state;
            self.document = None;
        }
    }

    /// Reports to those who wait no longer than until a time that their state is not saved.
    fn give_up_before(&mut self, time: Instant, failure: &Failure) {
        let (late, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.until <= time);
        self.waiting = waiting;
        let late: Vec<Waiting> = late;
        for Waiting { answer, .. } in late {
            // A caller that waits no longer wants no answer.
            let _ = answer.send(Err(failure.clone().unkept()));
        }
    }
}

impl Failure {
    /// Whether the same attempt may succeed later.
    fn is_temporary(&self) -> bool {
        matches!(self, Self::Api(error) if error.is_temporary())
    }

    fn retry_after(&self) -> Option<std::time::Duration> {
        match self {
            Self::Api(error) => error.retry_after(),
            _ => None,
        }
    }

    fn unkept(self) -> StoreError {
        self.into_error(StoreError::Unkept)
    }

    fn unread(self) -> StoreError {
        self.into_error(StoreError::Unread)
    }

    fn into_error(self, of: impl Fn(FormError) -> StoreError) -> StoreError {
        match self {
            Self::Api(error) => of(error.into()),
            Self::Other(why) => of(why.into()),
            Self::Overtaken(why) => StoreError::Overtaken(why.to_owned()),
            Self::LeaseLost => StoreError::LeaseLost,
        }
    }
}

impl From<FormError> for Failure {
    fn from(error: FormError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<PermitEnded> for Failure {
    /// Nobody stops a store: its permit ends with the lease only.
    fn from(_: PermitEnded) -> Self {
        Self::LeaseLost
    }
}
