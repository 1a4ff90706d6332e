//! Asks a policy about an object until nothing is open that can be known in time.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::{Instant, timeout_at};

use super::cloud;
use super::garden::NoObject;
use super::parts::Admission;
use super::reads::{self, GardenReads};
use super::reviewed::ReviewedObject;
use crate::api_server::member::text;
use crate::api_server::resource::{CREDENTIALS_BINDINGS, SECRET_BINDINGS};
use trellis_policies::answer::{self, Defaulting, Failure, Undecided, Validation, Verdict};
use trellis_policies::engine::{Asker, Function};
use trellis_policies::rounds::{Limits, Rounds};
use trellis_runner::call::ResolvedCall;
use trellis_runner::call::resolve;
use trellis_runner::document::{Query, State};
use trellis_runner::plan::observe::{Fact, FactAnswer, FactError};
use trellis_runner::run::reads::{Read, SERVICE};
use trellis_runner::transport::Session;

/// A policy asks for a Shoot, its binding, the Secret behind it, the cloud, and as much again. It has a query for
/// each worker pool, and few more.
const LIMITS: Limits = Limits { rounds: 8, queries: 1_000 };
/// The most queries that are answered at a time.
const MOST_AT_A_TIME: usize = 8;

/// What a policy is asked about an object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'r> {
    object: &'r RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_object: Option<&'r RawValue>,
    context: BTreeMap<&'static str, &'r RawValue>,
    facts: &'r [Fact],
    now: &'r str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ratchet: bool,
}

/// An answer that may be open.
pub trait Open: DeserializeOwned {
    /// The function that answers so.
    const FUNCTION: Function;

    /// What was left undecided, where that matters for what becomes of the object.
    fn open(&self) -> &[Undecided];
}

impl Open for Validation {
    const FUNCTION: Function = Function::Validate;

    fn open(&self) -> &[Undecided] {
        if self.verdict == Verdict::Accept { &[] } else { &self.undecided }
    }
}

impl Open for Defaulting {
    const FUNCTION: Function = Function::Default;

    fn open(&self) -> &[Undecided] {
        &self.undecided
    }
}

/// The last answer of a policy.
pub struct Asked<A> {
    /// What it says.
    pub answer: A,
    /// Why queries have no answer.
    pub unanswered: Vec<String>,
}

/// Why a policy has no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The policy says why.
    Failure(Failure),
    /// The policy broke off, or took too long.
    Broken(String),
}

/// One review's conversation with a policy.
pub struct Conversation<'c> {
    admission: &'c Admission,
    reviewed: &'c ReviewedObject,
    deadline: Instant,
    /// When queries end: the policy has the last word.
    queries_end: Instant,
    asker: Asker,
    /// What the policy may read, once it asks for something.
    reads: Option<GardenReads>,
    known: Rounds<Fact>,
    /// Ids of queries that have no answer, and why.
    unanswered: BTreeMap<String, String>,
    /// The profile that a Shoot names, once somebody asked for it.
    profile: Option<Box<RawValue>>,
    has_asked_profile: bool,
    session: Option<Result<Session, NoSession>>,
}

/// Why there is no session with the cloud.
#[derive(Clone, Debug)]
enum NoSession {
    /// For good.
    Fact(FactError),
    /// Nobody can say now.
    Unknown(String),
}

impl<'c> Conversation<'c> {
    /// Begins a conversation, which ends by the deadline.
    pub fn new(admission: &'c Admission, reviewed: &'c ReviewedObject, deadline: Instant) -> Self {
        let now = Instant::now();
        Self {
            admission,
            reviewed,
            deadline,
            queries_end: now + deadline.saturating_duration_since(now) * 3 / 4,
            asker: admission.asker(),
            reads: None,
            known: Rounds::new(LIMITS),
            unanswered: BTreeMap::new(),
            profile: None,
            has_asked_profile: false,
            session: None,
        }
    }

    /// Asks until no query is open, or none of the open ones has an answer.
    pub async fn ask<A: Open>(mut self, ratchet: bool) -> Result<Asked<A>, NoAnswer> {
        let now = jiff::Timestamp::now().to_string();
        loop {
            let answer: A = self.once(&now, ratchet).await?;
            let queries = self.open_queries(answer.open())?;
            let wants_profile = !self.has_asked_profile
                && self.reviewed.kind == "Shoot"
                && answer.open().iter().any(|undecided| undecided.query.is_none());
            if queries.is_empty() && !wants_profile {
                return Ok(Asked { answer, unanswered: self.unanswered.into_values().collect() });
            }
            if wants_profile {
                self.ask_profile().await?;
            }
            self.answer_all(queries).await;
        }
    }

    async fn once<A: Open>(&self, now: &str, ratchet: bool) -> Result<A, NoAnswer> {
        let Self { reviewed, admission, .. } = self;
        let request = Request {
            object: &reviewed.object,
            old_object: reviewed.old.as_deref(),
            context: self.profile.iter().map(|profile| ("cloudProfile", &**profile)).collect(),
            facts: self.known.facts(),
            now,
            ratchet: ratchet && reviewed.old.is_some(),
        };
        let broken =
            |error: &dyn std::fmt::Display| NoAnswer::Broken(format!("the policy has no answer: {error}"));
        let text = serde_json::to_string(&request).map_err(|error| broken(&error))?;
        admission.metrics.policy_calls(&admission.provider, A::FUNCTION.name(), 1);
        let answer = timeout_at(self.deadline, self.asker.ask(A::FUNCTION, text, self.deadline)).await;
        let text = answer.map_err(|_| broken(&"its time is over"))?.map_err(|error| broken(&error))?;
        answer::read(&text).map_err(NoAnswer::Failure)
    }

    /// The queries that are open, and that nobody tried to answer.
    fn open_queries(&mut self, undecided: &[Undecided]) -> Result<Vec<Query>, NoAnswer> {
        let queries = undecided.iter().filter_map(|one| one.query.as_ref());
        let read = queries.map(|query| serde_json::from_str(query.get())).collect::<Result<Vec<Query>, _>>();
        let queries =
            read.map_err(|error| NoAnswer::Broken(format!("a query of the policy cannot be read: {error}")))?;
        let open = self.known.open_queries(queries, |query| &query.id);
        open.map_err(|error| NoAnswer::Broken(error.to_string()))
    }

    /// Reads the profile that the Shoot names.
    async fn ask_profile(&mut self) -> Result<(), NoAnswer> {
        self.has_asked_profile = true;
        match self.admission.garden.profile(self.reviewed.value(), self.queries_end).await {
            None => {}
            Some(Ok(profile)) => self.profile = to_raw_value(&profile).ok(),
            Some(Err(NoObject::NotFound(message))) => {
                let pointer = Some("/spec/cloudProfile".to_owned());
                return Err(NoAnswer::Failure(Failure { pointer, ..Failure::new(Failure::DENIED, message) }));
            }
            Some(Err(NoObject::Unknown(why))) => _ = self.unanswered.insert("profile".to_owned(), why),
        }
        Ok(())
    }

    async fn answer_all(&mut self, queries: Vec<Query>) {
        let mut open = Vec::new();
        for query in queries {
            match resolve::call(&query.call, &State::new()) {
                Ok(call) => open.push((query, call)),
                Err(error) => _ = self.unanswered.insert(query.id, error.to_string()),
            }
        }
        self.reads.get_or_insert_with(|| GardenReads::of(self.reviewed.value()));
        if self.session.is_none() && open.iter().any(|(_, call)| call.service != SERVICE) {
            self.session = Some(self.begin_session().await);
        }
        let this = &*self;
        let answers = stream::iter(open)
            .map(|(query, call)| async move {
                let answer = this.answer(&query, &call).await;
                (query.id, answer)
            })
            .buffered(MOST_AT_A_TIME);
        let answers: Vec<(String, Result<FactAnswer, String>)> = answers.collect().await;
        for (query, answer) in answers {
            match answer {
                Ok(answer) => {
                    if let FactAnswer::Response(object) = &answer
                        && is_binding(object)
                        && let Some(reads) = &mut self.reads
                    {
                        reads.follow(object);
                    }
                    self.known.learn([Fact { query, answer }]);
                }
                Err(why) => _ = self.unanswered.insert(query, why),
            }
        }
    }

    /// The answer to a query. An error is why there is none now.
    async fn answer(&self, query: &Query, call: &ResolvedCall) -> Result<FactAnswer, String> {
        if call.service == SERVICE {
            let Ok(read) = Read::of(call) else { return Ok(FactAnswer::Error(nowhere(call))) };
            let reads = self.reads.as_ref().ok_or("nothing may be read")?;
            let of = reads.check(&read).map_err(|error| error.to_string())?;
            let namespace = read.namespace.as_deref().unwrap_or_default();
            return match self.admission.garden.get(of, namespace, &read.name, self.queries_end).await {
                Ok(object) => Ok(FactAnswer::Response(object)),
                Err(error) => error.into_fact().map(FactAnswer::Error),
            };
        }
        match &self.session {
            Some(Ok(session)) => cloud::ask(session, query, call, self.queries_end).await,
            Some(Err(NoSession::Fact(error))) => Ok(FactAnswer::Error(error.clone())),
            Some(Err(NoSession::Unknown(why))) => Err(why.clone()),
            None => Err("there is no session with the cloud".to_owned()),
        }
    }

    /// A session with the cloud, in the region and with the credentials of the Shoot.
    async fn begin_session(&self) -> Result<Session, NoSession> {
        let shoot = self.reviewed.value();
        let secret = self.admission.garden.secret(shoot, self.queries_end).await;
        let secret = secret.map_err(|error| match error {
            NoObject::NotFound(message) => NoSession::Fact(cloud::no_credentials(message)),
            NoObject::Unknown(why) => NoSession::Unknown(why),
        })?;
        let region = text(shoot, "/spec/region");
        self.admission.cloud.session(region, &secret).map_err(NoSession::Fact)
    }
}

/// The fact that an object cannot exist, for nothing can have its name.
fn nowhere(call: &ResolvedCall) -> FactError {
    let [kind, name] = ["kind", "name"].map(|parameter| call.text(parameter).unwrap_or_default());
    let message =
        reads::resource(kind).map_or_else(|| format!("{kind} \"{name}\" not found"), |of| of.not_found(name));
    FactError { code: "NotFound".to_owned(), message, http_status: 404 }
}

/// Whether an object is a binding: what it names may be read, too.
fn is_binding(object: &Value) -> bool {
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    [SECRET_BINDINGS.kind, CREDENTIALS_BINDINGS.kind].contains(&kind)
}
