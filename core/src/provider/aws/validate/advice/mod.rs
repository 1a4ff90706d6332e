//! Advice that never rejects (AWS-ADV).

pub mod backup;
pub mod credentials;
pub mod profiles;
