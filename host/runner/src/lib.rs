//! Carries out plans: sends the calls of a cloud, and keeps the state that their answers bind.

pub mod call;
pub mod credentials;
pub mod document;
pub mod limits;
pub mod plan;
pub mod run;
pub mod state;
pub mod transport;
