//! Answers the queries of a policy.

use std::fmt;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use super::event::Event;
use super::runner::Runner;
use crate::call::CallFailure;
use crate::call::cloud::Cloud;
use crate::call::resolve::{self, ResolveError};
use crate::document::{Outcome, Query, State};
use crate::limits::backoff::Backoff;
use crate::limits::permit::Terms;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// Id of the query.
    pub query: String,
    /// What the cloud answered.
    pub answer: FactAnswer,
}

/// What the cloud answered.
#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FactAnswer {
    /// The response.
    Response(Value),
    /// An error, for good.
    Error(FactError),
}

/// Shows no response: some hold credentials.
impl fmt::Debug for FactAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Response(_) => out.write_str("Response"),
            Self::Error(error) => error.fmt(out),
        }
    }
}

/// Why the cloud has no response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactError {
    /// The API's error code.
    pub code: String,
    /// The API's message.
    pub message: String,
    /// The HTTP status of the response; 0 where there was no response.
    pub http_status: u16,
}

/// Why the host cannot answer queries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The run has to end.
    #[error("the run ended while it observed the cloud; it changed nothing")]
    PermitEnded,
    /// A query of the policy cannot be resolved.
    #[error("the host cannot answer the query `{query}` of the policy: {error}")]
    Query {
        /// The id of the query.
        query: String,
        /// Why not.
        error: ResolveError,
    },
}

impl<C: Cloud> Runner<'_, C> {
    /// Makes the calls of all queries, several at a time. A call that fails for good is a fact too.
    pub async fn ask(&self, queries: &[Query], state: &State) -> Result<Vec<Fact>, AskError> {
        let permits = Semaphore::new(self.options.concurrency);
        let permits = &permits;
        let mut running: FuturesUnordered<_> = queries
            .iter()
            .map(|query| async move {
                let _permit = permits.acquire().await;
                self.ask_one(query, state).await
            })
            .collect();
        let all = async {
            let mut facts = Vec::new();
            while let Some(fact) = running.next().await {
                facts.push(fact?);
            }
            Ok(facts)
        };
        let mut facts = tokio::select! {
            biased;
            () = self.permit_ended() => return Err(AskError::PermitEnded),
            facts = all => facts?,
        };
        // In the order of the queries: the policy gets the same facts whichever call has its answer first.
        facts.sort_by_key(|fact| queries.iter().position(|query| query.id == fact.query));
        Ok(facts)
    }

    async fn ask_one(&self, query: &Query, state: &State) -> Result<Fact, AskError> {
        let call = resolve::call(&query.call, state)
            .map_err(|error| AskError::Query { query: query.id.clone(), error })?;
        // A call without an answer leaves time for one more.
        let patience = self.cloud.patience(&call).max(self.options.query_limit / 2);
        let deadline = Instant::now() + patience * 2;
        let mut backoff = Backoff::new(self.options.jitter);
        let answer = loop {
            let until = deadline.min(Instant::now() + patience);
            let terms = Terms { deadline: until, permit: &self.permit };
            let answered = match &query.identity {
                Some(at) => self.cloud.identity(&call, at, terms).await,
                None => self.cloud.query(&call, &query.paging, terms).await,
            };
            let failure = match answered {
                Ok(response) => break FactAnswer::Response(response),
                Err(failure) => failure,
            };
            if failure.is_permit_ended() {
                return Err(AskError::PermitEnded);
            }
            let classified = self.classify.classify(&failure, deadline).await;
            let delay = backoff.next(failure.retry_after);
            if classified.outcome != Outcome::Retry || Instant::now() + delay >= deadline {
                break FactAnswer::Error(failure.into());
            }
            (self.listener)(Event::Retrying {
                step: query.id.clone(),
                why: classified.message,
                delay: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
            });
            sleep(delay).await;
        };
        Ok(Fact { query: query.id.clone(), answer })
    }
}

impl From<CallFailure> for FactError {
    fn from(CallFailure { code, message, http_status, .. }: CallFailure) -> Self {
        Self { code, message, http_status }
    }
}
