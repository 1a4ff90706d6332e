//! Alibaba Cloud's wire protocol: signs a call, sends it, reads its answer.
//!
//! The transport knows services, and not their actions: a new action needs no change here.

mod acs3;
pub mod answer;
mod authority;
mod clock;
mod endpoint;
mod http;
mod identity;
mod oss;
mod pace;
mod pages;
mod parameters;
mod rpc;
mod service;
mod session;
mod wire;

pub use authority::Authority;
pub use endpoint::{Endpoint, EndpointError, Url};
pub use http::TlsError;
pub use http::{Connections, Http};
pub use oss::ObjectRequest;
pub use pace::Rate;
pub use session::Session;
pub use wire::{Options, Wire};
