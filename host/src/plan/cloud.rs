//! The cloud, as the runner sees it.

use serde_json::Value;

use super::document::Paging;
use super::leave::Terms;
use super::tally::Tally;
use crate::transport::{CallFailure, ResolvedCall};

/// Makes calls to a cloud. Each run has its own.
///
/// Each call is made once, without retries, and waits no longer than its terms allow. A call that may not be sent fails with the
/// code [`WITHDRAWN`](crate::transport::failure::WITHDRAWN), and has no effect.
pub trait Cloud: Send + Sync {
    /// Makes a call that may change something.
    fn change(
        &self,
        call: &ResolvedCall,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Makes a call that changes nothing, and reads all its pages, each once. The response has the entries of all pages.
    fn query(
        &self,
        call: &ResolvedCall,
        paging: &Paging,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Asks which account the credentials belong to. The response names the account at an RFC 6901 pointer. From then on, this
    /// makes calls for that account only. It asks once for each credential.
    fn identity(
        &self,
        call: &ResolvedCall,
        at: &str,
        terms: Terms<'_>,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// The number of requests so far. Each page and each failure counts; the question of [`identity`](Self::identity) does not.
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

    fn sent(&self) -> u64 {
        (**self).sent()
    }

    fn tally(&self) -> Tally {
        (**self).tally()
    }
}
