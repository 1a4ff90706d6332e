//! Texts: how the existing extensions print them, and patterns of them.

pub mod pattern;
mod quote;

pub use quote::quote;
