//! The cloud, as the runner sees it.

use std::time::Duration;

use serde_json::Value;

use crate::call::tally::Tally;
use crate::call::{CallFailure, ResolvedCall};
use crate::document::Paging;
use crate::limits::permit::Terms;

/// How long the answer to most calls may take.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Makes calls to a cloud. Each run has its own.
///
/// Each call is made once, without retries, and waits no longer than its terms allow. A call that may not be sent
/// fails with the code [`PERMIT_ENDED`](crate::call::failure::PERMIT_ENDED), and has no effect.
pub trait Cloud: Send + Sync {
    /// Makes a call that may change something.
    fn change(
        &self,
        call: &ResolvedCall,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Makes a call that changes nothing, and reads all its pages, each once. The response has the entries of all
    /// pages.
    fn query(
        &self,
        call: &ResolvedCall,
        paging: &Paging,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Asks which account the credentials belong to. The response names the account at an RFC 6901 pointer. From
    /// then on, this makes calls for that account only. It asks once for each credential.
    fn identity(
        &self,
        call: &ResolvedCall,
        at: &str,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// How long the answer to a call may take.
    fn patience(&self, _call: &ResolvedCall) -> Duration {
        PATIENCE
    }

    /// The number of requests so far. Each page and each failure counts; the question of
    /// [`identity`](Self::identity) does not.
    fn sent(&self) -> u64;

    /// Requests and waits in numbers, where the cloud counts them.
    fn tally(&self) -> Tally {
        Tally::default()
    }
}

impl<C: Cloud> Cloud for &C {
    fn change(
        &self,
        call: &ResolvedCall,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send {
        (**self).change(call, terms)
    }

    fn query(
        &self,
        call: &ResolvedCall,
        paging: &Paging,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send {
        (**self).query(call, paging, terms)
    }

    fn identity(
        &self,
        call: &ResolvedCall,
        at: &str,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send {
        (**self).identity(call, at, terms)
    }

    fn patience(&self, call: &ResolvedCall) -> Duration {
        (**self).patience(call)
    }

    fn sent(&self) -> u64 {
        (**self).sent()
    }

    fn tally(&self) -> Tally {
        (**self).tally()
    }
}
