//! The interface of every policy: its functions, and the documents that go in and out as JSON text.
//!
//! A part of a policy is a folder: a constant says what is the policy's own, and a table lists the functions, a file
//! each with request and answer. From the tables `cargo xtask functions` writes the WIT world, the host's list, the
//! npm package's interface and the list in `docs/architecture/functions.md`.
//!
//! Requests are read from their text, because that keeps duplicate keys and the spelling of numbers. So each reader
//! has a `shape` next to it, of which the JSON Schema is made; a test holds that both know the same members.

mod about;
mod addressing;
mod answer;
pub mod claims;
mod cluster;
#[cfg(feature = "schema")]
mod documents;
mod entry;
mod error;
mod info;
mod judging;
mod member;
mod module;
mod mutating;
mod object;
mod owner;
mod parent;
mod part;
mod planning;
mod rendering;
mod request;
mod scope;
mod verdict;

pub use about::{About, Calls, Reads, ReadsByKind};
pub use addressing::*;
pub use answer::failure;
pub use cluster::ClusterObjects;
#[cfg(feature = "schema")]
pub use documents::documents;
pub use entry::{Entry, Policies};
pub use error::{Failure, FailureCause, Refusal, RequestError};
pub use info::{ApiKind, COMMON, Info};
pub use judging::*;
pub use module::Module;
pub use mutating::*;
pub use object::{
    CORE, SECURITY, judged_kind, kind_of, read, read_old, unsupported, unsupported_by, wrong_old_type, wrong_type,
};
pub use owner::PARENT_READ;
pub use parent::parent;
pub use part::{Function, Part, call};
pub use planning::*;
pub use rendering::*;
pub use request::Request;
pub use scope::{Scope, Section};
pub use verdict::Verdict;

#[cfg(test)]
mod tests;
