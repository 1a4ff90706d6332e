//! Advice that never rejects (AZ-ADV).

pub mod credentials;
pub mod profiles;
