//! What is a cloud's own on the way to it. The engine, which is the rest of the transport, knows no cloud.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper::Request;
use hyper::body::Bytes;
use hyper::http::uri::{Authority, Scheme};
use jiff::Timestamp;
use serde_json::Value;

use super::answer::Answer;
use super::endpoint::Endpoint;
use super::http::Http;
use super::pace::Limit;
use crate::call::{CallFailure, ResolvedCall};
use crate::credentials::{Credential, ReadsCredentials};
use crate::limits::permit::Terms;

/// A cloud, or several that are called alike. One instance serves all runs of a process: what it keeps, such as a
/// token, they share.
pub trait Family: ReadsCredentials + fmt::Debug {
    /// Where a call goes. A call that names no region is for that of the run. An endpoint with an address is where
    /// everything goes.
    fn place(&self, call: &ResolvedCall, region: &str, endpoint: &Endpoint) -> Result<Place, CallFailure>;

    /// The call as a request that may be sent: signed, or with a token, which the family may fetch. A header with
    /// a secret is marked as sensitive. For an API that is addressed by method and path,
    /// [`rest::request`](crate::call::rest::request) reads both from the action of the call, and writes target and
    /// body.
    fn request<'f>(
        &'f self,
        call: &'f ResolvedCall,
        place: &'f Place,
        way: &'f Way<'f>,
    ) -> BoxFuture<'f, Result<Request<Bytes>, CallFailure>>;

    /// The response in an answer, or the failure that the answer reports. A failure is ambiguous where the call
    /// may have had its effect, such as that of an answer with a status of 5xx. The engine removes the secrets of
    /// the credentials from the message of a failure; the family removes what it fetched, such as a token.
    ///
    /// What is not the whole answer to the call is a failure: an answer that is empty, broken off or another one's
    /// never says that nothing is there.
    fn response(&self, call: &ResolvedCall, answer: &Answer) -> Result<Value, CallFailure>;

    /// What a failure refuses of a request, whatever the call: where another request may be better, the engine
    /// makes it, once.
    fn refused(&self, failure: &CallFailure) -> Option<Refused>;

    /// The credential that a simulator of the cloud takes from everybody; none where there is no simulator.
    fn simulated(&self) -> Option<Arc<dyn Credential>> {
        None
    }

    /// How many calls of the service a process makes with one access key, where a service needs such a limit.
    fn limit(&self, _call: &ResolvedCall) -> Option<Limit> {
        None
    }

    /// How long the answer to a call may take.
    fn patience(&self, call: &ResolvedCall) -> Duration;
}

/// Where a call goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `https`, but where somebody names another address.
    pub scheme: Scheme,
    /// Host and port.
    pub host: Authority,
    /// The region of the call.
    pub region: String,
}

/// What a cloud refused of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The time that the request was signed with. The answer says the cloud's.
    Time,
    /// The time, which the family takes from this machine: the engine makes no other request, which would have the
    /// same.
    OwnTime,
    /// The token. The family has forgotten it, and fetches another one.
    Token,
}

/// What the engine gives a family for one request.
pub struct Way<'w> {
    /// The credentials of the account that makes the call.
    pub credential: &'w dyn Credential,
    /// The region of the run.
    pub region: &'w str,
    /// The time of the cloud.
    pub now: Timestamp,
    pub(super) http: &'w Http,
    pub(super) terms: Terms<'w>,
}

/// Shows nothing of the credentials.
impl fmt::Debug for Way<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Way").field("region", &self.region).finish_non_exhaustive()
    }
}

impl Way<'_> {
    /// Sends a request that no plan asked for and that changes no resource, such as one for a token.
    pub async fn fetch(&self, request: Request<Bytes>, patience: Duration) -> Result<Answer, CallFailure> {
        self.terms.permit.to_read()?;
        let sent = self.http.send(request, patience, self.terms.deadline);
        self.terms.permit.while_held(sent).await?.map_err(|mut failure| {
            failure.message = self.credential.redact(failure.message);
            failure
        })
    }
}
