//! Alibaba Cloud's wire protocol: signs a call, sends it, reads its answer.
//!
//! The transport knows services, and not their actions: a new action needs no change here.

mod acs3;
pub mod answer;
mod authority;
mod call;
mod clock;
mod endpoint;
pub mod failure;
mod http;
mod identity;
mod oss;
mod pace;
mod pages;
mod rpc;
mod service;
mod session;
mod wire;

pub use authority::Authority;
pub use call::{Parameter, ResolvedCall};
pub use endpoint::{Endpoint, EndpointError, Url};
pub use failure::CallFailure;
pub use http::TlsError;
#[cfg(feature = "traces")]
pub(crate) use http::{Connections, Http};
pub use oss::ObjectRequest;
pub use pace::Rate;
pub use session::Session;
pub use wire::{Options, Wire};
