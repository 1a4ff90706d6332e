//! A server of webhooks: API servers send it reviews of objects over TLS, and it answers them.
//!
//! [`server::serve`] listens, and hands each review to the [`Webhook`] of its path. [`review`] is what API servers
//! send, and [`answer`] what they get. [`tls`] holds the certificate, which can be exchanged while reviews go on;
//! [`certificates`] renews it, and [`registration`] registers which objects API servers send. Nothing here knows
//! what a webhook judges or changes.

pub mod answer;
pub mod certificates;
pub mod connections;
pub mod limits;
pub mod nesting;
pub mod registration;
pub mod review;
pub mod server;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod tls;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::api_server::resource::Resource;

pub use answer::{Answer, Denial};
pub use limits::Limits;
pub use review::{Kind, Operation, Review};
pub use server::{Server, serve};
pub use tls::{CertificateError, Certificates};

/// Answers the reviews of a webhook.
pub type Handler = Arc<dyn Fn(Review) -> BoxFuture<'static, Answer> + Send + Sync>;

/// What is done with the reviews of a path.
#[derive(Clone)]
pub struct Webhook {
    /// Its name in metrics and logs.
    pub name: &'static str,
    /// The path, with its slash.
    pub path: &'static str,
    /// The kinds of the objects that it reviews, in whatever version. Reviews of other kinds are refused
    /// (`gardener-contract` 5.3).
    pub kinds: &'static [Resource],
    /// Answers a review.
    pub handler: Handler,
}

impl Webhook {
    /// A webhook whose reviews an async function answers.
    pub fn new<F, A>(name: &'static str, path: &'static str, kinds: &'static [Resource], answer: F) -> Self
    where
        F: Fn(Review) -> A + Send + Sync + 'static,
        A: Future<Output = Answer> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |review| Box::pin(answer(review)));
        Self { name, path, kinds, handler }
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Webhook").field("name", &self.name).field("path", &self.path).finish_non_exhaustive()
    }
}
