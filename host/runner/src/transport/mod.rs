//! The way to a cloud: an engine with connections, TLS, pace, pages, sessions and accounts, which knows no cloud,
//! and a [`family`] for each cloud.

pub mod alicloud;
mod allowed_calls;
pub mod answer;
mod clock;
mod endpoint;
pub mod family;
mod http;
mod identity;
mod pace;
mod pages;
mod session;
mod wire;

use std::sync::Arc;

use self::family::Family;

pub use allowed_calls::AllowedCalls;
pub use endpoint::{Endpoint, EndpointError, Url};
pub use http::TlsError;
pub use http::{Connections, Http};
pub use pace::{Limit, Rate};
pub use session::Session;
pub use wire::{Options, Wire};

/// Makes a family.
type Maker = fn() -> Arc<dyn Family>;

/// The families of clouds, by the provider type whose calls they send.
const FAMILIES: &[(&str, Maker)] = &[
    // A line each.
    ("alicloud", || Arc::new(alicloud::Alicloud)),
];

/// No family sends the calls of a provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this release sends no calls for the provider `{0}`")]
pub struct NoFamily(String);

/// The family that sends the calls of a provider. All runs of a process share one, because it keeps what it
/// fetches, such as a token.
pub fn family_of(provider: &str) -> Result<Arc<dyn Family>, NoFamily> {
    let known = FAMILIES.iter().find(|(known, _)| *known == provider);
    known.map(|(_, make)| make()).ok_or_else(|| NoFamily(provider.to_owned()))
}
