//! Calls of any API: what a policy asks of the world outside, what the policy wants done there, and what came
//! back.

mod argument;
mod fact;
mod known;
mod paging;
mod query;

use serde::Serialize;

use crate::collections::NameMap;

pub use argument::Argument;
pub use fact::{Fact, FactAnswer};
pub use known::Known;
pub use paging::{Marker, Next, Paging};
pub use query::Query;

/// A call to a cloud's API, or a read of a Kubernetes object (service `kubernetes`).
///
/// A call of an API that is addressed by method and path has both in its action:
/// `PUT /v2.0/routers/{router}/{change}`. The path takes the parameters that it names; the parameter `query` is an
/// object with the parts of the query, and the parameter `body` is the body. So the action names what is done, for
/// whom to trust with it and how to classify its errors, and no id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: &'static str,
    /// The action, such as `DescribeVSwitches`.
    pub action: &'static str,
    /// Arguments by the names of parameters.
    pub parameters: NameMap<'static, Argument>,
    /// Present where the call is made on behalf of another account than the Shoot's: its role, such as
    /// `imageOwner`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<&'static str>,
    /// Present on a call that must have its effect only once. The caller makes the idempotency token of it, of the
    /// service, the action and the arguments as they are sent: what is sent again has the same token, and so has
    /// what a later plan sends in its place after a crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

#[cfg(test)]
mod tests;
