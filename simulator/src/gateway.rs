//! What stands before the cloud: it finds out what a request asks and who sent it, and writes the answer.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hyper::Response;
use hyper::body::Bytes;
use hyper::header::HOST;
use hyper::http::request::Parts;
use jiff::Timestamp;

use crate::action::{Action, Caller, CloudError, ErrorCode, Principal, Service, common};
use crate::cloud::{Accounts, Cloud, Operation};
use crate::oss;
use crate::rpc::{self, Failure, Format};
use crate::service::{self, oss::errors::ACCESS_DENIED};
use crate::signature::nonces::Nonces;
use crate::signature::{Claim, CredentialFault, Refusal};
use crate::world::scramble;

/// How many nonces are remembered: what a client sends at 5,000 calls a second in three minutes.
const NONCES: NonZeroUsize = NonZeroUsize::new(1 << 20).unwrap();

/// RAM, STS and ResourceManager say so where other services say `Forbidden.RAM`.
const NO_PERMISSION: ErrorCode = ErrorCode::new(
    403,
    "NoPermission",
    "You are not authorized to do this action. You should be authorized by RAM.",
);

/// What stands before the cloud.
#[derive(Debug)]
pub struct Gateway {
    cloud: Cloud,
    accounts: Accounts,
    /// The region of requests that name none.
    region: String,
    nonces: Mutex<Nonces>,
    requests: AtomicU64,
}

/// There is to be no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is cut, as a fault has it")]
pub struct Cut;

impl Gateway {
    /// Whether a request has the content of an object, which may be large.
    pub fn takes_object(head: &Parts) -> bool {
        oss::is_request(head) && oss::Request::read(head).is_ok_and(|request| request.takes_content())
    }

    /// A gateway to a cloud, for the accounts that may call and the region of requests that name none.
    pub fn new(cloud: Cloud, accounts: Accounts, region: &str) -> Self {
        Self {
            cloud,
            accounts,
            region: region.to_owned(),
            nonces: Mutex::new(Nonces::new(NONCES)),
            requests: AtomicU64::new(0),
        }
    }

    /// The cloud behind it.
    pub fn cloud(&self) -> &Cloud {
        &self.cloud
    }

    /// Answers a request.
    pub async fn answer(&self, head: &Parts, body: Bytes) -> Result<Response<Bytes>, Cut> {
        let request_id = self.request_id();
        if oss::is_request(head) {
            return Ok(self.object_answer(head, body, &request_id));
        }
        let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let fail = |format, product, refused: &Refused| {
            let failure =
                Failure { status: refused.status, code: &refused.code, message: &refused.message, host, product };
            rpc::failure(format, &request_id, &failure)
        };
        let request = match rpc::Request::read(head, &body) {
            Ok(request) => request,
            Err(error) => return Ok(fail(Format::Json, "", &error.into())),
        };
        let format = match request.format() {
            Ok(format) => format,
            Err(error) => return Ok(fail(Format::Json, "", &error.into())),
        };
        let (service, action) = match request.action() {
            Ok(found) => found,
            Err(error) => return Ok(fail(format, "", &error.into())),
        };
        let answer = match self.operation(&request, service, action) {
            Ok(operation) => self.cloud.execute(&operation).map_err(Refused::from),
            Err(refused) => Err(refused),
        };
        Ok(match answer {
            Ok(answer) => rpc::success(format, action.name, &request_id, answer.fields),
            Err(refused) => fail(format, service.name, &refused),
        })
    }

    /// Answers a request of OSS.
    fn object_answer(&self, head: &Parts, body: Bytes, request_id: &str) -> Response<Bytes> {
        let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let answered = oss::Request::read(head).map_err(Refused::of_oss).and_then(|request| {
            let operation = self.object_operation(&request, body)?;
            let answer = self.cloud.execute(&operation).map_err(Refused::of_oss)?;
            Ok(oss::success(&request, request_id, answer))
        });
        answered.unwrap_or_else(|refused| {
            let Refused { status, code, message, details } = &refused;
            let (method, status) = (&head.method, *status);
            oss::failure(request_id, &oss::Failure { status, code, message, details, method, host })
        })
    }

    /// What a request of OSS asks, once it is known who asks.
    fn object_operation(&self, request: &oss::Request<'_>, body: Bytes) -> Result<Operation, Refused> {
        let (service, action) = (&service::oss::SERVICE, request.action);
        let claim = request.claim()?;
        let caller = self.caller(&claim, service, action)?;
        let region = request.region(&claim).map_err(Refused::of_oss)?.unwrap_or(&self.region).to_owned();
        let (parameters, body) = request.parameters(body).map_err(Refused::of_oss)?;
        Ok(Operation { service, action, caller, region, parameters, body })
    }

    /// What a request asks, once it is known who asks.
    fn operation(
        &self,
        request: &rpc::Request<'_>,
        service: &'static Service,
        action: &'static Action,
    ) -> Result<Operation, Refused> {
        let claim = request.claim()?;
        let caller = self.caller(&claim, service, action)?;
        let region = request.region()?.unwrap_or(&self.region).to_owned();
        let parameters = request.parameters(action)?;
        Ok(Operation { service, action, caller, region, parameters, body: Bytes::new() })
    }

    /// Who signed a request, if they may do what it asks.
    fn caller(&self, claim: &Claim<'_>, service: &Service, action: &Action) -> Result<Caller, Refused> {
        // Clients sign by the real time, whatever the time of the simulator is.
        let now = Timestamp::now();
        let (key, caller) =
            self.accounts.key(claim.access_key).ok_or_else(|| claim.refuse(CredentialFault::UnknownKey))?;
        if key.disabled {
            return Err(claim.refuse(CredentialFault::DisabledKey).into());
        }
        claim.verify(&key.secret, now)?;
        if claim.security_token.is_some() {
            return Err(claim.refuse(CredentialFault::MismatchedToken).into());
        }
        if let Some(nonce) = claim.nonce {
            let mut nonces = self.nonces.lock().unwrap_or_else(PoisonError::into_inner);
            nonces.admit(claim.access_key, nonce, now)?;
        }
        if !key.allows(service, action) {
            return Err(forbidden(service, action, &caller).into());
        }
        Ok(caller)
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

/// The error for a caller that may not do something.
fn forbidden(service: &Service, action: &Action, caller: &Caller) -> CloudError {
    let error = match service.code {
        "ram" | "sts" | "resourcemanager" => &NO_PERMISSION,
        "oss" => &ACCESS_DENIED,
        _ => &common::FORBIDDEN,
    };
    let principal = match &caller.principal {
        Principal::Account => caller.account.as_str(),
        Principal::User(user) => user,
        Principal::Role { role, .. } => role,
    };
    error.because(format!("{} {principal} lacks {}:{}.", error.message, service.code, action.name))
}

/// A request is refused.
struct Refused {
    status: u16,
    code: Cow<'static, str>,
    message: String,
    /// What else is named, where an error has further elements.
    details: Vec<(&'static str, String)>,
}

impl Refused {
    /// As OSS says it.
    fn of_oss(error: CloudError) -> Self {
        oss::translate(error).into()
    }
}

impl From<CloudError> for Refused {
    fn from(error: CloudError) -> Self {
        Self {
            status: error.error.status,
            code: error.code().to_owned().into(),
            message: error.message().to_owned(),
            details: error.detail.into_iter().collect(),
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let details = match &refusal {
            Refusal::Oss(refusal) => refusal.details(),
            _ => Vec::new(),
        };
        Self { status: refusal.status().as_u16(), code: refusal.code(), message: refusal.message(), details }
    }
}
