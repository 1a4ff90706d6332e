//! Calls whose references are resolved.

use std::time::Duration;

use serde_json::Number;
use sha2::{Digest as _, Sha256};

use super::service::{PATIENCE, Service};

/// A call whose references are resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolvedCall {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`.
    pub action: String,
    /// Arguments by the names of parameters.
    pub parameters: Vec<(String, Parameter)>,
    /// The role of the account whose credentials sign the call, such as `imageOwner`; where absent, the account is the Shoot's.
    pub account: Option<String>,
    /// The seed of the idempotency token; where absent, the call has no token.
    pub token: Option<String>,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// A text; RPC does not send an empty one.
    Text(String),
    /// A number.
    Number(Number),
    /// A boolean.
    Bool(bool),
    /// `null`; RPC does not send it.
    Null,
    /// A list; RPC sends its entries as `Name.1`, `Name.2`.
    List(Vec<Parameter>),
    /// Members; RPC sends them as `Name.Member`.
    Object(Vec<(String, Parameter)>),
}

/// Names of parameters as RPC writes them, with their values.
pub(super) type Pairs = Vec<(String, String)>;

impl ResolvedCall {
    /// How long the answer may take.
    pub fn patience(&self) -> Duration {
        Service::find(&self.service).map_or(PATIENCE, |service| service.patience(&self.action))
    }

    /// The text of a parameter, where it is a text and not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find_map(|(known, value)| match value {
            Parameter::Text(text) if known == name && !text.is_empty() => Some(text.as_str()),
            _ => None,
        })
    }

    /// The same call with a parameter set to another text.
    pub(super) fn with(self, name: &str, value: String) -> Self {
        self.with_at(&[name], Parameter::Text(value))
    }

    /// The same call with a value in a parameter: the names lead to it from the parameters on.
    pub(super) fn with_at(mut self, names: &[&str], value: Parameter) -> Self {
        set(&mut self.parameters, names, value);
        self
    }

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

    /// The idempotency token: 64 characters, which is the most that the cloud takes. The same call has the same token.
    fn client_token(&self, seed: &str, pairs: &[(String, String)]) -> String {
        // As JSON, two different calls are two different texts. Serializing texts cannot fail.
        let text = serde_json::to_vec(&(seed, &self.service, &self.action, pairs)).unwrap_or_default();
        format!("{:x}", Sha256::digest(text))
    }
}

/// Sets a text in members, and makes the objects that lead to it.
fn set(members: &mut Vec<(String, Parameter)>, names: &[&str], value: Parameter) {
    let Some((name, rest)) = names.split_first() else { return };
    let place = members.iter().position(|(known, _)| known == name);
    let known = place.map(|place| members.remove(place).1);
    let parameter = match (rest, known) {
        ([], _) => value,
        (rest, known) => {
            let mut inner = if let Some(Parameter::Object(inner)) = known { inner } else { Vec::new() };
            set(&mut inner, rest, value);
            Parameter::Object(inner)
        }
    };
    members.push(((*name).to_owned(), parameter));
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

impl From<&str> for Parameter {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[cfg(test)]
mod rest;
#[cfg(test)]
mod tests;
