//! `rules`: what a policy enforces and advises.

use serde::Serialize;

use super::Judging;
use crate::policy::RequestError;
use crate::policy::answer::text;
use crate::report::Rule;

/// The answer of `rules`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<&'static Rule>,
}

#[expect(clippy::unnecessary_wraps, reason = "every function of a table may fail")]
pub(super) fn rules(policy: &Judging, _request: &str) -> Result<String, RequestError> {
    Ok(text(&Rules { rules: policy.rules() }))
}
