//! What the planning of an infrastructure has in common on every cloud.

pub mod error_codes;
