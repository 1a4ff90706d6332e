//! `rules`: what a policy enforces and advises.

use serde::Serialize;

use super::function::text;
use super::{Policy, RequestError};
use crate::report::Rule;

/// The answer of `rules`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<&'static Rule>,
}

/// Lists every rule.
pub(super) fn call(policy: &dyn Policy, _request: &str) -> Result<String, RequestError> {
    Ok(text(&Rules { rules: policy.rules() }))
}
