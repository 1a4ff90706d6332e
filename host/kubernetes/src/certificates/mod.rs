//! Certificates of a control plane or of webhooks: the authority, its bundle and the certificates of servers, as
//! Secrets that Gardener's secrets manager takes for its own (`gardener-contract` 3.2).
//!
//! A policy or the host says which Secrets there are ([`desired`]). [`decide`] says of the Secrets that exist what
//! is to be done next; it is a pure function, and [`keeper`] carries it out. [`hash`] and [`name`] make names and
//! labels as Gardener's Go code does, so that the process that takes over a control plane goes on with what is
//! there. [`access`] has the Secrets with tokens for the Shoot's API server (3.3).

pub mod access;
pub mod decide;
pub mod desired;
pub mod existing;
pub mod hash;
pub mod issue;
pub mod keeper;
pub mod name;
pub mod pem;
#[cfg(test)]
pub(crate) mod recorded;
pub mod rotation;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use desired::{Authority, DesiredCertificates, Renewal, Server};
pub use keeper::{CurrentCertificates, KeepError, Keeper, SecretStore};
pub use rotation::Rotation;
