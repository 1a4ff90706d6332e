//! Calls of a cloud: their references are resolved, and a [`Cloud`](cloud::Cloud) answers them or fails.

pub mod cloud;
pub mod failure;
pub mod resolve;
pub mod rest;
pub mod tally;

use serde_json::{Number, Value};

pub use failure::CallFailure;
pub use resolve::ResolveError;

/// A call whose references are resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResolvedCall {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`. That of an API which is addressed by method and path is both, such
    /// as `PUT /v2.0/routers/{router}`: the path takes the parameters that it names, the parameter `query` is an
    /// object with the parts of the query, and the parameter `body` is the body. [`rest::request`] writes such a
    /// call.
    pub action: String,
    /// Arguments by the names of parameters.
    pub parameters: Vec<(String, Parameter)>,
    /// The role of the account whose credentials sign the call, such as `imageOwner`; where absent, the account is
    /// the Shoot's.
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

impl ResolvedCall {
    /// The text of a parameter, where it is a text and not empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find_map(|(known, value)| match value {
            Parameter::Text(text) if known == name && !text.is_empty() => Some(text.as_str()),
            _ => None,
        })
    }

    /// The same call with a parameter set to another text.
    pub(crate) fn with(self, name: &str, value: String) -> Self {
        self.with_at(&[name], Parameter::Text(value))
    }

    /// The same call with a value in a parameter: the names lead to it from the parameters on.
    pub(crate) fn with_at(mut self, names: &[&str], value: Parameter) -> Self {
        set(&mut self.parameters, names, value);
        self
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

impl From<&Parameter> for Value {
    fn from(parameter: &Parameter) -> Self {
        match parameter {
            Parameter::Text(text) => Self::String(text.clone()),
            Parameter::Number(number) => Self::Number(number.clone()),
            Parameter::Bool(bool) => Self::Bool(*bool),
            Parameter::Null => Self::Null,
            Parameter::List(entries) => entries.iter().map(Self::from).collect(),
            Parameter::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), Self::from(value))).collect()
            }
        }
    }
}

impl From<&str> for Parameter {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
