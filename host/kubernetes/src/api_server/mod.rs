//! Requests to an API server: reads within limits, writes that are fenced by version, and deletions that are
//! fenced by identity.
//!
//! [`exchange`] sends one request and [`sender`] sends it within a permit and again; [`objects`] are the objects
//! of a place and [`object`] is one that this process follows. All that this process asks of an API server goes
//! this way, but watches, events and Leases.

pub mod exchange;
pub(crate) mod managed_fields;
pub mod member;
pub mod object;
pub mod objects;
pub mod requests;
pub mod resource;
pub mod sender;
