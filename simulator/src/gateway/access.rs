//! Who calls, and whether they may.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use crate::action::{Action, Caller, CloudError, ErrorCode, Principal, Service, common};
use crate::cloud::{Accounts, Cloud, Refused};
use crate::service::oss::errors::ACCESS_DENIED;
use crate::service::{oss, ram, resource_manager, sts};
use crate::signature::nonces::Nonces;
use crate::signature::{Claim, CredentialFault, Refusal};

/// How many nonces are remembered: 26 seconds of 5,000 calls a second, in 5 MB.
const NONCES: NonZeroUsize = NonZeroUsize::new(1 << 17).unwrap();

/// Services with this code where others have `Forbidden.RAM`.
const NO_PERMISSION: ErrorCode = ErrorCode::new(
    403,
    "NoPermission",
    "You are not authorized to do this action. You should be authorized by RAM.",
);
/// Who may call.
#[derive(Debug)]
pub(super) struct Access {
    accounts: Accounts,
    nonces: Mutex<Nonces>,
}

impl Access {
    pub(super) fn new(accounts: Accounts) -> Self {
        Self { accounts, nonces: Mutex::new(Nonces::new(NONCES)) }
    }

    /// Who signed a request, if they may do what it asks.
    pub(super) fn caller(
        &self,
        cloud: &Cloud,
        claim: &Claim<'_>,
        service: &'static Service,
        action: &'static Action,
    ) -> Result<Caller, Refused> {
        // Clients sign by the real time, whatever the time of the simulator is.
        let now = Timestamp::now();
        let (caller, allowed) = match self.accounts.key(claim.access_key) {
            Some((key, caller)) => {
                if key.disabled {
                    return Err(claim.refuse(CredentialFault::DisabledKey).into());
                }
                claim.verify(&key.secret, now)?;
                if claim.security_token.is_some() {
                    return Err(claim.refuse(CredentialFault::MismatchedToken).into());
                }
                (caller, key.allows(service, action))
            }
            None => (session(cloud, claim, now)?, true),
        };
        // Only requests by the holder of the secret use up nonces.
        if let Some(nonce) = claim.nonce {
            let mut nonces = self.nonces.lock().unwrap_or_else(PoisonError::into_inner);
            nonces.admit(claim.access_key, nonce, now)?;
        }
        if allowed {
            Ok(caller)
        } else if action.empty_if_forbidden {
            Ok(Caller { sees_nothing: true, ..caller })
        } else {
            Err(forbidden(service, action, &caller).into())
        }
    }
}

/// The caller with temporary credentials, which end in the simulator's time.
fn session(cloud: &Cloud, claim: &Claim<'_>, now: Timestamp) -> Result<Caller, Refusal> {
    let unknown = || claim.refuse(CredentialFault::UnknownKey);
    let (session, caller) = cloud.session(claim.access_key).ok_or_else(unknown)?;
    claim.verify(&session.access_key_secret, now)?;
    let token = claim.security_token.ok_or_else(|| claim.refuse(CredentialFault::MissingToken))?;
    if !session.has_token(token) {
        let another = cloud.has_token(token);
        return Err(claim.refuse(if another {
            CredentialFault::MismatchedToken
        } else {
            CredentialFault::MalformedToken
        }));
    }
    if session.is_over(cloud.now()) {
        return Err(claim.refuse(CredentialFault::ExpiredToken));
    }
    Ok(caller)
}

/// The error for a caller that may not do something.
fn forbidden(service: &Service, action: &Action, caller: &Caller) -> CloudError {
    let error = match service.code {
        code if code == oss::SERVICE.code => &ACCESS_DENIED,
        code if [ram::SERVICE.code, sts::SERVICE.code, resource_manager::SERVICE.code].contains(&code) => {
            &NO_PERMISSION
        }
        _ => &common::FORBIDDEN,
    };
    let principal = match &caller.principal {
        Principal::Account => caller.account.as_str(),
        Principal::User(user) => user,
        Principal::Role { role, .. } => role,
    };
    error.because(format!("{} {principal} lacks {}:{}.", error.message, service.code, action.name))
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let details = match &refusal {
            Refusal::Oss(refusal) => refusal.details(),
            _ => Vec::new(),
        };
        Self {
            status: refusal.status().as_u16(),
            code: refusal.code(),
            message: refusal.message().into(),
            details,
            retry_after: None,
        }
    }
}
