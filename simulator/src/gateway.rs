//! The gateway before the cloud: finds the action and the caller of a request, and writes the answer.

mod access;
mod objects;

use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::body::Bytes;
use hyper::header::{HOST, HeaderName, HeaderValue, USER_AGENT};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

use crate::action::{Action, Service};
use crate::cloud::{Accounts, Cloud, Operation, Origin, Outcome, Refused, Rejection};
use crate::rpc::{self, Failure, Format, Generation};
use crate::world::scramble;
use crate::{control, oss};
use access::Access;

/// The gateway before the cloud.
#[derive(Debug)]
pub struct Gateway {
    cloud: Cloud,
    access: Access,
    /// The region of requests that name none.
    region: String,
    requests: AtomicU64,
}

/// The client gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is cut")]
pub struct Cut;

/// The body of a request was not received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreceived {
    /// The body has more bytes than this.
    #[error("the body must have at most {0} bytes")]
    TooLarge(usize),
    /// The body takes too long.
    #[error("the body did not come in time")]
    TooSlow,
    /// The body is broken.
    #[error("the body broke off")]
    Broken,
}

impl Unreceived {
    fn status(self) -> StatusCode {
        match self {
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Broken => StatusCode::BAD_REQUEST,
        }
    }

    /// The code of OSS; other services have none.
    fn code(self) -> &'static str {
        match self {
            Self::TooLarge(_) => "EntityTooLarge",
            Self::TooSlow => "RequestTimeout",
            Self::Broken => "IncompleteBody",
        }
    }
}

/// The service that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// The simulator's own API.
    Own,
    /// OSS.
    Objects,
    /// Any other service.
    Actions,
}

impl Target {
    fn of(head: &Parts) -> Self {
        // A host of a bucket's own has objects at every path.
        if head.uri.path().starts_with(control::PREFIX) && !oss::is_hosted(head) {
            Self::Own
        } else if oss::is_request(head) {
            Self::Objects
        } else {
            Self::Actions
        }
    }
}

/// The text of a header, empty where there is none.
fn header(head: &Parts, name: HeaderName) -> &str {
    head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

impl Gateway {
    /// A gateway to a cloud, for the accounts that may call and the region of requests that name none.
    pub fn new(cloud: Cloud, accounts: Accounts, region: &str) -> Self {
        Self { cloud, access: Access::new(accounts), region: region.to_owned(), requests: AtomicU64::new(0) }
    }

    /// The cloud behind it.
    pub fn cloud(&self) -> &Cloud {
        &self.cloud
    }

    /// Whether a request has the content of an object, which may be large.
    pub fn takes_object(head: &Parts) -> bool {
        Target::of(head) == Target::Objects
            && oss::Request::read(head).is_ok_and(|request| request.takes_content())
    }

    /// Answers a request whose body was not received, in the form of the service that it is for.
    pub fn unreceived(&self, head: &Parts, unreceived: Unreceived) -> Response<Bytes> {
        let (request_id, host) = (self.request_id(), header(head, HOST));
        let (code, message) = (unreceived.code(), unreceived.to_string());
        match Target::of(head) {
            Target::Own => control::refusal(unreceived.status(), code, message),
            Target::Objects => {
                let (status, method) = (unreceived.status().as_u16(), &head.method);
                oss::failure(
                    &request_id,
                    &oss::Failure { status, code, message: &message, details: &[], method, host },
                )
            }
            Target::Actions => {
                let format = rpc::Request::read(head, &[]).and_then(|request| request.format());
                let status = unreceived.status().as_u16();
                let failure = Failure { status, code, message: &message, host, product: "" };
                rpc::failure(format.unwrap_or(Format::Json), &request_id, &failure)
            }
        }
    }

    /// Answers a request from an address.
    pub async fn answer(&self, peer: &str, head: &Parts, body: Bytes) -> Result<Response<Bytes>, Cut> {
        let seen = Origin {
            request_id: self.request_id(),
            signature: "",
            peer: peer.to_owned(),
            user_agent: header(head, USER_AGENT).to_owned(),
        };
        match Target::of(head) {
            Target::Own => Ok(self.control(head, &body)),
            Target::Objects => self.object(seen, header(head, HOST), head, body).await,
            Target::Actions => self.rpc(seen, header(head, HOST), head, &body).await,
        }
    }

    /// Answers a request to the simulator's own API.
    fn control(&self, head: &Parts, body: &[u8]) -> Response<Bytes> {
        let request = control::Request {
            method: &head.method,
            path: head.uri.path(),
            query: head.uri.query().unwrap_or_default(),
            headers: &head.headers,
            body,
        };
        control::answer(&self.cloud, &request)
    }

    /// Answers a request to any service but OSS.
    async fn rpc(&self, mut seen: Origin, host: &str, head: &Parts, body: &[u8]) -> Result<Response<Bytes>, Cut> {
        let request_id = seen.request_id.clone();
        let mut format = Format::Json;
        let mut product = "";
        let mut rejection = Rejection::default();
        let request = rpc::Request::read(head, body);
        let operation = request.as_ref().map_err(|error| Refused::from(error.clone())).and_then(|request| {
            seen.signature = match request.generation {
                Generation::Parameters => "HMAC-SHA1",
                Generation::Acs3 => "ACS3-HMAC-SHA256",
            };
            rejection.action = request.action_name();
            format = request.format()?;
            let (service, action) = request.action()?;
            product = service.name;
            rejection.service = Some(service);
            self.operation(request, service, action, &mut rejection)
        });
        let refused = match operation {
            Ok(operation) => {
                let action = operation.action.name;
                match self.cloud.call(operation, seen).await {
                    Outcome::Answer(answer) => {
                        return Ok(rpc::success(format, action, &request_id, answer.fields));
                    }
                    Outcome::Garbled(mut answer, how) => {
                        how.shorten(&mut answer.fields);
                        return Ok(how.damage(rpc::success(format, action, &request_id, answer.fields)));
                    }
                    Outcome::Refused(refused) => refused,
                    Outcome::Never => pending().await,
                    Outcome::Reset => return Err(Cut),
                }
            }
            Err(refused) => {
                rejection.status = refused.status;
                rejection.code = &refused.code;
                self.cloud.refused(&rejection, seen);
                refused
            }
        };
        let failure =
            Failure { status: refused.status, code: &refused.code, message: &refused.message, host, product };
        let mut response = rpc::failure(format, &request_id, &failure);
        for (name, value) in refused.headers() {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(HeaderName::from_static(name), value);
            }
        }
        Ok(response)
    }

    /// The operation of a request whose caller is known.
    fn operation<'a>(
        &self,
        request: &'a rpc::Request<'a>,
        service: &'static Service,
        action: &'static Action,
        rejection: &mut Rejection<'a>,
    ) -> Result<Operation, Refused> {
        let claim = request.claim()?;
        rejection.access_key = Some(claim.access_key);
        let caller = self.access.caller(&self.cloud, &claim, service, action)?;
        let region = request.region(action)?.unwrap_or(&self.region).to_owned();
        let parameters = request.parameters(action)?;
        Ok(Operation { service, action, caller, region, parameters, body: Bytes::new() })
    }

    /// A new identifier, written like the cloud's.
    fn request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let (high, low) = (scramble(number), scramble(!number));
        let text = format!("{high:016X}{low:016X}");
        let part = |from, to| text.get(from..to).unwrap_or_default();
        format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
    }
}
