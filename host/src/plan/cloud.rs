//! The cloud, as plans see it.

use serde_json::Value;
use tokio::time::Instant;

use super::document::Paging;
use crate::transport::{CallFailure, ResolvedCall};

/// Makes calls to a cloud. A run has one of its own.
pub trait Cloud: Send + Sync {
    /// Makes a call once. Nothing is tried again, and nothing is awaited past the deadline.
    fn call(
        &self,
        call: &ResolvedCall,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Makes a call that changes nothing, and follows its pages, each once. The response has the entries of all pages.
    fn query(
        &self,
        call: &ResolvedCall,
        paging: Paging,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Asks who the credentials belong to, whom the response names at an RFC 6901 pointer. From then on, no call is made for
    /// another account. Somebody who asked before is not asked again.
    fn identity(
        &self,
        call: &ResolvedCall,
        at: &str,
        deadline: Instant,
    ) -> impl Future<Output = Result<Value, CallFailure>> + Send;

    /// Number of requests that were sent so far, each page and each failure counted, but for the question of
    /// [`identity`](Self::identity).
    fn sent(&self) -> u64;
}
