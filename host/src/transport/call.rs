//! What is sent: a call whose references are resolved.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::service::{PATIENCE, Service};

/// A call with every argument as it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolvedCall {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`.
    pub action: String,
    /// Arguments by the names of parameters.
    pub parameters: Vec<(String, Parameter)>,
    /// Whose credentials sign it: a role such as `imageOwner`; the Shoot's account where absent.
    pub account: Option<String>,
    /// What the idempotency token is made of; no token is sent where absent.
    pub token: Option<String>,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// A text; an empty one is not sent.
    Text(String),
    /// A list, sent as `Name.1`, `Name.2`.
    List(Vec<Parameter>),
    /// Members, sent as `Name.Member`.
    Object(Vec<(String, Parameter)>),
}

/// Names of parameters as RPC has them, with their values.
pub(super) type Pairs = Vec<(String, String)>;

impl ResolvedCall {
    /// How long the answer may take.
    pub fn patience(&self) -> Duration {
        Service::find(&self.service).map_or(PATIENCE, |service| service.patience(&self.action))
    }

    /// A parameter that is a text with something in it.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find_map(|(known, value)| match value {
            Parameter::Text(text) if known == name && !text.is_empty() => Some(text.as_str()),
            _ => None,
        })
    }

    /// The same call with a parameter set to another text.
    pub(super) fn with(mut self, name: &str, value: String) -> Self {
        self.parameters.retain(|(known, _)| known != name);
        self.parameters.push((name.to_owned(), Parameter::Text(value)));
        self
    }

    /// All that RPC sends of the call, sorted: its parameters, its region, and its idempotency token.
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

    /// The idempotency token: 64 characters, which is the most that the cloud takes. Who sends the same again has the same.
    fn client_token(&self, seed: &str, pairs: &[(String, String)]) -> String {
        // As JSON, no two calls are the same text; texts are always written.
        let text = serde_json::to_vec(&(seed, &self.service, &self.action, pairs)).unwrap_or_default();
        format!("{:x}", Sha256::digest(text))
    }
}

impl Parameter {
    fn flatten(&self, name: &str, pairs: &mut Pairs) {
        match self {
            Self::Text(text) if text.is_empty() => {}
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

impl From<&str> for Parameter {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
