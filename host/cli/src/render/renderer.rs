//! The control planes of the files, and what their policies render.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::asked::Asked;
use super::error::{Place, RenderError};
use super::what::{What, is_cluster};
use crate::CommandError;
use crate::output::Skipped;
use crate::session::{lacks, unknown_provider};
use trellis_policies::answer::{DefaultChange, Rendering, Severity, Undecided};
use trellis_policies::cluster::{cloud_profile, configuration, part, raw, seed};
use trellis_policies::engine::Engine;
use trellis_policies::judge::{Ambiguity, Case, Lookup, Panel, Settings};
use trellis_policies::manifest::{self, Document, Manifests};
use trellis_policies::policy::{GARDENER, Policy};

/// The policies, and what all control planes have in common.
pub(super) struct Renderer<'e> {
    policies: BTreeMap<String, Policy<'e>>,
    /// The policy with Gardener's own defaults, where the engine has it.
    gardener: Option<Policy<'e>>,
    /// The policy that the command line names.
    provider: Option<String>,
    /// Images that replace those of the policy, as JSON text.
    images: Option<Box<RawValue>>,
    with_values: bool,
    what: What,
    /// JSON text of each fact of the caller.
    facts: Vec<String>,
    /// The time at which Shoots are judged, as RFC 3339 has it.
    now: String,
}

/// An object of which something is rendered: a Shoot, or the object by which Gardener asks an extension.
#[derive(Clone, Copy)]
pub(super) struct RenderSource<'m> {
    pub(super) document: &'m Document,
    manifests: &'m Manifests,
}

/// What a policy answers.
pub(super) struct Rendered<'m> {
    pub(super) document: &'m Document,
    pub(super) provider: String,
    pub(super) answer: Rendering,
    /// The whole answer as JSON text.
    pub(super) text: String,
    /// Defaults that were set in the Shoot.
    pub(super) changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    pub(super) open_defaults: Vec<Undecided>,
    /// References that Trellis could not follow.
    pub(super) ambiguous: Vec<Ambiguity>,
}

/// Why there is no answer.
pub(super) enum Unrendered {
    /// No policy renders the control plane.
    Skipped(Skipped),
    /// A policy should, and cannot.
    Failed(CommandError),
}

impl From<CommandError> for Unrendered {
    fn from(error: CommandError) -> Self {
        Self::Failed(error)
    }
}

impl From<RenderError> for Unrendered {
    fn from(error: RenderError) -> Self {
        Self::Failed(error.into())
    }
}

/// A request document without its facts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control_plane: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<Box<RawValue>>,
    cluster: Cluster,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<&'r RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    values: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cluster {
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cloud_profile: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shoot: Option<Box<RawValue>>,
}

impl<'m> RenderSource<'m> {
    /// The objects of the files of which something is rendered, and the Shoots whose own object is among them.
    pub(super) fn all_of(manifests: &'m Manifests, what: What) -> (Vec<Self>, Vec<Skipped>) {
        let shoot_of = |document: &Document| {
            let shoot = what.is_object(document).then(|| cluster_of(document, manifests))??;
            let text = |key| shoot.root.at(&["spec", "shoot", "metadata", key])?.as_str();
            Some((text("namespace")?.to_owned(), text("name")?.to_owned()))
        };
        let live: Vec<_> = manifests.documents().iter().filter_map(|document| shoot_of(document)).collect();
        let (mut sources, mut skipped) = (Vec::new(), Vec::new());
        for document in manifests.documents() {
            let identity = document.identity();
            if what.is_object(document) {
                sources.push(Self { document, manifests });
            } else if document.kind() == "Shoot" && live.contains(&(identity.namespace, identity.name)) {
                skipped.push(Skipped::object(document, what.why_left_out()));
            } else if document.kind() == "Shoot" {
                sources.push(Self { document, manifests });
            }
        }
        (sources, skipped)
    }
}

/// The Cluster with the name of an object's namespace.
fn cluster_of<'m>(object: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    manifests.find(object, "Cluster", "", &object.identity().namespace).filter(|cluster| is_cluster(cluster))
}

impl<'e> Renderer<'e> {
    /// Loads the policies.
    pub(super) fn new(
        engine: &'e dyn Engine,
        provider: Option<String>,
        images: Option<Box<RawValue>>,
        with_values: bool,
        what: What,
        facts: Vec<String>,
        now: String,
    ) -> Result<Self, CommandError> {
        let known = engine.providers();
        if let Some(name) = provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(unknown_provider(name, &known));
        }
        let load = |name: &String| {
            Policy::load(engine, name).map_err(|failure| CommandError::NoRules { provider: name.clone(), failure })
        };
        let mut policies = BTreeMap::new();
        for name in known {
            policies.insert(name.clone(), load(&name)?);
        }
        let gardener = engine.general().iter().find(|name| *name == GARDENER).map(load).transpose()?;
        Ok(Self { policies, gardener, provider, images, with_values, what, facts, now })
    }

    /// The policy that renders a control plane, or why there is none.
    fn policy(&self, RenderSource { document, manifests }: RenderSource<'_>) -> Result<&Policy<'e>, Unrendered> {
        let name = match &self.provider {
            Some(name) => name.clone(),
            None if self.what.is_object(document) => {
                let name = document.text_at(&["spec", "type"]).filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| RenderError::missing(document, "spec.type", "/spec"))?;
                if !self.policies.contains_key(name) {
                    let known: Vec<String> = self.policies.keys().cloned().collect();
                    return Err(unknown_provider(name, &known).into());
                }
                name.to_owned()
            }
            None => {
                if let Some(error) = manifest::wrong_kind(document) {
                    return Err(CommandError::from(error).into());
                }
                let known: Vec<&str> = self.policies.keys().map(String::as_str).collect();
                manifest::provider(document, manifests, &known).map_err(CommandError::from)?.unwrap_or_default()
            }
        };
        let function = self.what.function();
        let policy = self.policies.get(&name).filter(|policy| policy.answers(function));
        policy.ok_or_else(|| Unrendered::Skipped(Skipped::object(document, lacks(document, function))))
    }

    /// Renders a control plane. `old` is the Shoot before, where the Shoot is an update.
    pub(super) fn render<'m>(
        &self,
        source: RenderSource<'m>,
        old: Option<&'m Document>,
    ) -> Result<Rendered<'m>, Unrendered> {
        let policy = self.policy(source)?;
        let RenderSource { document, manifests } = source;
        let (request, changes, open_defaults) = if self.what.is_object(document) {
            (self.of_object(source, policy)?, Vec::new(), Vec::new())
        } else {
            self.of_shoot(source, old, policy)?
        };
        // Never fails, because all keys are texts.
        let request = serde_json::to_string(&request).unwrap_or_default();
        let request = request.strip_suffix('}').unwrap_or_default();
        let mut lookup = Lookup::new(document, manifests, &self.facts);
        let ask = |facts: &[String]| {
            let request = format!("{request},\"facts\":[{}]}}", facts.join(","));
            match self.what {
                What::ControlPlane => policy.render(&request),
                What::Workers => policy.workers(&request),
            }
        };
        let answer = lookup.ask(ask, |(answer, _)| &answer.undecided);
        let (answer, text) = answer.map_err(|failure| RenderError::failed(document, failure))?;
        let (provider, ambiguous) = (policy.provider().to_owned(), lookup.into_ambiguous());
        Ok(Rendered { document, provider, answer, text, changes, open_defaults, ambiguous })
    }

    /// The request about an object by which Gardener asks an extension; without it, about the Shoot alone.
    fn request(&self, object: Option<Box<RawValue>>, cluster: Cluster, manifests: &Manifests) -> Request<'_> {
        let (what, control_plane, worker) = match self.what {
            What::ControlPlane => (Some("controlPlane"), object, None),
            What::Workers => (None, None, object),
        };
        Request {
            what,
            control_plane,
            worker,
            cluster,
            configuration: configuration(manifests),
            images: self.images.as_deref(),
            values: self.with_values,
        }
    }

    fn of_object(
        &self,
        RenderSource { document, manifests }: RenderSource<'_>,
        policy: &Policy<'_>,
    ) -> Result<Request<'_>, RenderError> {
        if document.identity().namespace.is_empty() {
            return Err(RenderError::missing(document, "metadata.namespace", "/metadata"));
        }
        let Some(cluster) = cluster_of(document, manifests) else {
            let (object, namespace) = (document.identity().to_string(), document.identity().namespace);
            let place = Place::of(document, "/metadata/namespace");
            return Err(RenderError::NoCluster { object, namespace, place });
        };
        let at = |path: &[&str]| cluster.root.at(path).and_then(|node| raw(node.to_json()));
        let shoot = at(&["spec", "shoot"]).ok_or_else(|| RenderError::missing(cluster, "spec.shoot", "/spec"))?;
        let profile = cluster.root.at(&["spec", "cloudProfile"]);
        let cluster = Cluster {
            metadata: at(&["metadata"]),
            cloud_profile: profile
                .and_then(|node| part(node, document.kind(), "cloudProfile", policy, self.what.function())),
            seed: at(&["spec", "seed"]),
            shoot: Some(shoot),
        };
        Ok(self.request(raw(document.json().to_owned()), cluster, manifests))
    }

    fn of_shoot(
        &self,
        RenderSource { document, manifests }: RenderSource<'_>,
        old: Option<&Document>,
        policy: &Policy<'_>,
    ) -> Result<(Request<'_>, Vec<DefaultChange>, Vec<Undecided>), CommandError> {
        let panel = Panel::of_kind(document.kind(), self.gardener.as_ref(), Some(policy));
        let case = Case::new(document, old, manifests);
        if let Some(failure) = case.unreadable(&panel, Settings::at(&self.now, &self.facts)) {
            return Err(CommandError::no_answer(document, failure));
        }
        let (shoot, changes, open_defaults) = match case.default(&panel, Settings::at(&self.now, &self.facts)) {
            Some(Ok(defaulted)) => (Some(defaulted.object), defaulted.changes, defaulted.undecided),
            Some(Err(failure)) => return Err(CommandError::no_answer(document, failure)),
            None => (raw(document.json().to_owned()), Vec::new(), Vec::new()),
        };
        // What changes from a version that is there already is judged, and not that version.
        if old.is_none_or(|old| !std::ptr::eq(old, document)) {
            let ruling = case.judge(&panel, Settings::at(&self.now, &self.facts));
            let ruling = ruling.map_err(|failure| CommandError::no_answer(document, failure))?;
            RenderError::admitted(document, ruling)?;
        }
        let profile = manifest::cloud_profile(document, manifests);
        let cluster = Cluster {
            metadata: None,
            cloud_profile: profile
                .and_then(|profile| cloud_profile(profile, document.kind(), policy, self.what.function())),
            seed: seed(document, manifests),
            shoot,
        };
        Ok((self.request(None, cluster, manifests), changes, open_defaults))
    }
}

impl Rendered<'_> {
    /// Whether an error forbids to render the control plane.
    pub(super) fn is_rejected(&self) -> bool {
        self.answer.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The queries without an answer that the objects wait for, as errors.
    pub(super) fn open(&self) -> Vec<CommandError> {
        if self.answer.managed_resources.is_some() {
            return Vec::new();
        }
        let document = self.document;
        let open = |undecided: &Undecided| {
            let asked = Asked::of(undecided.query.as_deref()?);
            let (object, why) = (document.identity().to_string(), undecided.why.clone());
            Some(RenderError::Open { object, why, asked, place: Place::of(document, "") }.into())
        };
        self.answer.undecided.iter().filter_map(open).collect()
    }
}
