//! The wire protocol of all services but OSS: RPC, in both generations.

pub mod answer;
pub mod request;

pub use answer::{Failure, Format, failure, success};
pub use request::{Generation, Request};
