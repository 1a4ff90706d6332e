//! Asks the policy what a webhook changes in an object.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use kube::Client;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::senders::namespace_of;
use crate::api_server::objects::Objects;
use crate::api_server::resource::CLUSTERS;
use crate::controller::runtime::granted::{Granted, SeedWebhook};
use crate::metrics::Metrics;
use crate::webhook::registration::Target;
use crate::webhook::{Answer, Review};
use trellis_policies::answer::{self, DefaultChange, Failure, Finding, Mutation, Severity, Undecided};
use trellis_policies::engine::{Asker, Function, PolicyThreads, Versions};
use trellis_policies::rounds::{Limits, Rounds};
use trellis_runner::call::resolve;
use trellis_runner::document::{Query, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::observe::{Fact, FactAnswer, FactError};
use trellis_runner::run::reads::{Read, Reads};

/// The patch of an object that stays as it is.
const NO_CHANGE: &str = "[]";
/// What a policy may ask for one review. They are few, because the API server waits for the answer.
const LIMITS: Limits = Limits { rounds: 3, queries: 100 };

/// Changes objects by the policy of a provider.
pub struct Mutating {
    /// The provider type.
    pub provider: String,
    /// The policies in use.
    pub policies: Arc<Versions>,
    /// The threads that policies are called on: reviews do not wait for reconciles.
    pub threads: PolicyThreads,
    /// The extension's own configuration.
    pub configuration: Option<Arc<RawValue>>,
    /// Images that replace those of the policy.
    pub images: Option<Arc<RawValue>>,
    /// The API server of the seed.
    pub client: Client,
    /// Counts the calls.
    pub metrics: Metrics,
}

/// A request of `mutate`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'r> {
    webhook: &'static str,
    object: &'r RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_object: Option<&'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<&'r RawValue>,
    facts: &'r [Fact],
}

impl Mutating {
    /// What becomes of the object of a review.
    pub async fn answer(&self, webhook: &SeedWebhook, review: Review) -> Answer {
        let Some(object) = review.object.as_deref() else {
            return Answer::unreadable("the review has no object");
        };
        match self.mutate(webhook, &review, object).await {
            Ok(mutation) => admitted(mutation),
            Err(Refused::Policy(failure)) if failure.code == Failure::UNKNOWN_ANSWER => {
                Answer::failed(format!("the object cannot be changed as it has to be: {}", failure.message))
            }
            Err(Refused::Policy(failure)) => Answer::unreadable(failure.message),
            Err(Refused::Host(why)) => {
                Answer::failed(format!("the object cannot be changed as it has to be: {why}; try again"))
            }
        }
    }

    /// Asks the policy until no query is open.
    async fn mutate(
        &self,
        webhook: &SeedWebhook,
        review: &Review,
        object: &RawValue,
    ) -> Result<Mutation, Refused> {
        let asker = Asker::new(self.policies.current(), &self.provider, self.threads.clone());
        let mut known: Rounds<Fact> = Rounds::new(LIMITS);
        loop {
            let request = Request {
                webhook: webhook.name,
                object,
                old_object: review.old_object.as_deref(),
                configuration: self.configuration.as_deref(),
                images: self.images.as_deref(),
                facts: known.facts(),
            };
            let request = serde_json::to_string(&request).map_err(|error| Refused::Host(error.to_string()))?;
            self.metrics.policy_calls(&self.provider, Function::Mutate.name(), 1);
            let answer = asker.ask(Function::Mutate, request, review.deadline).await;
            let answer = answer.map_err(|error| Refused::Host(format!("the policy has no answer: {error}")))?;
            let mutation: Mutation = answer::read(&answer).map_err(Refused::Policy)?;
            let queries = match open(&mutation.undecided) {
                // What nobody can decide changes nothing for an object that is refused.
                Err(_) if has_errors(&mutation.findings) => return Ok(mutation),
                queries => queries?,
            };
            let queries = known.queries(queries, |query| &query.id);
            let queries = queries.map_err(|error| Refused::Host(error.to_string()))?;
            if queries.is_empty() {
                return Ok(mutation);
            }
            for query in queries {
                let answer = self.fact(webhook, review, object, &query).await?;
                known.learn([Fact { answer, query: query.id }]);
            }
        }
    }

    /// The answer to a query.
    async fn fact(
        &self,
        webhook: &SeedWebhook,
        review: &Review,
        object: &RawValue,
        query: &Query,
    ) -> Result<FactAnswer, Refused> {
        let host = |error: &dyn fmt::Display| Refused::Host(error.to_string());
        let call = resolve::call(&query.call, &State::new()).map_err(|error| host(&error))?;
        let objects = Objects::new(self.client.clone(), Permit::unlimited(), review.deadline);
        let (asked, read) = match webhook.target {
            Target::Own => {
                let object: Value = serde_json::from_str(object.get()).map_err(|error| host(&error))?;
                let read = Reads::of(&object).check(&call).map_err(|error| host(&error))?;
                (read.to_string(), read)
            }
            // The policy names the Cluster after the namespace of the object, which is one of the Shoot's own.
            Target::Shoots => {
                let asked = Read::of(&call).map_err(|why| host(&why))?;
                if asked.kind != CLUSTERS.kind || asked.name != review.namespace {
                    return Err(Refused::Host(format!(
                        "the policy may read the Cluster of the Shoot alone, not {asked}"
                    )));
                }
                let sender = review.sender.ip();
                let found = namespace_of(&objects, sender).await.map_err(|error| host(&error))?;
                let unknown = || Refused::Host(format!("no API server of a Shoot has the address {sender}"));
                (asked.to_string(), Read { name: found.ok_or_else(unknown)?, ..asked })
            }
        };
        let of = Granted::of(&self.provider).read(&read).map_err(|error| host(&error))?;
        let found = objects.glance(of, read.namespace.as_deref().unwrap_or_default(), &read.name).await;
        match found {
            Ok(Some(found)) => Ok(FactAnswer::Response(found)),
            Ok(None) => Ok(FactAnswer::Error(FactError {
                code: "NotFound".to_owned(),
                message: format!("{asked} is not there"),
                http_status: 404,
            })),
            Err(why) => Err(Refused::Host(format!("{read} cannot be read: {why}"))),
        }
    }
}

impl fmt::Debug for Mutating {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mutating").field("provider", &self.provider).finish_non_exhaustive()
    }
}

/// Why there is no answer.
enum Refused {
    /// The policy refuses the request as it is.
    Policy(Failure),
    /// The policy or what it needs to know cannot be asked now.
    Host(String),
}

/// The queries that are open.
fn open(undecided: &[Undecided]) -> Result<Vec<Query>, Refused> {
    let read = |one: &Undecided| -> Result<Query, Refused> {
        let query = one.query.as_ref().ok_or_else(|| Refused::Host(one.why.clone()))?;
        serde_json::from_str(query.get())
            .map_err(|error| Refused::Host(format!("a query of the policy cannot be read: {error}")))
    };
    let mut open: Vec<Query> = Vec::new();
    for query in undecided.iter().map(read) {
        let query = query?;
        if !open.iter().any(|known| known.id == query.id) {
            open.push(query);
        }
    }
    Ok(open)
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// What the API server gets for an answer of the policy.
fn admitted(mutation: Mutation) -> Answer {
    let Mutation { patch, changes, findings, .. } = mutation;
    let said = |severity: Severity| {
        let of = findings.iter().filter(move |finding| finding.severity == severity);
        of.map(
            |Finding { detail, remedy, .. }| {
                if remedy.is_empty() { detail.clone() } else { format!("{detail} ({remedy})") }
            },
        )
        .collect::<Vec<_>>()
    };
    if has_errors(&findings) {
        return Answer::denied(said(Severity::Error).join("; "));
    }
    let rules: BTreeSet<&str> = changes.iter().map(|DefaultChange { rule, .. }| rule.as_str()).collect();
    let rules = rules.into_iter().collect::<Vec<_>>().join(",");
    Answer {
        warnings: said(Severity::Warning),
        audit: Some(("rules", rules)).filter(|(_, rules)| !rules.is_empty()).into_iter().collect(),
        patch: patch.filter(|patch| patch.get() != NO_CHANGE),
        ..Answer::allowed()
    }
}
