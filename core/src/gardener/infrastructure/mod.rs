//! What the planning of an infrastructure has in common on every cloud: its frame, reading what the cloud answers, reading
//! and writing the state of the existing extensions, building steps, and telling why there is no plan.

pub mod config;
pub mod entry;
pub mod error_codes;
pub mod error_words;
pub mod errors;
pub mod facts;
pub mod findings;
pub mod flow_state;
pub mod planning;
pub mod queries;
pub mod steps;
pub mod terraform;

/// Tags of a resource: keys and values, sorted.
pub type Tags = Vec<(String, String)>;
