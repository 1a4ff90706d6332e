//! One object of a garden, judged by the policy of its provider.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::Options;
use super::document::{Head, Metadata, document};
use super::known::Known;
use super::pages::{Garden, List};
use crate::admission::reads::{self, GardenReads};
use crate::api_server::resource::{Resource, SECRETS};
use trellis_policies::answer::{Effect, Failure};
use trellis_policies::judge::{Case, ObjectQuery, Panel, Policies, Ruling, Settings};
use trellis_policies::manifest::{self, Document, Identity, ManifestProblem, Manifests, profile_reference};
use trellis_policies::policy::Policy;
use trellis_policies::rounds::{Limits, Rounds};
use trellis_runner::run::reads::Read;

/// What a policy may ask for one object. It may ask again, because an answer may lead to a further query.
const LIMITS: Limits = Limits { rounds: 8, queries: 100 };

/// Judges objects.
pub struct Judge<'j> {
    policies: &'j Policies<'j>,
    garden: &'j Garden,
    options: &'j Options,
    known: Known,
}

/// An object, and what became of it.
#[derive(Debug)]
pub struct Scanned {
    /// Kind, namespace and name.
    pub identity: Identity,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of an object.
#[derive(Debug)]
pub enum Outcome {
    /// It was judged.
    Judged(Box<Judged>),
    /// No policy judges it, for a reason.
    Skipped(Skipped),
    /// It should have been judged, and could not be.
    Failed(Failure),
}

/// An object that was judged.
#[derive(Debug)]
pub struct Judged {
    /// The object.
    pub document: Arc<Document>,
    /// Its provider type.
    pub provider: String,
    /// What the policy says.
    pub ruling: Ruling,
    /// What it refers to and could not be read, each with the reason: the rules that need it are undecided.
    pub unread: Vec<String>,
}

/// Why no policy judges an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// Admission admits it.
    Deleted,
    /// Nobody has the rules of its provider.
    NoPolicy(String),
    /// It belongs to another provider than the one that was asked for.
    OtherProvider(String),
    /// Nothing says that it belongs to a provider.
    NoProvider,
    /// The policy of its provider has no rules for its kind.
    NoRules(String),
}

impl fmt::Display for Skipped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deleted => out.write_str("being deleted, which admission never refuses"),
            Self::NoPolicy(provider) => write!(out, "Trellis has no rules of the provider `{provider}`"),
            Self::OtherProvider(provider) => write!(out, "the provider is `{provider}`"),
            Self::NoProvider => out.write_str("nothing names a provider"),
            Self::NoRules(provider) => write!(out, "`{provider}` has no rules for this kind"),
        }
    }
}

impl<'j> Judge<'j> {
    /// Judges objects of a garden by these policies.
    pub fn new(policies: &'j Policies<'j>, garden: &'j Garden, options: &'j Options) -> Self {
        Self { policies, garden, options, known: Known::default() }
    }

    /// Begins a page.
    pub fn turn_page(&self) {
        self.known.turn_page();
    }

    /// Judges an object of a list.
    pub async fn object(&self, list: &List, item: &RawValue) -> Scanned {
        let head: Head = serde_json::from_str(item.get()).unwrap_or_default();
        let Metadata { name, namespace, deletion_timestamp } = head.metadata;
        let outcome = if deletion_timestamp.is_some() {
            Outcome::Skipped(Skipped::Deleted)
        } else {
            match document(&list.kind.resource, item.get()) {
                Ok(document) => self.document(Arc::new(document), list.provider.as_deref()).await,
                Err(message) => Outcome::Failed(Failure::new(Failure::MALFORMED, message)),
            }
        };
        Scanned { identity: Identity { kind: list.kind.name().to_owned(), namespace, name }, outcome }
    }

    async fn document(&self, document: Arc<Document>, claimed: Option<&str>) -> Outcome {
        let mut unread = Vec::new();
        let mut objects = vec![Arc::clone(&document)];
        if let Some(profile) = profile_reference(&document)
            && let Some(of) = reads::resource(&profile.kind)
        {
            match self.known.object(self.garden, of, &profile).await {
                Ok(found) => objects.extend(found),
                Err(error) => unread.push(format!("{profile}: {error}")),
            }
        }
        let policy = match self.policy(&document, claimed, &objects) {
            Ok(policy) => policy,
            // The profile that cannot be read may say it.
            Err(Skipped::NoProvider) if !unread.is_empty() => return Outcome::Failed(unknown(&unread)),
            Err(skipped) => return Outcome::Skipped(skipped),
        };
        let gardener = self.policies.gardener().filter(|_| self.options.asks_gardener);
        let panel = Panel::of_kind(document.kind(), gardener, Some(policy));
        if !panel.has_rules(document.kind(), Effect::Validate) {
            return Outcome::Skipped(Skipped::NoRules(policy.provider().to_owned()));
        }
        let provider = policy.provider().to_owned();
        match self.ruling(&document, &panel, objects, &mut unread).await {
            Ok(ruling) => Outcome::Judged(Box::new(Judged { document, provider, ruling, unread })),
            Err(failure) => Outcome::Failed(failure),
        }
    }

    /// The policy of an object.
    fn policy(
        &self,
        document: &Document,
        claimed: Option<&str>,
        objects: &[Arc<Document>],
    ) -> Result<&'j Policy<'j>, Skipped> {
        let name = if let Some(name) = claimed {
            name.to_owned()
        } else {
            let manifests = Manifests::shared(objects.iter().cloned());
            match manifest::provider(document, &manifests, &self.policies.providers()) {
                Ok(Some(name)) => name,
                Ok(None) => return Err(Skipped::NoProvider),
                Err(error) => match error.problem {
                    ManifestProblem::UnknownProvider { provider, .. } => provider,
                    _ => return Err(Skipped::NoProvider),
                },
            }
        };
        if self.options.provider.as_ref().is_some_and(|asked| *asked != name) {
            return Err(Skipped::OtherProvider(name));
        }
        self.policies.of(&name).ok_or(Skipped::NoPolicy(name))
    }

    /// Judges an object, and again as long as the garden has what the policy asks for.
    async fn ruling(
        &self,
        document: &Document,
        panel: &Panel<'_>,
        mut objects: Vec<Arc<Document>>,
        unread: &mut Vec<String>,
    ) -> Result<Ruling, Failure> {
        let mut known: Rounds<String> = Rounds::new(LIMITS);
        loop {
            let manifests = Manifests::shared(objects.iter().cloned());
            let settings = Settings {
                defaults: true,
                ratchet: false,
                facts: known.facts(),
                now: Some(&self.options.now),
                is_stored: true,
                garden: &self.options.garden,
            };
            let target = self.options.kubernetes.as_ref().filter(|_| Case::can_upgrade(document));
            let case = match target {
                Some(target) => Case::upgrade(document, &manifests, target),
                None if self.options.creates => Case::new(document, None, &manifests),
                None => Case::existing(document, &manifests),
            };
            let ruling = case.judge(panel, settings)?;
            let queries = ruling.undecided.iter().filter_map(|open| ObjectQuery::read(open.query.as_deref()?));
            // What a policy still asks for after all rounds stays undecided.
            let open = known.queries_within(queries, |query| &query.id);
            if open.is_empty() {
                return Ok(ruling);
            }
            let may = may_read(document, &objects);
            for ObjectQuery { id, api_version, identity, .. } in open {
                let of = match may.check(&wanted(api_version, &identity)) {
                    Ok(of) => of,
                    Err(error) => {
                        unread.push(format!("{identity}: {error}"));
                        continue;
                    }
                };
                match self.known.object(self.garden, of, &identity).await {
                    Ok(Some(found)) => objects.push(found),
                    Ok(None) => known.learn([absent(&id, of, &identity.name)]),
                    Err(error) => unread.push(format!("{identity}: {error}")),
                }
            }
        }
    }
}

/// What a policy may read for an object, with those that were read for it before.
fn may_read(document: &Document, objects: &[Arc<Document>]) -> GardenReads {
    let value = |document: &Document| serde_json::from_str(document.json()).unwrap_or_default();
    let mut may = GardenReads::of(&value(document));
    // A Secret names nothing.
    for object in objects.iter().filter(|object| object.kind() != SECRETS.kind) {
        may.follow(&value(object));
    }
    may
}

/// The object that a query asks for.
fn wanted(api_version: String, Identity { kind, namespace, name }: &Identity) -> Read {
    Read {
        api_version,
        kind: kind.clone(),
        namespace: Some(namespace.clone()).filter(|namespace| !namespace.is_empty()),
        name: name.clone(),
        in_shoot: false,
    }
}

/// The failure to find out whose an object is.
fn unknown(unread: &[String]) -> Failure {
    let message = format!("nobody knows its provider: {}", unread.join("; "));
    Failure::new("Unread", message)
}

/// The fact that there is no such object, as JSON text.
fn absent(query: &str, of: &Resource, name: &str) -> String {
    let error = serde_json::json!({ "code": "NotFound", "message": of.not_found(name), "httpStatus": 404 });
    serde_json::json!({ "query": query, "answer": { "error": error } }).to_string()
}
