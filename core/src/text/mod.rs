//! Texts: how the existing extensions print them.

mod quote;

pub use quote::quote;
