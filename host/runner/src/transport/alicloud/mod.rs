//! Alibaba Cloud: signatures by ACS3, parameters by RPC, and OSS, which has its own protocol.
//!
//! It knows services, and not their actions, but for those of OSS, whose requests differ by action: a new action of
//! another service needs no change here.

mod access_key;
mod acs3;
mod answer;
mod oss;
mod parameters;
mod ram;
mod rpc;
mod service;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use hyper::Request;
use hyper::body::Bytes;
use hyper::http::uri::Scheme;
use serde_json::Value;

use self::service::Service;
use super::answer::Answer;
use super::endpoint::Endpoint;
use super::family::{Family, Place, Refused, Way};
use super::pace::Limit;
use crate::call::cloud::PATIENCE;
use crate::call::failure::INVALID_CALL;
use crate::call::{CallFailure, ResolvedCall};
use crate::credentials::{Credential, CredentialError, ReadsCredentials, SecretData};
pub use access_key::AccessKey;

/// Error codes of calls that the cloud refuses because of their time.
const CODES: [&str; 2] = ["InvalidTimeStamp.Expired", "IllegalTimestamp"];
/// The same of OSS, whose requests are signed with the time of this machine.
const CODE_OF_OSS: &str = "RequestTimeTooSkewed";

/// The access key of a simulator without declared accounts: identifier and secret, which opens nothing else.
const SIMULATED: [&str; 2] = ["LTAI5tTrellisSimulator01", "TrellisSimulatorNoSecret000000"];

/// Alibaba Cloud.
#[derive(Clone, Copy, Debug)]
pub struct Alicloud;

impl ReadsCredentials for Alicloud {
    fn of_secret(&self, secret: &SecretData<'_>) -> Result<Arc<dyn Credential>, CredentialError> {
        Ok(Arc::new(AccessKey::of_secret(secret)?))
    }

    fn variables(&self) -> &'static [&'static str] {
        &AccessKey::NEEDED
    }

    fn of_environment(
        &self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Arc<dyn Credential>>, CredentialError> {
        Ok(AccessKey::of_environment(variable)?.map(|key| Arc::new(key) as _))
    }
}

impl Family for Alicloud {
    fn place(&self, call: &ResolvedCall, region: &str, endpoint: &Endpoint) -> Result<Place, CallFailure> {
        let region = call.text("RegionId").unwrap_or(region).to_owned();
        let (scheme, host) = match endpoint {
            Endpoint::Url(url) => (url.scheme().clone(), url.authority().clone()),
            Endpoint::Cloud => {
                let host = match call.service.as_str() {
                    oss::SERVICE => oss::host_of(call, &region)?,
                    _ => service(call)?.host(&region).map_err(|error| invalid(&error))?,
                };
                (Scheme::HTTPS, host.parse().map_err(|_| invalid(&service::NoLabel(host)))?)
            }
        };
        Ok(Place { scheme, host, region })
    }

    fn request<'f>(
        &'f self,
        call: &'f ResolvedCall,
        place: &'f Place,
        way: &'f Way<'f>,
    ) -> BoxFuture<'f, Result<Request<Bytes>, CallFailure>> {
        if call.service == oss::SERVICE {
            return async { oss::request(call, place, AccessKey::of(way.credential)?).await }.boxed();
        }
        let request = || {
            let nonce = format!("{:032x}", fastrand::u128(..));
            let moment = rpc::Moment { now: way.now, nonce: &nonce };
            let to = (place.scheme.clone(), place.host.clone());
            let key = AccessKey::of(way.credential)?;
            rpc::request(service(call)?, &call.action, &call.pairs(way.region), to, key, moment)
                .map_err(|error| invalid(&error))
        };
        std::future::ready(request()).boxed()
    }

    fn response(&self, call: &ResolvedCall, answer: &Answer) -> Result<Value, CallFailure> {
        if call.service == oss::SERVICE { oss::response(call, answer) } else { answer::response(answer) }
    }

    fn refused(&self, failure: &CallFailure) -> Option<Refused> {
        match failure.code.as_str() {
            CODE_OF_OSS => Some(Refused::OwnTime),
            code => CODES.contains(&code).then_some(Refused::Time),
        }
    }

    fn simulated(&self) -> Option<Arc<dyn Credential>> {
        let [id, secret] = SIMULATED;
        Some(Arc::new(AccessKey::new(id, secret)))
    }

    fn limit(&self, call: &ResolvedCall) -> Option<Limit> {
        Service::find(&call.service)?.limit
    }

    fn patience(&self, call: &ResolvedCall) -> Duration {
        match call.service.as_str() {
            oss::SERVICE => oss::PATIENCE,
            service => Service::find(service).map_or(PATIENCE, |service| service.patience(&call.action)),
        }
    }
}

fn service(call: &ResolvedCall) -> Result<&'static Service, CallFailure> {
    Service::find(&call.service).ok_or_else(|| {
        let message =
            format!("there is no service `{}`; there are {}, {}", call.service, Service::codes(), oss::SERVICE);
        CallFailure::own(INVALID_CALL, message)
    })
}

fn invalid(error: &impl std::fmt::Display) -> CallFailure {
    CallFailure::own(INVALID_CALL, format!("the call cannot be written as a request: {error}"))
}
