//! A provider's policy as the host speaks to it.

use std::fmt::Write as _;

use crate::answer::{self, Defaulting, Effect, Failure, Rule, Rules, Validation};
use crate::engine::Engine;
use crate::manifest::Document;

/// A policy and its rules.
pub struct Policy<'e> {
    engine: &'e dyn Engine,
    provider: String,
    rules: Vec<Rule>,
}

impl<'e> Policy<'e> {
    /// The policy of a provider.
    pub fn load(engine: &'e dyn Engine, provider: &str) -> Result<Self, Failure> {
        let Rules { rules } = answer::read(&engine.call(provider, "rules", "{}"))?;
        Ok(Self { engine, provider: provider.to_owned(), rules })
    }

    /// Provider type.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Every rule.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether any rule looks at objects of this kind in that way.
    pub fn has_rules(&self, kind: &str, effect: Effect) -> bool {
        self.rules.iter().any(|rule| rule.effect == effect && rule.kinds.iter().any(|of| of == kind))
    }

    /// Fills in what a person left out.
    pub fn default(&self, request: &Request<'_>) -> Result<Defaulting, Failure> {
        answer::read(&self.engine.call(&self.provider, "default", &request.to_json()))
    }

    /// Judges an object.
    pub fn validate(&self, request: &Request<'_>) -> Result<Validation, Failure> {
        answer::read(&self.engine.call(&self.provider, "validate", &request.to_json()))
    }
}

/// What a policy is asked about.
pub struct Request<'r> {
    /// The object, as JSON text.
    pub object: &'r str,
    /// What it was before; present on an update.
    pub old: Option<&'r Document>,
    /// Objects that it refers to, by role.
    pub context: &'r [(&'static str, &'r Document)],
    /// Answers to queries, as the JSON text of a list.
    pub facts: &'r str,
    /// On an update, errors that the old object already had are warnings.
    pub ratchet: bool,
}

impl Request<'_> {
    fn to_json(&self) -> String {
        let Self { object, old, context, facts, ratchet } = self;
        let mut json = format!("{{\"object\":{object}");
        // Writing to a string does not fail.
        if let Some(old) = old {
            let _ = write!(json, ",\"oldObject\":{}", old.json());
        }
        json.push_str(",\"context\":{");
        for (index, (role, document)) in context.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(json, "{comma}\"{role}\":{}", document.json());
        }
        let _ = write!(json, "}},\"facts\":{facts}");
        if *ratchet {
            json.push_str(",\"ratchet\":true");
        }
        json.push('}');
        json
    }
}
