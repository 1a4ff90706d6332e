//! `rules`: what a policy enforces and advises.

use serde::Serialize;

use crate::report::Rule;

/// The answer of `rules`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<&'static Rule>,
}
