//! Runs policies: reads manifests, asks the policy of their provider, and tells people what it says.

pub mod manifest;
pub mod source;
