//! Texts: how the existing extensions print them.

pub mod pattern;
mod quote;

pub use quote::quote;
