//! The world of a run: the cloud, and what the policy may read of Kubernetes.

use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout_at;

use super::reads::{NotAllowed, Read, Reads, SERVICE};
use crate::call::cloud::Cloud;
use crate::call::failure::{NOT_ALLOWED, TIMEOUT};
use crate::call::tally::Tally;
use crate::call::{CallFailure, ResolvedCall};
use crate::document::Paging;
use crate::limits::permit::Terms;
use trellis_policies::span::{span, within};

/// The code of a query for an object that is not there.
const NOT_FOUND: &str = "NotFound";

/// Reads objects of Kubernetes.
pub trait Reader: Send + Sync {
    /// Reads an object once; none where it is not there. An object with a namespace is read in that namespace: of
    /// a kind without namespaces there is none.
    fn get(&self, read: &Read) -> impl Future<Output = Result<Option<Value>, CallFailure>> + Send;
}

/// Reads nothing: a command has no cluster.
#[derive(Clone, Copy, Debug)]
pub struct NoReader;

impl Reader for NoReader {
    async fn get(&self, read: &Read) -> Result<Option<Value>, CallFailure> {
        Err(refused(format!("{read} cannot be read: this run has no cluster")))
    }
}

/// Answers a run's queries for Kubernetes by a reader, within what the policy may read. Everything else goes to
/// the cloud.
#[derive(Clone, Debug)]
pub struct World<C, R> {
    cloud: C,
    reads: Reads,
    reader: R,
}

impl<C, R> World<C, R> {
    /// A cloud, and a reader for what may be read.
    pub fn new(cloud: C, reads: Reads, reader: R) -> Self {
        Self { cloud, reads, reader }
    }
}

impl<C> World<C, NoReader> {
    /// A cloud alone: nothing of Kubernetes may be read.
    pub fn of_cloud(cloud: C) -> Self {
        Self::new(cloud, Reads::nothing(), NoReader)
    }
}

impl<C: Cloud, R: Reader> World<C, R> {
    async fn read(&self, call: &ResolvedCall, terms: Terms<'_>) -> Result<Value, CallFailure> {
        let read = self.reads.check(call)?;
        terms.permit.to_read()?;
        let answer = timeout_at(terms.deadline, self.reader.get(&read)).await.map_err(|_| CallFailure {
            code: TIMEOUT.to_owned(),
            message: format!("{read} was not read in time"),
            ..CallFailure::default()
        })?;
        match answer? {
            Some(object) if read.is_of(&object) => Ok(object),
            Some(_) => Err(refused(format!("{read} was asked for, and the answer is another object"))),
            None => Err(CallFailure {
                code: NOT_FOUND.to_owned(),
                message: format!("{read} is not there"),
                http_status: 404,
                ..CallFailure::default()
            }),
        }
    }
}

impl<C: Cloud, R: Reader> Cloud for World<C, R> {
    async fn change(&self, call: &ResolvedCall, terms: Terms<'_>) -> Result<Value, CallFailure> {
        if call.service == SERVICE {
            return Err(named(self.reads.refuse_change(call).into(), call));
        }
        traced(call, self.cloud.change(call, terms)).await
    }

    async fn query(&self, call: &ResolvedCall, paging: &Paging, terms: Terms<'_>) -> Result<Value, CallFailure> {
        if call.service == SERVICE {
            return traced(call, self.read(call, terms)).await.map_err(|failure| named(failure, call));
        }
        traced(call, self.cloud.query(call, paging, terms)).await
    }

    async fn identity(&self, call: &ResolvedCall, at: &str, terms: Terms<'_>) -> Result<Value, CallFailure> {
        if call.service == SERVICE {
            return Err(named(refused("Kubernetes has no account".to_owned()), call));
        }
        traced(call, self.cloud.identity(call, at, terms)).await
    }

    fn patience(&self, call: &ResolvedCall) -> Duration {
        self.cloud.patience(call)
    }

    fn sent(&self) -> u64 {
        self.cloud.sent()
    }

    fn tally(&self) -> Tally {
        self.cloud.tally()
    }
}

/// A call in a span of its own.
async fn traced(
    call: &ResolvedCall,
    work: impl Future<Output = Result<Value, CallFailure>>,
) -> Result<Value, CallFailure> {
    let ResolvedCall { service, action, .. } = call;
    let span = span!("call", otel.name = format!("{service} {action}"), otel.kind = "client", service, action);
    within(span, work).await
}

impl From<NotAllowed> for CallFailure {
    fn from(error: NotAllowed) -> Self {
        refused(error.to_string())
    }
}

fn refused(message: String) -> CallFailure {
    CallFailure { code: NOT_ALLOWED.to_owned(), message, ..CallFailure::default() }
}

fn named(failure: CallFailure, call: &ResolvedCall) -> CallFailure {
    CallFailure { service: call.service.clone(), action: call.action.clone(), ..failure }
}
