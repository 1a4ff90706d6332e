//! Asks the cloud what a policy wants to know, with the credentials of the Shoot that is judged.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Secret;
use tokio::time::Instant;

use crate::controller::runtime::secrets;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::failure::NO_CREDENTIALS;
use trellis_runner::call::{CallFailure, ResolvedCall};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::{Paging, Query};
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::plan::observe::{FactAnswer, FactError};
use trellis_runner::transport::family::Family;
use trellis_runner::transport::{AllowedCalls, Endpoint, NoFamily, Session, Wire};

/// The code of a fact where nobody can read the credentials (`alicloud-policy`, ALI-SHOOT-009).
const CREDENTIALS_UNAVAILABLE: &str = "CredentialsUnavailable";
/// The code of a fact where nobody can make a client (ALI-SHOOT-010).
const CLIENT_UNAVAILABLE: &str = "ClientUnavailable";

/// The way to the cloud.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// Sends calls as the cloud takes them, where this release sends any of the provider.
    pub family: Result<Arc<dyn Family>, NoFamily>,
    /// What sessions share.
    pub wire: Arc<Wire>,
    /// Where the cloud is.
    pub endpoint: Endpoint,
    /// The calls that may be made: those that change nothing.
    pub allowed_calls: AllowedCalls,
}

impl Cloud {
    /// A session in a region, with the credentials of a Secret.
    pub fn session(&self, region: &str, secret: &Secret) -> Result<Session, FactError> {
        let no_client = |error: String| unavailable(CLIENT_UNAVAILABLE, error);
        let family = self.family.as_ref().map_err(|error| no_client(error.to_string()))?;
        let (_, credential) =
            secrets::read(secret, &**family).ok_or_else(|| no_credentials("the Secret has no name".to_owned()))?;
        let credential = credential.map_err(|error| no_credentials(error.to_string()))?;
        let accounts = Accounts::new(CredentialSource::fixed(credential));
        let (family, endpoint) = (Arc::clone(family), self.endpoint.clone());
        let session = Session::new(family, &self.wire, endpoint, region, accounts, self.allowed_calls.clone());
        session.map_err(|error| no_client(error.to_string()))
    }
}

/// The answer to a query. An error is why there is none now.
pub async fn ask(
    session: &Session,
    query: &Query,
    call: &ResolvedCall,
    deadline: Instant,
) -> Result<FactAnswer, String> {
    let permit = Permit::unlimited();
    let terms = Terms { deadline, permit: &permit };
    let paging: &Paging = &query.paging;
    match tokio::time::timeout_at(deadline, session.query(call, paging, terms)).await {
        Err(_) => Err(format!("{} {} had no answer in time", call.service, call.action)),
        Ok(Ok(response)) => Ok(FactAnswer::Response(response)),
        Ok(Err(failure)) if is_final(&failure) => Ok(FactAnswer::Error(FactError {
            code: failure.code,
            message: failure.message,
            http_status: failure.http_status,
        })),
        Ok(Err(failure)) => Err(failure.to_string()),
    }
}

/// The fact for credentials that nobody can read.
pub fn no_credentials(message: String) -> FactError {
    unavailable(CREDENTIALS_UNAVAILABLE, message)
}

fn unavailable(code: &str, message: String) -> FactError {
    FactError { code: code.to_owned(), message, http_status: 0 }
}

/// Whether the cloud would say the same again.
fn is_final(failure: &CallFailure) -> bool {
    failure.code == NO_CREDENTIALS || (matches!(failure.http_status, 400..=499) && failure.retry_after.is_none())
}
