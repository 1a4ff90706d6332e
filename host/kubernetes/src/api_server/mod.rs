//! Requests to an API server: reads within limits, writes that are fenced by version, and deletions that are fenced by identity.

pub(crate) mod bare;
pub mod objects;
pub mod requests;
pub mod resource;
