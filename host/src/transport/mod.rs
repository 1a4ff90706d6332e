//! Alibaba Cloud's wire protocol: signs a call, sends it, reads its answer.

mod call;
mod failure;
mod retry;

use serde_json::Value;

pub use call::{Parameter, ResolvedCall};
pub use failure::CallFailure;
pub use retry::{Attempts, Classifier};

use crate::credentials::Accounts;

/// Where the cloud is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Alibaba Cloud, each service at the host of its region.
    Cloud,
    /// One address for everything, such as `http://127.0.0.1:8080`: a simulator.
    Url(String),
}

/// How an API hands out long lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`, until there are as many entries as `TotalCount` says.
    PageNumber,
    /// By `NextToken`, until a response has none.
    NextToken,
}

/// How calls are sent.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the cloud is.
    pub endpoint: Endpoint,
    /// The region of calls that name none in `RegionId`.
    pub region: String,
    /// Certificates of further authorities to trust, in PEM.
    pub authority: Option<String>,
}

/// Sends calls to the cloud.
#[derive(Debug)]
pub struct Transport {
    _options: Options,
    _accounts: Accounts,
}

/// Why calls cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {}

impl Transport {
    /// Makes ready to send.
    pub fn new(options: Options, accounts: Accounts) -> Result<Self, TransportError> {
        Ok(Self { _options: options, _accounts: accounts })
    }

    /// Makes a call.
    pub async fn call(&self, _call: &ResolvedCall, _attempts: Attempts<'_>) -> Result<Value, CallFailure> {
        std::future::pending().await
    }

    /// Makes a call and those for its further pages; the response has the entries of all pages.
    pub async fn query(
        &self,
        _call: &ResolvedCall,
        _pages: Pages,
        _attempts: Attempts<'_>,
    ) -> Result<Value, CallFailure> {
        std::future::pending().await
    }
}
