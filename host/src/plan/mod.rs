//! Plans: asked of a policy, and carried out.

pub mod cloud;
pub mod document;
