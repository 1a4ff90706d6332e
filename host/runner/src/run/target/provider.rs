//! The provider whose policy plans a subject.

use std::sync::Arc;

use super::subject::kind_of;
use super::{TargetError, at, load, text};
use crate::document::INFRASTRUCTURE;
use trellis_policies::engine::{Engine, Function};
use trellis_policies::manifest::{self, Document, Manifests};
use trellis_policies::policy::Policy;

/// The provider of an object: the one that its type names, or whose policy plans objects of that kind and type.
pub(super) fn provider_of(
    document: &Document,
    manifests: &Manifests,
    engine: &dyn Engine,
) -> Result<String, TargetError> {
    let known = engine.providers();
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    if document.kind() == "Shoot" {
        let provider = manifest::provider(document, manifests, &names)?;
        return provider.ok_or(TargetError::NoSubject);
    }
    let name = text(document, &["spec", "type"], "`spec.type`")?;
    if kind_of(document) == INFRASTRUCTURE && names.contains(&name) {
        return Ok(name.to_owned());
    }
    for provider in &known {
        let policy = load(engine, provider)?;
        if types(&policy, kind_of(document)).any(|known| known == name) {
            return Ok(provider.clone());
        }
    }
    Err(not_planned(document, name.to_owned(), engine))
}

/// Whether a policy plans subjects of a kind. One of an older version plans Infrastructures, and does not say so.
pub(super) fn plans(policy: &Policy<'_>, kind: &str) -> bool {
    let plans = &policy.info().plans;
    let is_old = plans.is_empty() && kind == INFRASTRUCTURE;
    policy.answers(Function::Plan) && (is_old || plans.iter().any(|planned| planned.kind == kind))
}

/// The types of the objects of a kind that a policy plans.
fn types<'p>(policy: &'p Policy<'_>, kind: &'p str) -> impl Iterator<Item = &'p String> {
    policy.info().plans.iter().filter(move |planned| planned.kind == kind).flat_map(|planned| &planned.types)
}

/// The error about an object that no policy plans, or not that of its provider.
pub(super) fn not_planned(document: &Document, provider: String, engine: &dyn Engine) -> TargetError {
    let kind = kind_of(document);
    let is_shoot = document.kind() == "Shoot";
    let mut planned = Vec::new();
    // What a policy does not say cannot be advised.
    for policy in engine.providers().iter().filter_map(|name| load(engine, name).ok()) {
        planned.extend(types(&policy, kind).cloned());
    }
    let is_renamed = !is_shoot
        && document.text_at(&["spec", "type"]).is_some_and(|own| planned.iter().any(|known| known == own));
    let span = at(document, if is_shoot { "/spec/provider/type" } else { "/spec/type" });
    TargetError::NoPlans {
        provider,
        kind,
        is_shoot,
        is_renamed,
        planned,
        input: Arc::clone(&document.input),
        span,
    }
}
