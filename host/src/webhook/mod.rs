//! Webhooks that an API server calls: their registration and their certificates.

pub mod certificates;
pub mod registration;
