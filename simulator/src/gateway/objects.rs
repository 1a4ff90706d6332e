//! Requests of OSS.

use std::future::pending;

use hyper::Response;
use hyper::body::Bytes;
use hyper::http::request::Parts;

use super::{Cut, Gateway};
use crate::action::CloudError;
use crate::cloud::{Operation, Origin, Outcome, Refused, Rejection};
use crate::oss::{self, Failure, Request};
use crate::service::oss::SERVICE;

impl Gateway {
    /// Answers a request of OSS.
    pub(super) async fn object(
        &self,
        mut seen: Origin,
        host: &str,
        head: &Parts,
        body: Bytes,
    ) -> Result<Response<Bytes>, Cut> {
        seen.signature = "OSS";
        let request_id = seen.request_id.clone();
        let mut rejection = Rejection { service: Some(&SERVICE), ..Rejection::default() };
        let request = Request::read(head).map_err(of_oss);
        let operation = request.as_ref().map_err(Clone::clone).and_then(|request| {
            rejection.action = Some(request.action.name);
            self.object_operation(request, body, &mut rejection)
        });
        let refused = match operation {
            Ok(operation) => match (self.cloud.call(operation, seen).await, &request) {
                (Outcome::Answer(answer), Ok(request)) => return Ok(oss::success(request, &request_id, answer)),
                (Outcome::Garbled(mut answer, how), Ok(request)) => {
                    how.shorten(&mut answer.fields);
                    return Ok(how.damage(oss::success(request, &request_id, answer)));
                }
                (Outcome::Refused(refused), _) => refused,
                (Outcome::Reset, _) => return Err(Cut),
                (Outcome::Never | Outcome::Answer(_) | Outcome::Garbled(..), _) => pending().await,
            },
            Err(refused) => {
                rejection.status = refused.status;
                rejection.code = &refused.code;
                self.cloud.refused(&rejection, seen);
                refused
            }
        };
        let Refused { status, code, message, details, .. } = &refused;
        let (method, status) = (&head.method, *status);
        Ok(oss::failure(&request_id, &Failure { status, code, message, details, method, host }))
    }

    /// The operation of a request of OSS whose caller is known.
    fn object_operation<'a>(
        &self,
        request: &'a Request<'a>,
        body: Bytes,
        rejection: &mut Rejection<'a>,
    ) -> Result<Operation, Refused> {
        let (service, action) = (&SERVICE, request.action);
        let claim = request.claim()?;
        rejection.access_key = Some(claim.access_key);
        let caller = self.access.caller(&self.cloud, &claim, service, action)?;
        let region = request.region(&claim).map_err(of_oss)?.unwrap_or(&self.region).to_owned();
        let (parameters, body) = request.parameters(body).map_err(of_oss)?;
        Ok(Operation { service, action, caller, region, parameters, body })
    }
}

fn of_oss(error: CloudError) -> Refused {
    Refused::of(&SERVICE, error)
}
