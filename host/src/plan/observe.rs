//! Asking the cloud what a policy wants to know.

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use super::backoff::Backoff;
use super::cloud::Cloud;
use super::document::{Outcome, Query, State};
use super::event::Event;
use super::resolve::{self, ResolveError};
use super::runner::Runner;
use crate::transport::CallFailure;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// Id of the query.
    pub query: String,
    /// What the cloud said.
    pub answer: FactAnswer,
}

/// What the cloud said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FactAnswer {
    /// What was asked for.
    Response(Value),
    /// That there is no answer.
    Error(FactError),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactError {
    /// The API's error code.
    pub code: String,
    /// The API's message.
    pub message: String,
    /// Status of the response, 0 where there was none.
    pub http_status: u16,
}

/// Why queries are not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The run was ended.
    #[error("stopped while looking at the cloud; nothing was changed")]
    Stopped,
    /// The policy's query is none.
    #[error("query `{query}` of the policy cannot be asked: {error}")]
    Query {
        /// Its id.
        query: String,
        /// Why not.
        error: ResolveError,
    },
}

impl<C: Cloud> Runner<'_, C> {
    /// Asks all queries side by side. What fails for good is a fact too.
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
            () = self.stop.halted(self.options.deadline) => return Err(AskError::Stopped),
            facts = all => facts?,
        };
        // As they were asked: what a policy is told is the same whoever answers first.
        facts.sort_by_key(|fact| queries.iter().position(|query| query.id == fact.query));
        Ok(facts)
    }

    async fn ask_one(&self, query: &Query, state: &State) -> Result<Fact, AskError> {
        let call = resolve::call(&query.call, state)
            .map_err(|error| AskError::Query { query: query.id.clone(), error })?;
        // A call that is never answered leaves time for another one.
        let patience = call.patience().max(self.options.query_limit / 2);
        let deadline = Instant::now() + patience * 2;
        let mut backoff = Backoff::new(self.options.jitter);
        let answer = loop {
            let until = deadline.min(Instant::now() + patience);
            let answered = match &query.identity {
                Some(at) => self.cloud.identity(&call, at, until).await,
                None => self.cloud.query(&call, query.paging, until).await,
            };
            let failure = match answered {
                Ok(response) => break FactAnswer::Response(response),
                Err(failure) => failure,
            };
            let classified = (self.classify)(&failure);
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
