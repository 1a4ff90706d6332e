//! The one subject that a run is about, as manifests describe it.

mod error;
mod form;
mod provider;
mod request;
mod rollout;
mod subject;

use std::sync::Arc;

use serde_json::value::RawValue;

pub use error::TargetError;

use crate::document::{BASTION, DNS_RECORD, INFRASTRUCTURE, Operation, SubjectRequest, is_cluster_scoped};
use crate::state::{SavedPlan, SubjectId};
use provider::{not_planned, plans, provider_of};
use subject::{is_subject, kind_of, name, single_subject};
use trellis_policies::answer::DefaultChange;
use trellis_policies::engine::Engine;
use trellis_policies::judge::{Case, NoAnswer, Panel, Ruling, Settings};
use trellis_policies::manifest::{self, Document, Manifests};
use trellis_policies::policy::{GARDENER, Policy};
use trellis_policies::source::{self, Span};

/// The Secret with the credentials of a Shoot, in its namespace on the seed.
const CREDENTIALS: &str = "cloudprovider";

/// The subject of a run, and the request that a policy plans it from.
pub struct RunTarget {
    manifests: Manifests,
    /// The place among the manifests of the object that the person wrote.
    at: usize,
    provider: String,
    /// The name of its folder in a state directory.
    name: String,
    region: String,
    request: SubjectRequest,
    /// Defaults that were set in the Shoot.
    changes: Vec<DefaultChange>,
    /// The time at which policies judge the Shoot, as RFC 3339 has it.
    now: String,
}

impl RunTarget {
    /// The subject that the manifests describe, judged at the time `now` (RFC 3339).
    pub fn of(
        manifests: Manifests,
        provider: Option<&str>,
        engine: &dyn Engine,
        now: String,
    ) -> Result<Self, Vec<TargetError>> {
        let alone = |error| vec![error];
        let at = single_subject(&manifests).map_err(alone)?;
        let faults = manifests.documents().get(at).map(|document| form::faults(document)).unwrap_or_default();
        if !faults.is_empty() {
            return Err(faults);
        }
        Self::of_object(at, manifests, provider, engine, now).map_err(alone)
    }

    fn of_object(
        at: usize,
        manifests: Manifests,
        provider: Option<&str>,
        engine: &dyn Engine,
        now: String,
    ) -> Result<Self, TargetError> {
        let Some(document) = manifests.documents().get(at) else {
            return Err(TargetError::NoSubject);
        };
        let provider = match provider {
            Some(name) => name.to_owned(),
            None => provider_of(document, &manifests, engine)?,
        };
        let policy = load(engine, &provider)?;
        let kind = kind_of(document);
        if !plans(&policy, kind) {
            return Err(not_planned(document, provider, engine));
        }
        let (request, changes) = if document.kind() == "Shoot" {
            SubjectRequest::of_shoot(document, &manifests, &policy, &now)
                .map_err(|error| unreadable(document, &manifests, engine, &policy, &now).unwrap_or(error))?
        } else {
            (SubjectRequest::of_subject(document, &manifests, &policy)?, Vec::new())
        };
        let name = name(document)?;
        let region = match document.text_at(&["spec", "region"]) {
            // A name in the DNS is in no region.
            None if kind == DNS_RECORD => String::new(),
            // A Bastion is where its Shoot is.
            _ if kind == BASTION => region_of_shoot(document, &manifests)?,
            _ => text(document, &["spec", "region"], "`spec.region`")?.to_owned(),
        };
        Ok(Self { manifests, at, provider, name, region, request, changes, now })
    }

    /// The subject of a saved plan, judged at the time `now` (RFC 3339); `file` is the name of the file
    /// with the plan.
    pub fn of_saved(file: &str, saved: &SavedPlan, now: String) -> Result<Self, TargetError> {
        // Trellis wrote the request into the file.
        let request: SubjectRequest =
            serde_json::from_str(saved.request.get()).map_err(|_| TargetError::NoSubject)?;
        let written = request.written().map(RawValue::get).ok_or(TargetError::NoSubject)?;
        let (input, roots) = source::read(file, written.as_bytes())?;
        let manifests = Manifests::new(Document::all_of(&input, roots)?)?;
        let SubjectId { name, provider, region, .. } = saved.identity.clone();
        let at = single_subject(&manifests)?;
        Ok(Self { manifests, at, provider, name, region, request, changes: Vec::new(), now })
    }

    /// The object that the person wrote: a Shoot, or a subject.
    #[expect(clippy::indexing_slicing, reason = "`single_subject` found the object there")]
    pub fn document(&self) -> &Document {
        &self.manifests.documents()[self.at]
    }

    /// Objects among the manifests that a run could be about too, and that it is not about.
    pub fn left_out(&self) -> impl Iterator<Item = &Document> {
        let all = self.manifests.documents().iter().enumerate();
        all.filter(|(at, document)| *at != self.at && is_subject(document)).map(|(_, document)| document.as_ref())
    }

    /// Whether the object has a namespace, which the API server clears, because the objects of the kind can have none.
    pub fn has_cleared_namespace(&self) -> bool {
        let document = self.document();
        is_cluster_scoped(document.kind()) && !document.identity().namespace.is_empty()
    }

    /// Provider type.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The name that nothing else in a state directory has: of an Infrastructure, the name of its Shoot on the seed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cloud's region; empty where the object names none.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Defaults that were set in the Shoot.
    pub fn changes(&self) -> &[DefaultChange] {
        &self.changes
    }

    /// The operation that the manifests ask for, by Gardener's annotation or in a saved plan; `Reconcile` where
    /// they ask for none.
    pub fn operation(&self) -> Operation {
        self.request.operation
    }

    /// What distinguishes this subject from others in a state directory.
    pub fn identity(&self) -> SubjectId {
        let kind = kind_of(self.document());
        SubjectId {
            kind: (kind != INFRASTRUCTURE).then(|| kind.to_owned()),
            name: self.name.clone(),
            provider: self.provider.clone(),
            // A name in the DNS is in no region, also where its object names one.
            region: if kind == DNS_RECORD { String::new() } else { self.region.clone() },
            cloud: None,
            uid: self.document().text_at(&["metadata", "uid"]).map(str::to_owned),
        }
    }

    /// The request.
    pub fn request(&self, operation: Operation) -> Box<RawValue> {
        self.request.to_json(operation)
    }

    /// Judges a Shoot as admission does; `None` for another object: admission has judged the Shoot of an Infrastructure. A Shoot
    /// with a uid or with a recorded state exists already: the policy judges it as an update of its older version
    /// where that is known, else of itself.
    pub fn admission(
        &self,
        engine: &dyn Engine,
        older: Option<&Document>,
        is_recorded: bool,
    ) -> Result<Option<Ruling>, TargetError> {
        let document = self.document();
        if document.kind() != "Shoot" {
            return Ok(None);
        }
        let policy = load(engine, &self.provider)?;
        let gardener = gardener_policy(engine)?;
        let exists = is_recorded || document.text_at(&["metadata", "uid"]).is_some();
        let case = Case::new(document, older.or_else(|| exists.then_some(document)), &self.manifests);
        let panel = Panel::of_kind("Shoot", gardener.as_ref(), Some(&policy));
        let ruling = case.judge(&panel, Settings::at(&self.now, &[]));
        ruling.map(Some).map_err(|failure| NoAnswer::about(document, failure).into())
    }

    /// The Shoot with its defaults, as JSON text; `None` for another object.
    pub fn manifest(&self) -> Option<&str> {
        let shoot = self.request.cluster.shoot.as_deref().filter(|_| self.document().kind() == "Shoot");
        shoot.map(RawValue::get)
    }

    /// Secrets among the manifests that no object among them names as the Secret with the credentials.
    pub fn unused_secrets(&self) -> Vec<String> {
        let used = self.secret().map(Document::identity);
        let secrets = self.manifests.documents().iter().filter(|document| document.kind() == "Secret");
        let unused = secrets.map(|secret| secret.identity()).filter(|secret| Some(secret) != used.as_ref());
        unused.map(|secret| secret.to_string()).collect()
    }

    /// The Secret with the credentials of the cloud account, where it is among the manifests.
    pub fn secret(&self) -> Option<&Document> {
        let document = self.document();
        if document.kind() == "Shoot" {
            return manifest::secret(document, &self.manifests);
        }
        if document.kind() == BASTION {
            return self.manifests.find(document, "Secret", &document.identity().namespace, CREDENTIALS);
        }
        let reference = |key| document.text_at(&["spec", "secretRef", key]);
        self.manifests.find(document, "Secret", reference("namespace").unwrap_or_default(), reference("name")?)
    }
}

/// The region of the Shoot in the Cluster of an object; empty where the Cluster is not given.
fn region_of_shoot(document: &Document, manifests: &Manifests) -> Result<String, TargetError> {
    let Some(cluster) = manifests.find(document, "Cluster", "", &document.identity().namespace) else {
        return Ok(String::new());
    };
    Ok(text(cluster, &["spec", "shoot", "spec", "region"], "`spec.shoot.spec.region`")?.to_owned())
}

/// What policies cannot read of a Shoot, of which that of its provider set no defaults.
fn unreadable(
    document: &Document,
    manifests: &Manifests,
    engine: &dyn Engine,
    policy: &Policy<'_>,
    now: &str,
) -> Option<TargetError> {
    let gardener = gardener_policy(engine).ok()?;
    let panel = Panel::of_kind(document.kind(), gardener.as_ref(), Some(policy));
    let failure = Case::new(document, None, manifests).unreadable(&panel, Settings::at(now, &[]))?;
    Some(NoAnswer::about(document, failure).into())
}

/// The policy with Gardener's own rules, where the engine has it.
fn gardener_policy(engine: &dyn Engine) -> Result<Option<Policy<'_>>, TargetError> {
    engine.general().iter().any(|name| name == GARDENER).then(|| load(engine, GARDENER)).transpose()
}

fn load<'e>(engine: &'e dyn Engine, provider: &str) -> Result<Policy<'e>, TargetError> {
    Policy::load(engine, provider)
        .map_err(|failure| TargetError::NoRules { provider: provider.to_owned(), failure })
}

/// A text that the document must have.
fn text<'d>(document: &'d Document, path: &[&str], what: &'static str) -> Result<&'d str, TargetError> {
    document.text_at(path).filter(|text| !text.is_empty()).ok_or_else(|| {
        let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
        TargetError::Missing { object, what, input, span: at(document, &format!("/{}", path.join("/"))) }
    })
}

fn at(document: &Document, pointer: &str) -> Span {
    document.root.locate(pointer).highlight(&document.input)
}
