//! The way to a cloud: an engine with connections, TLS, pace, pages, sessions and accounts, which knows no cloud, and a [`family`] for
//! each cloud.

pub mod alicloud;
pub mod answer;
mod authority;
mod clock;
mod endpoint;
pub mod family;
mod http;
mod identity;
mod pace;
mod pages;
mod session;
mod wire;

pub use alicloud::ObjectRequest;
pub use authority::Authority;
pub use endpoint::{Endpoint, EndpointError, Url};
pub use http::TlsError;
pub use http::{Connections, Http};
pub use pace::Rate;
pub use session::Session;
pub use wire::{Options, Wire};
