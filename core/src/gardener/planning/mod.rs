//! What every plan has in common on every cloud: its frame, reading what the cloud answers, reading and writing the state
//! that a subject holds, building steps, and saying why there is no plan.

pub mod entry;
pub mod error_codes;
pub mod error_words;
pub mod errors;
pub mod facts;
pub mod findings;
pub mod frame;
pub mod queries;
pub mod state_form;
pub mod steps;

/// Tags of a resource: keys and values, sorted.
pub type Tags = Vec<(String, String)>;
