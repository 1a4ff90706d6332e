//! Policies of Gardener's cloud providers as pure functions over JSON text: what is valid, what is filled in where
//! a person wrote nothing, and what becomes of an infrastructure.
//!
//! ```
//! let answer = trellis_core::call("alicloud", "validate", r#"{"object":{}}"#);
//! assert!(answer.starts_with(r#"{"error":"#));
//! ```
//!
//! The same request yields the same answer, byte for byte, wherever it is asked: nothing here reads a clock, a
//! file or the network, and no input makes a call panic.

pub mod call;
pub mod cidr;
pub mod collections;
pub mod document;
pub mod gardener;
pub mod kube;
pub mod plan;
pub mod policy;
pub mod provider;
pub mod render;
pub mod report;
#[cfg(feature = "schema")]
pub mod schema;
pub mod text;

use policy::{COMMON, Module, Part, RequestError};

pub use provider::POLICIES;

/// The names of all policies, in order: the provider types, then the policies that judge objects of every provider.
pub fn policies() -> impl Iterator<Item = &'static str> {
    POLICIES.names()
}

/// The provider types that there are policies for, in order of their names.
pub fn providers() -> impl Iterator<Item = &'static str> {
    POLICIES.providers()
}

/// The names of the policies that judge objects of every provider, in order of these names.
pub fn general() -> impl Iterator<Item = &'static str> {
    POLICIES.general()
}

/// Calls a function of a provider's policy, as the module does that answers all functions.
///
/// The request and the answer are the JSON documents of [`policy`]. Whatever is wrong with a request is reported
/// in an answer `{ "error": { "code", "message", "pointer"? } }`.
pub fn call(provider: &str, function: &str, request: &str) -> String {
    let parts =
        [judging(provider), addressing(provider), planning(provider), mutating(provider), rendering(provider)];
    answer(provider, parts.into_iter().flatten().collect(), function, request)
}

/// The part of a policy that judges and completes objects; none for an unknown provider.
pub fn judging(provider: &str) -> Option<&'static dyn Part> {
    Some(provider::policy(provider)?)
}

/// The part of a policy that answers the addresses of Shoots; none for an unknown provider.
pub fn addressing(provider: &str) -> Option<&'static dyn Part> {
    Some(POLICIES.get(provider)?.addressing?)
}

/// The part of a policy that plans subjects and classifies errors; none for a provider that does neither.
pub fn planning(provider: &str) -> Option<&'static dyn Part> {
    Some(POLICIES.get(provider)?.planning?)
}

/// The part of a policy that a page plans infrastructures with, and classifies errors; none for a provider that does
/// neither.
pub fn networks(provider: &str) -> Option<&'static dyn Part> {
    let entry = POLICIES.get(provider)?;
    Some(entry.networks.or(entry.planning)?)
}

/// The part of a policy that renders control planes; none for a provider that does not.
pub fn rendering(provider: &str) -> Option<&'static dyn Part> {
    Some(POLICIES.get(provider)?.rendering?)
}

/// The part of a policy that changes the objects that webhooks see; none for a provider that does not.
pub fn mutating(provider: &str) -> Option<&'static dyn Part> {
    Some(POLICIES.get(provider)?.mutating?)
}

/// Calls a function of a provider's policy, as a module does that holds these parts.
pub fn answer(provider: &str, parts: Vec<&'static dyn Part>, function: &str, request: &str) -> String {
    if parts.is_empty() {
        return policy::failure(RequestError::UnknownProvider(provider.to_owned()));
    }
    Module { common: COMMON, parts }.call(function, request)
}

/// What the rules of a provider say to people, by the ids of the rules; none for an unknown provider.
#[cfg(feature = "words")]
pub fn words(provider: &str) -> std::collections::BTreeMap<&'static str, report::RuleWords> {
    let rules = provider::policy(provider).map(policy::Judging::rules).unwrap_or_default();
    rules.into_iter().map(|rule| (rule.id, rule.words)).collect()
}

/// JSON Schemas of a provider's configuration kinds, and of requests and answers, by name; none for an unknown
/// provider.
#[cfg(feature = "schema")]
pub fn schemas(provider: &str) -> std::collections::BTreeMap<String, serde_json::Value> {
    let Some(policy) = provider::policy(provider) else { return std::collections::BTreeMap::new() };
    let mut schemas = (policy.schemas)(schema::Form::Full);
    schemas.extend(policy::documents());
    schemas
}

/// JSON Schemas of a provider's configuration kinds by name; none for an unknown provider.
#[cfg(feature = "schema")]
pub fn kinds(provider: &str, form: schema::Form) -> std::collections::BTreeMap<String, serde_json::Value> {
    provider::policy(provider).map(|policy| (policy.schemas)(form)).unwrap_or_default()
}
