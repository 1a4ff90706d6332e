//! The cloud, as the runner sees it.

use serde_json::Value;
use tokio::time::Instant;

use super::document::Paging;
use crate::transport::{CallFailure, ResolvedCall};

/// Makes calls to a cloud. Each run has its own.
pub trait Cloud: Send + Sync {
    /// Makes a call once, without retries, and waits no longer than until the deadline.
    fn call(
        &self,
        call: &ResolvedCall,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Makes a call that changes nothing, and reads all its pages, each once. The response has the entries of all pages.
    fn query(
        &self,
        call: &ResolvedCall,
        paging: &Paging,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Asks which account the credentials belong to. The response names the account at an RFC 6901 pointer. From then on, this
    /// makes calls for that account only. It asks once for each credential.
    fn identity(
        &self,
        call: &ResolvedCall,
        at: &str,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// The number of requests so far. Each page and each failure counts; the question of [`identity`](Self::identity) does not.
    fn sent(&self) -> u64;
}
