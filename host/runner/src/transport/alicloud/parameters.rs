//! The parameters of a call as RPC sends them: in one level, with the region and the idempotency token.

use sha2::{Digest as _, Sha256};

use crate::call::{Parameter, ResolvedCall};

/// Names of parameters as RPC writes them, with their values.
pub(super) type Pairs = Vec<(String, String)>;

impl ResolvedCall {
    /// All that RPC sends of the call, sorted: the parameters, the region, and the idempotency token.
    pub(super) fn pairs(&self, region: &str) -> Pairs {
        let mut pairs = Pairs::new();
        for (name, parameter) in &self.parameters {
            parameter.flatten(name, &mut pairs);
        }
        if self.text("RegionId").is_none() && !region.is_empty() {
            pairs.push(("RegionId".to_owned(), region.to_owned()));
        }
        pairs.sort_unstable();
        if let Some(seed) = &self.token
            && self.text("ClientToken").is_none()
        {
            pairs.push(("ClientToken".to_owned(), self.client_token(seed, &pairs)));
            pairs.sort_unstable();
        }
        pairs
    }

    /// The idempotency token: 64 characters, which is the most that the cloud takes. The same call has the same
    /// token.
    fn client_token(&self, seed: &str, pairs: &[(String, String)]) -> String {
        // As JSON, two different calls are two different texts. Serializing texts cannot fail.
        let text = serde_json::to_vec(&(seed, &self.service, &self.action, pairs)).unwrap_or_default();
        format!("{:x}", Sha256::digest(text))
    }
}

impl Parameter {
    fn flatten(&self, name: &str, pairs: &mut Pairs) {
        match self {
            Self::Null => {}
            Self::Text(text) if text.is_empty() => {}
            Self::Number(number) => pairs.push((name.to_owned(), number.to_string())),
            Self::Bool(bool) => pairs.push((name.to_owned(), bool.to_string())),
            Self::Text(text) => pairs.push((name.to_owned(), text.clone())),
            Self::List(items) => {
                for (position, item) in (1_usize..).zip(items) {
                    item.flatten(&format!("{name}.{position}"), pairs);
                }
            }
            Self::Object(members) => {
                for (member, value) in members {
                    value.flatten(&format!("{name}.{member}"), pairs);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
