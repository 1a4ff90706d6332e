//! The policies of an engine.

use std::collections::BTreeMap;

use crate::answer::Failure;
use crate::engine::Engine;
use crate::policy::{GARDENER, Policy};

/// The policies of all providers, and that with Gardener's own rules.
pub struct Policies<'e> {
    by_provider: BTreeMap<String, Policy<'e>>,
    gardener: Option<Policy<'e>>,
}

/// A policy that does not say its rules.
#[derive(Debug, thiserror::Error)]
#[error("the policy of `{provider}` does not say its rules: {}", failure.message)]
pub struct NoRules {
    /// Whose policy.
    pub provider: String,
    /// What the policy says.
    pub failure: Failure,
}

impl<'e> Policies<'e> {
    /// All policies of an engine.
    pub fn load(engine: &'e dyn Engine) -> Result<Self, NoRules> {
        let load = |name: &str| {
            Policy::load(engine, name).map_err(|failure| NoRules { provider: name.to_owned(), failure })
        };
        let mut by_provider = BTreeMap::new();
        for name in engine.providers() {
            let policy = load(&name)?;
            by_provider.insert(name, policy);
        }
        let gardener = engine.general().iter().any(|name| name == GARDENER).then(|| load(GARDENER)).transpose()?;
        Ok(Self { by_provider, gardener })
    }

    /// The policy of a provider.
    pub fn of(&self, provider: &str) -> Option<&Policy<'e>> {
        self.by_provider.get(provider)
    }

    /// The provider types that have a policy, sorted.
    pub fn providers(&self) -> Vec<&str> {
        self.by_provider.keys().map(String::as_str).collect()
    }

    /// The policy with Gardener's own rules, where the engine has it.
    pub fn gardener(&self) -> Option<&Policy<'e>> {
        self.gardener.as_ref()
    }

    /// All policies, Gardener's own first, then by provider.
    pub fn all(&self) -> impl Iterator<Item = &Policy<'e>> {
        self.gardener.iter().chain(self.by_provider.values())
    }
}
