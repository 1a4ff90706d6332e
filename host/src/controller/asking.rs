//! Asks a policy what it renders for an object, and answers its queries.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::api::WriteError;
use super::delivered::Delivered;
use super::objects::{Objects, namespace};
use super::reader::ClusterReader;
use super::reconcile::Task;
use super::resource::{DEPLOYMENTS, SECRETS};
use super::status::Failure;
use crate::answer::{self, Finding, Rendering, Severity, Undecided};
use crate::engine::{Asker, Function, PolicyThreads, Versions};
use crate::plan::document::{Classification, Query, State};
use crate::plan::observe::{Fact, FactAnswer, FactError};
use crate::plan::resolve;
use crate::run::reads::{Read, Reads, SERVICE};
use crate::run::world::Reader as _;

/// How often a policy may ask for more before it answers.
const MOST_ROUNDS: usize = 5;

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
    /// Reads objects for the policy.
    pub reader: ClusterReader,
}

impl fmt::Debug for Asking {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Asking").field("provider", &self.provider).finish_non_exhaustive()
    }
}

/// Names of Secrets that hold certificates now, by the names of the certificates.
pub type Names = BTreeMap<String, String>;

/// A request of `render` or `workers`.
#[derive(Serialize)]
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
    facts: Vec<Fact>,
}

/// One operation's conversation with a policy: what was asked stays answered.
pub struct Conversation<'c> {
    asking: &'c Asking,
    task: Task<'c>,
    asker: Asker,
    objects: &'c Objects,
    reads: Reads,
    delivered: Option<Delivered>,
    facts: Vec<Fact>,
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
            facts: Vec::new(),
        }
    }

    /// A failure with Gardener's codes for its text.
    pub async fn coded(&self, failure: Failure, task: Task<'_>) -> Failure {
        let told = self.codes(&failure.message, task.deadline).await;
        let mut codes = [failure.codes.clone(), told].concat();
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
        let answer = self.asker().ask(Function::Classify, request.to_string(), deadline).await;
        // Without an answer, the failure has no codes: gardenlet tries again.
        let told: Option<Classification> = answer.ok().and_then(|text| answer::read(&text).ok());
        told.map(|told| told.codes).unwrap_or_default()
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
        Rendering::read(text).map_err(|error| broken(&error))
    }

    /// A preview of the control plane, which needs no object and no answer of anybody: for the names that are in it.
    pub async fn preview(&mut self) -> Result<Rendering, Failure> {
        let request = Request { what: Some("controlPlane"), ..request(self.task, self.asking) };
        let text = self.once(Function::Render, &request).await?;
        Rendering::read(text).map_err(|error| broken(&error))
    }

    /// The machines of a Worker: the answer of `workers`.
    pub async fn workers(&mut self) -> Result<Value, Failure> {
        let (task, asking) = (self.task, self.asking);
        let request = Request { worker: Some(task.object), ..request(task, asking) };
        let text = self.ask(Function::Workers, request).await?;
        answer::read(&text).map_err(|error| broken(&error))
    }

    /// Asks until no query is open.
    async fn ask(&mut self, function: Function, mut request: Request<'_>) -> Result<String, Failure> {
        #[derive(serde::Deserialize)]
        struct Answer {
            #[serde(default)]
            findings: Vec<Finding>,
            #[serde(default)]
            undecided: Vec<Undecided>,
        }
        for _ in 0..MOST_ROUNDS {
            request.facts = std::mem::take(&mut self.facts);
            let text = self.once(function, &request).await;
            self.facts = std::mem::take(&mut request.facts);
            let text = text?;
            let Answer { findings, undecided } = answer::read(&text).map_err(|error| broken(&error))?;
            refused(&findings)?;
            let queries = open(&undecided)?;
            if queries.is_empty() {
                return Ok(text);
            }
            for query in queries {
                if self.facts.iter().any(|fact| fact.query == query.id) {
                    return Err(Failure::new(format!("the policy asks for `{}` again", query.id)));
                }
                let answer = self.answer(&query).await?;
                self.facts.push(Fact { query: query.id, answer });
            }
        }
        Err(Failure::new("the policy asks for more and more, and never answers"))
    }

    async fn once(&self, function: Function, request: &Request<'_>) -> Result<String, Failure> {
        let text = serde_json::to_string(request).map_err(|error| Failure::new(error.to_string()))?;
        let answer = self.asker.ask(function, text, self.task.deadline).await;
        answer.map_err(|error| Failure::new(format!("the policy has no answer: {error}")))
    }

    /// What the API server, or what was delivered, answers to a query.
    async fn answer(&mut self, query: &Query) -> Result<FactAnswer, Failure> {
        let call = resolve::call(&query.call, &State::new()).map_err(|error| Failure::new(error.to_string()))?;
        if call.service != SERVICE {
            return Err(Failure::new(format!("the policy asks `{}` for what it renders", call.service)));
        }
        let read = Read::of(&call).map_err(|why| Failure::new(format!("the policy may not ask that: {why}")))?;
        let own = namespace(self.task.object);
        let is_own_secret = read.kind == "Secret" && read.namespace.as_deref() == Some(own);
        let allowed = self.reads.check(&call);
        if read.in_shoot
            || read.namespace.as_deref() == Some(own)
                && (is_own_secret && allowed.is_err() || read.kind == "Deployment")
        {
            let delivered = match &mut self.delivered {
                Some(delivered) => delivered,
                none => none.insert(Delivered::read(self.objects, own).await.map_err(unread)?),
            };
            if let Some(object) = delivered.find(&read) {
                return Ok(FactAnswer::Response(object));
            }
            if read.in_shoot || is_own_secret {
                return Ok(absent(&read));
            }
        }
        let read = allowed.map_err(|error| Failure::new(error.to_string()))?;
        let known = [&SECRETS, &DEPLOYMENTS]
            .into_iter()
            .find(|of| of.kind == read.kind && of.api_version() == read.api_version);
        if let (Some(of), Some(namespace)) = (known, &read.namespace) {
            let found = self.objects.get(of, namespace, &read.name).await;
            let found = found.map_err(|error| Failure::new(format!("{read} cannot be read: {error}")))?;
            return Ok(found.map_or_else(|| absent(&read), FactAnswer::Response));
        }
        let found = tokio::time::timeout_at(self.task.deadline, self.asking.reader.get(&read)).await;
        match found {
            Err(_) => Err(Failure::new(format!("{read} was not read in time"))),
            Ok(Err(failure)) => Err(Failure::new(format!("{read} cannot be read: {}", failure.message))),
            Ok(Ok(Some(object))) if read.is_of(&object) => Ok(FactAnswer::Response(object)),
            Ok(Ok(Some(_))) => {
                Err(Failure::new(format!("{read} was asked for, and the answer is another object")))
            }
            Ok(Ok(None)) => Ok(absent(&read)),
        }
    }
}

fn request<'r>(task: Task<'r>, asking: &'r Asking) -> Request<'r> {
    Request {
        what: None,
        control_plane: None,
        worker: None,
        cluster: task.cluster.described().collect(),
        configuration: asking.configuration.as_deref(),
        secrets: None,
        images: None,
        facts: Vec::new(),
    }
}

/// The errors among findings, as one failure.
fn refused(findings: &[Finding]) -> Result<(), Failure> {
    let errors: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.detail.as_str())
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(Failure::new(errors.join("; "))) }
}

/// The queries that are open.
fn open(undecided: &[Undecided]) -> Result<Vec<Query>, Failure> {
    let queries = undecided.iter().filter_map(|one| one.query.as_ref());
    let mut open: Vec<Query> = Vec::new();
    for query in queries {
        let query: Query = serde_json::from_str(query.get())
            .map_err(|error| Failure::new(format!("a query of the policy cannot be read: {error}")))?;
        if !open.iter().any(|known| known.id == query.id) {
            open.push(query);
        }
    }
    Ok(open)
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

fn unread(error: WriteError) -> Failure {
    Failure::new(format!("what was delivered before cannot be read: {error}"))
}
