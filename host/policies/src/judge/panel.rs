//! The policies that judge an object together.

use crate::answer::Effect;
use crate::policy::{GARDENER, Policy};

/// The policies that judge an object: Gardener's own rules, and those of its provider.
pub struct Panel<'p> {
    /// In the order in which they set defaults.
    policies: Vec<&'p Policy<'p>>,
    /// The provider type that the object names.
    provider: String,
    /// Rules that nobody can ask, in words.
    missing: Option<String>,
}

impl<'p> Panel<'p> {
    /// One policy alone.
    pub fn of(policy: &'p Policy<'p>) -> Self {
        Self { policies: vec![policy], provider: policy.provider().to_owned(), missing: None }
    }

    /// Those policies that have rules for objects of a kind. The API server sets its own defaults, and judges by
    /// them, before it asks the extensions.
    pub fn of_kind(kind: &str, gardener: Option<&'p Policy<'p>>, provider: Option<&'p Policy<'p>>) -> Self {
        let judges = |policy: &&Policy<'_>| {
            [Effect::Validate, Effect::Default].iter().any(|one| policy.has_rules(kind, *one))
        };
        let name = provider.map_or(GARDENER, Policy::provider).to_owned();
        let policies = gardener.into_iter().chain(provider).filter(judges).collect();
        Self { policies, provider: name, missing: None }
    }

    /// Gardener's own rules for an object whose provider has no policy, or that names none.
    ///
    /// `meant` is a provider that a misspelt name most likely means.
    pub fn of_gardener(gardener: &'p Policy<'p>, provider: Option<&str>, meant: Option<&str>) -> Self {
        let missing = match provider {
            Some(name) => match meant {
                Some(meant) => format!("{name}'s rules (did you mean `{meant}`?)"),
                None => format!("{name}'s rules (Trellis has none of them yet)"),
            },
            None => "the rules of its provider, which it does not name".to_owned(),
        };
        let provider = provider.unwrap_or(GARDENER).to_owned();
        Self { policies: vec![gardener], provider, missing: Some(missing) }
    }

    /// The policies, in the order in which they set defaults.
    pub fn policies(&self) -> &[&'p Policy<'p>] {
        &self.policies
    }

    /// Rules that nobody can ask, in words.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// Whether a rule of some policy has this effect on objects of the kind.
    pub fn has_rules(&self, kind: &str, effect: Effect) -> bool {
        self.policies.iter().any(|policy| policy.has_rules(kind, effect))
    }

    /// The provider type that the object names; `gardener` where it names none.
    pub fn provider(&self) -> &str {
        &self.provider
    }
}
