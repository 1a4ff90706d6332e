//! The wire protocol of OSS: REST, with names in the address, in headers and in XML.
//!
//! A [`Request`] is read in three steps: [what it asks](Request::read) of its head, [who says to have sent
//! it](Request::claim), and its [parameters](Request::parameters) once the body is there. What the action answers
//! is written by [`success`], and why a request is refused by [`failure`].

pub mod address;
pub mod answer;
pub mod place;
mod request;
pub mod routes;
pub mod xml;

pub use answer::{Failure, failure, success, translate};
pub use request::{Request, is_hosted, is_request};
