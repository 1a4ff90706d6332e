//! Policies of Gardener's cloud providers as pure functions over JSON text: what is valid, and what is filled
//! in where a person wrote nothing.
//!
//! ```
//! let answer = trellis_core::call("alicloud", "validate", r#"{"object":{}}"#);
//! assert!(answer.starts_with(r#"{"error":"#));
//! ```
//!
//! The same request yields the same answer, byte for byte, wherever it is asked: nothing here reads a clock, a
//! file or the network, and no input makes a call panic.

pub mod cidr;
pub mod decode;
pub mod entries;
pub mod gardener;
pub mod json;
pub mod kube;
pub mod names;
pub mod patch;
pub mod plan;
pub mod policy;
pub mod provider;
pub mod report;
#[cfg(feature = "schema")]
pub mod schema;
mod sorted;

pub use provider::{infrastructures, providers};

/// Calls `function` (`addresses`, `classify`, `default`, `info`, `plan`, `rules`, `status`, `validate` or `zones`) of a provider's policy.
///
/// The request and the answer are the JSON documents of [`policy`]. Whatever is wrong with a request is said in
/// an answer `{ "error": { "code", "message", "pointer"? } }`.
pub fn call(provider: &str, function: &str, request: &str) -> String {
    if policy::is_of_infrastructure(function) {
        infrastructure(provider, function, request)
    } else {
        judge(provider, function, request)
    }
}

/// Calls one of the functions that judge objects: all but `classify`, `plan` and `status`.
pub fn judge(provider: &str, function: &str, request: &str) -> String {
    match provider::policy(provider) {
        Some(policy) => policy::call(policy, function, request),
        None => policy::failure(policy::Refusal::UnknownProvider(provider.to_owned())),
    }
}

/// Calls one of the functions about infrastructure: `classify`, `plan` or `status`.
pub fn infrastructure(provider: &str, function: &str, request: &str) -> String {
    match provider::infrastructure(provider) {
        Some(infrastructure) => policy::call_infrastructure(infrastructure, function, request),
        None => policy::failure(policy::Refusal::NoInfrastructure(provider.to_owned())),
    }
}

/// JSON Schemas of a provider's configuration kinds, and of requests and answers, by name; none for an unknown provider.
#[cfg(feature = "schema")]
pub fn schemas(provider: &str) -> std::collections::BTreeMap<String, serde_json::Value> {
    let Some(policy) = provider::policy(provider) else { return std::collections::BTreeMap::new() };
    let mut schemas = policy.schemas(schema::Form::Full);
    schemas.extend(schema::documents());
    schemas
}

/// JSON Schemas of a provider's configuration kinds by name; none for an unknown provider.
#[cfg(feature = "schema")]
pub fn kinds(provider: &str, form: schema::Form) -> std::collections::BTreeMap<String, serde_json::Value> {
    provider::policy(provider).map(|policy| policy.schemas(form)).unwrap_or_default()
}
