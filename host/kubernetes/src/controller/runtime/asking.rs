//! Asks a policy what it renders for an object, and answers its queries.

mod asked;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::api_server::objects::{Head, Objects, ResourceVersions, name, namespace};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{DEPLOYMENTS, SECRETS};
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::delivered::Delivered;
use crate::controller::runtime::errors::errors;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::status::Failure;
use crate::metrics::Metrics;
pub use asked::Asked;
use trellis_policies::answer::{self, Finding, Rendering, Undecided};
use trellis_policies::engine::{Asker, Function, PolicyThreads, Versions};
use trellis_policies::rounds::{Endless, Limits, Rounds};
use trellis_runner::call::resolve;
use trellis_runner::document::{Classification, Query, State};
use trellis_runner::plan::observe::{Fact, FactAnswer, FactError};
use trellis_runner::run::reads::{Read, Reads, SERVICE};

/// A policy has a query for each worker pool, and few more.
const LIMITS: Limits = Limits { rounds: 5, queries: 1_000 };
/// The most queries that are answered at a time.
const MOST_AT_A_TIME: usize = 8;

/// Asks the policy of a provider.
#[derive(Clone)]
pub struct Asking {
    /// The provider type.
    pub provider: String,
    /// The policies in use.
    pub policies: Arc<Versions>,
    /// The threads that policies are called on.
    pub threads: PolicyThreads,
    /// The extension's own configuration.
    pub configuration: Option<Arc<RawValue>>,
    /// Images that replace those of the policy.
    pub images: Option<Arc<RawValue>>,
    /// What policies asked for.
    pub asked: Asked,
    /// Counts the calls.
    pub metrics: Metrics,
}

impl fmt::Debug for Asking {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Asking").field("provider", &self.provider).finish_non_exhaustive()
    }
}

/// Names of Secrets that hold certificates now, by the names of the certificates.
pub type Names = BTreeMap<String, String>;

/// A request of `render` or `workers`.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control_plane: Option<&'r Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<&'r Value>,
    cluster: BTreeMap<&'static str, &'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secrets: Option<&'r Names>,
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<&'r RawValue>,
    facts: &'r [Fact],
}

/// One operation's conversation with a policy: what was asked stays answered.
pub struct Conversation<'c> {
    asking: &'c Asking,
    task: Task<'c>,
    asker: Asker,
    objects: &'c Objects,
    reads: Reads,
    delivered: Option<Delivered>,
    known: Rounds<Fact>,
    /// The queries that what was delivered has answered.
    by_delivered: BTreeSet<String>,
}

impl Asking {
    /// Begins a conversation about the object of a task.
    pub fn about<'c>(&'c self, task: Task<'c>, objects: &'c Objects) -> Conversation<'c> {
        Conversation {
            asking: self,
            task,
            asker: self.asker(),
            objects,
            reads: Reads::of(task.object),
            delivered: None,
            known: Rounds::new(LIMITS),
            by_delivered: BTreeSet::new(),
        }
    }

    /// A failure with Gardener's codes for its text.
    pub async fn coded(&self, failure: Failure, task: Task<'_>) -> Failure {
        let reported = self.codes(&failure.message, task.deadline).await;
        let mut codes = [failure.codes.clone(), reported].concat();
        codes.sort();
        codes.dedup();
        Failure { codes, ..failure }
    }

    /// Gardener's codes for a text that says what is wrong.
    pub async fn codes(&self, message: &str, deadline: Instant) -> Vec<String> {
        let request = serde_json::json!({
            "call": { "service": SERVICE, "action": "get" },
            "error": { "code": "", "message": message, "httpStatus": 0 },
        });
        self.metrics.policy_calls(&self.provider, Function::Classify.name(), 1);
        let answer = self.asker().ask(Function::Classify, request.to_string(), deadline).await;
        // Without an answer, the failure has no codes: gardenlet tries again.
        let reported: Option<Classification> = answer.ok().and_then(|text| answer::read(&text).ok());
        reported.map(|reported| reported.codes).unwrap_or_default()
    }

    fn asker(&self) -> Asker {
        Asker::new(self.policies.current(), &self.provider, self.threads.clone())
    }
}

impl Conversation<'_> {
    /// The control plane. `names` are those of the Secrets that hold certificates now.
    pub async fn control_plane(&mut self, names: &Names) -> Result<Rendering, Failure> {
        let (task, asking) = (self.task, self.asking);
        let request = Request {
            what: Some("controlPlane"),
            control_plane: Some(task.object),
            secrets: Some(names),
            images: asking.images.as_deref(),
            ..request(task, asking)
        };
        let text = self.ask(Function::Render, request).await?;
        answer::read(&text).map_err(|error| broken(&error))
    }

    /// A preview of the control plane, which needs no object and no answer of anybody: for the names that are in
    /// it.
    pub async fn preview(&mut self) -> Result<Rendering, Failure> {
        let images = self.asking.images.as_deref();
        let request = Request { what: Some("controlPlane"), images, ..request(self.task, self.asking) };
        let text = self.once(Function::Render, &request).await?;
        let rendering: Rendering = answer::read(&text).map_err(|error| broken(&error))?;
        refused(&rendering.findings)?;
        Ok(rendering)
    }

    /// The machines of a Worker: the answer of `workers`.
    pub async fn workers(&mut self) -> Result<Value, Failure> {
        let (task, asking) = (self.task, self.asking);
        let request = Request { worker: Some(task.object), ..request(task, asking) };
        let text = self.ask(Function::Workers, request).await?;
        answer::read(&text).map_err(|error| broken(&error))
    }

    /// The objects of the namespace that were read; none where something else was.
    pub fn read(&self) -> Option<ReadObjects> {
        self.read_by(self.known.facts().iter())
    }

    /// The same, in addition to what was delivered.
    pub fn read_besides_delivered(&self) -> Option<ReadObjects> {
        self.read_by(self.known.facts().iter().filter(|fact| !self.by_delivered.contains(&fact.query)))
    }

    fn read_by<'f>(&self, facts: impl Iterator<Item = &'f Fact>) -> Option<ReadObjects> {
        let mut read = ReadObjects::default();
        for fact in facts {
            let FactAnswer::Response(object) = &fact.answer else { return None };
            if namespace(object) != namespace(self.task.object) {
                return None;
            }
            let of = match object.get("kind")?.as_str()? {
                kind if kind == SECRETS.kind => &mut read.secrets,
                kind if kind == DEPLOYMENTS.kind => &mut read.deployments,
                _ => return None,
            };
            let Head { name, version, .. } = Head::of(object);
            of.insert(name, version);
        }
        Some(read)
    }

    /// What was delivered before. It is read once.
    pub async fn delivered(&mut self) -> Result<&Delivered, Failure> {
        if self.delivered.is_none() {
            let read = Delivered::read(self.objects, namespace(self.task.object)).await;
            self.delivered = Some(read.map_err(|error| unread(&error))?);
        }
        Ok(self.delivered.get_or_insert_default())
    }

    /// Asks until no query is open.
    async fn ask(&mut self, function: Function, request: Request<'_>) -> Result<String, Failure> {
        #[derive(serde::Deserialize)]
        struct Answer {
            #[serde(default)]
            findings: Vec<Finding>,
            #[serde(default)]
            undecided: Vec<Undecided>,
        }
        let key = format!("{} {}/{}", function.name(), namespace(self.task.object), name(self.task.object));
        let metadata =
            |key: &str| self.task.object.pointer(&format!("/metadata/{key}")).cloned().unwrap_or_default();
        let of = Value::Array(vec![metadata("uid"), metadata("generation")]);
        let mut asked = self.asking.asked.of(&key, &of);
        self.known.begin();
        let remembered =
            self.known.open_queries(asked.clone(), |query| &query.id).map_err(|error| endless(&error))?;
        self.answer_all(remembered).await?;
        self.known.begin();
        loop {
            let request = Request { facts: self.known.facts(), ..request.clone() };
            let text = self.once(function, &request).await?;
            let Answer { findings, undecided } = answer::read(&text).map_err(|error| broken(&error))?;
            refused(&findings)?;
            let queries =
                self.known.queries(open(&undecided)?, |query| &query.id).map_err(|error| endless(&error))?;
            if queries.is_empty() {
                self.asking.asked.keep(&key, of, asked);
                return Ok(text);
            }
            asked.extend(queries.iter().cloned());
            self.answer_all(queries).await?;
        }
    }

    /// Answers queries, several at a time.
    async fn answer_all(&mut self, queries: Vec<Query>) -> Result<(), Failure> {
        let mut open = Vec::new();
        for query in queries {
            let read = self.read_of(&query)?;
            open.push((query.id, read));
        }
        if open.iter().any(|(_, asked)| asked.is_delivered) {
            self.delivered().await?;
        }
        let this = &*self;
        let answers = stream::iter(open)
            .map(|(query, asked)| async move { this.answer(asked).await.map(|answer| (query, answer)) });
        let answers: Vec<(String, Answered)> = answers.buffered(MOST_AT_A_TIME).try_collect().await?;
        for (query, Answered { answer, by_delivered }) in answers {
            if by_delivered {
                self.by_delivered.insert(query.clone());
            }
            self.known.learn([Fact { query, answer }]);
        }
        Ok(())
    }

    /// What a query reads, where the policy may read that.
    fn read_of(&self, query: &Query) -> Result<QueryRead, Failure> {
        let call = resolve::call(&query.call, &State::new()).map_err(|error| Failure::new(error.to_string()))?;
        if call.service != SERVICE {
            return Err(Failure::new(format!("the policy asks `{}` for what it renders", call.service)));
        }
        let read = Read::of(&call).map_err(|why| Failure::new(format!("the policy may not ask that: {why}")))?;
        let is_own = read.namespace.as_deref() == Some(namespace(self.task.object));
        let allowed = self.reads.check(&call);
        // What nobody else may be asked for may be among what was delivered.
        let is_delivered_alone = read.in_shoot || (is_own && read.kind == SECRETS.kind && allowed.is_err());
        if !is_delivered_alone {
            allowed.map_err(|error| Failure::new(error.to_string()))?;
        }
        let is_delivered = is_delivered_alone || (is_own && read.kind == DEPLOYMENTS.kind);
        Ok(QueryRead { read, is_delivered, is_delivered_alone })
    }

    /// What was delivered, or the API server, answers.
    async fn answer(&self, asked: QueryRead) -> Result<Answered, Failure> {
        let QueryRead { read, is_delivered, is_delivered_alone } = asked;
        let delivered = self.delivered.as_ref().filter(|_| is_delivered);
        match delivered.and_then(|delivered| delivered.find(&read)) {
            Some(object) => Ok(Answered { answer: FactAnswer::Response(object), by_delivered: true }),
            None if is_delivered_alone => Ok(Answered { answer: absent(&read), by_delivered: true }),
            None => Ok(Answered { answer: self.answer_of_api(&read).await?, by_delivered: false }),
        }
    }

    /// The API server answers.
    async fn answer_of_api(&self, read: &Read) -> Result<FactAnswer, Failure> {
        let of = Granted::of(&self.asking.provider).read(read).map_err(|error| Failure::new(error.to_string()))?;
        let found = self.objects.get(of, read.namespace.as_deref().unwrap_or_default(), &read.name).await;
        let found = found.map_err(|error| Failure::new(format!("{read} cannot be read: {error}")))?;
        Ok(found.map_or_else(|| absent(read), FactAnswer::Response))
    }

    async fn once(&self, function: Function, request: &Request<'_>) -> Result<String, Failure> {
        let text = serde_json::to_string(request).map_err(|error| Failure::new(error.to_string()))?;
        self.asking.metrics.policy_calls(&self.asking.provider, function.name(), 1);
        let answer = self.asker.ask(function, text, self.task.deadline).await;
        answer.map_err(|error| Failure::new(format!("the policy has no answer: {error}")))
    }
}

/// Objects that were read.
#[derive(Debug, Default)]
pub struct ReadObjects {
    /// Secrets.
    pub secrets: ResourceVersions,
    /// Deployments.
    pub deployments: ResourceVersions,
}

/// The answer to a query.
struct Answered {
    answer: FactAnswer,
    /// Whether it comes from what was delivered.
    by_delivered: bool,
}

/// What a query reads.
struct QueryRead {
    read: Read,
    /// Whether what was delivered is looked through first.
    is_delivered: bool,
    /// Whether nobody else may be asked.
    is_delivered_alone: bool,
}

fn request<'r>(task: Task<'r>, asking: &'r Asking) -> Request<'r> {
    Request {
        what: None,
        control_plane: None,
        worker: None,
        cluster: task.cluster.into_iter().flat_map(Cluster::described).collect(),
        configuration: asking.configuration.as_deref(),
        secrets: None,
        images: None,
        facts: &[],
    }
}

/// The errors among findings, as one failure.
fn refused(findings: &[Finding]) -> Result<(), Failure> {
    let errors = errors(findings);
    if errors.is_empty() { Ok(()) } else { Err(Failure::new(errors)) }
}

/// The queries that are open.
fn open(undecided: &[Undecided]) -> Result<Vec<Query>, Failure> {
    let queries = undecided.iter().filter_map(|one| one.query.as_ref());
    let read = queries.map(|query| serde_json::from_str(query.get()));
    read.collect::<Result<_, _>>()
        .map_err(|error| Failure::new(format!("a query of the policy cannot be read: {error}")))
}

fn endless(error: &Endless) -> Failure {
    Failure::new(error.to_string())
}

fn absent(read: &Read) -> FactAnswer {
    FactAnswer::Error(FactError {
        code: "NotFound".to_owned(),
        message: format!("{read} is not there"),
        http_status: 404,
    })
}

fn broken(error: &answer::Failure) -> Failure {
    Failure::new(error.message.clone())
}

fn unread(error: &WriteError) -> Failure {
    Failure::new(format!("what was delivered before cannot be read: {error}"))
}

#[cfg(test)]
mod tests;
