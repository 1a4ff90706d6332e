//! The answers of `plan`, `status` and `classify`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Plan, Query};
use trellis_policies::answer::Finding;

/// The answer of `plan`: queries that the policy needs answers to; else a plan, findings, or both.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Planning {
    /// Queries that the policy needs answers to before it can plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<Query>,
    /// The plan; absent where findings forbid a plan. A plan that comes with errors is for people to read, and not
    /// to carry out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Errors forbid to carry out a plan; warnings do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Gardener error codes of the errors, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
}

/// The answer of `status`: parts of the status of an Infrastructure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InfrastructureStatus {
    /// `status.providerStatus`; absent where the state has nothing for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_status: Option<Box<RawValue>>,
    /// `status.state`: the recorded state in the provider's own form.
    pub state: Box<RawValue>,
    /// `status.egressCIDRs`; absent where none is known, and then the status keeps the old ones.
    #[serde(default, rename = "egressCIDRs", skip_serializing_if = "Option::is_none")]
    pub egress_cidrs: Option<Vec<String>>,
}

impl InfrastructureStatus {
    /// Whether a text has nothing but the members of a status.
    pub fn is_status(text: &[u8]) -> bool {
        const MEMBERS: [&str; 3] = ["egressCIDRs", "providerStatus", "state"];
        let members: Option<BTreeMap<String, &RawValue>> = serde_json::from_slice(text).ok();
        members.is_some_and(|members| {
            members.contains_key("state") && members.keys().all(|member| MEMBERS.contains(&member.as_str()))
        })
    }
}

/// The answer of `classify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Classification {
    /// What to do about the error.
    pub outcome: Outcome,
    /// Gardener error codes, sorted.
    #[serde(default)]
    pub codes: Vec<String>,
    /// What to tell the person: what happened, and what the person can do.
    pub message: String,
}

/// What to do about the error of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The same call may succeed later.
    Retry,
    /// The cloud is already as the call wants it: the resource to delete is gone, or the list to read is empty.
    AlreadySatisfied,
    /// The same call with another token may succeed.
    AnotherToken,
    /// The call will not succeed.
    Fail,
}
