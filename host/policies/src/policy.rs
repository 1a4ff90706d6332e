//! A provider's policy as the host speaks to it.

use std::fmt::Write as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::{
    self, AddedZones, Addresses, Defaulting, Effect, Failure, Info, JoinRequest, Joined, Machines, Merged,
    Rendering, Rollout, Rule, RuleWords, Rules, Validation,
};
use crate::engine::{Engine, Function, WordsError};
use crate::garden::Garden;
use crate::manifest::{Document, excerpt};

/// The name of the policy with Gardener's own rules, which judges objects of every provider.
pub const GARDENER: &str = "gardener";

/// A policy and its rules.
pub struct Policy<'e> {
    engine: &'e dyn Engine,
    provider: String,
    rules: Vec<Rule>,
    info: Info,
}

impl<'e> Policy<'e> {
    /// The policy of a provider.
    pub fn load(engine: &'e dyn Engine, provider: &str) -> Result<Self, Failure> {
        let Rules { rules } = answer::read(&engine.call(provider, Function::Rules, "{}")?)?;
        let info = answer::read(&engine.call(provider, Function::Info, "{}")?)?;
        Ok(Self { engine, provider: provider.to_owned(), rules, info })
    }

    /// Provider type, or [`GARDENER`].
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What the policy says of itself.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Every rule.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Every rule with its words.
    pub fn rules_in_words(&self) -> Result<Vec<(&Rule, RuleWords)>, WordsError> {
        let mut words = self.engine.words(&self.provider)?;
        let in_words = self.rules.iter().map(|rule| {
            let words = words.remove(&rule.id).ok_or_else(|| WordsError::Unreadable {
                provider: self.provider.clone(),
                cause: format!("`{}` has none", rule.id).into(),
            });
            Ok((rule, words?))
        });
        in_words.collect()
    }

    /// Whether any rule has this effect on objects of the kind.
    pub fn has_rules(&self, kind: &str, effect: Effect) -> bool {
        self.rules.iter().any(|rule| rule.effect == effect && rule.kinds.iter().any(|of| of == kind))
    }

    /// The rule with an id.
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// Fills in what a person left out.
    pub fn default(&self, request: &Request<'_>) -> Result<Defaulting, Failure> {
        self.call(Function::Default, request)
    }

    /// Judges an object.
    pub fn validate(&self, request: &Request<'_>) -> Result<Validation, Failure> {
        self.call(Function::Validate, request)
    }

    /// Joins what several policies say of an object.
    pub fn join(&self, request: &JoinRequest<'_>) -> Result<Joined, Failure> {
        // Never fails: there are only texts, lists and JSON in it.
        let request = serde_json::to_string(request).unwrap_or_default();
        answer::read(&self.engine.call(&self.provider, Function::Join, &request)?)
    }

    /// What `kubectl apply` makes of a stored object and a manifest; both are JSON texts.
    pub fn merge(&self, live: &str, manifest: &str) -> Result<Merged, Failure> {
        let request = format!("{{\"live\":{live},\"manifest\":{manifest}}}");
        answer::read(&self.engine.call(&self.provider, Function::Merge, &request)?)
    }

    /// Whether the policy answers a function.
    pub fn answers(&self, function: Function) -> bool {
        self.info.functions.iter().any(|name| name == function.name())
    }

    /// Shows the address space of an object.
    pub fn addresses(&self, request: &Request<'_>) -> Result<Addresses, Failure> {
        self.call(Function::Addresses, request)
    }

    /// Chooses ranges for the zones that the request wants to add.
    pub fn zones(&self, request: &Request<'_>) -> Result<AddedZones, Failure> {
        self.call(Function::Zones, request)
    }

    /// Renders the objects of a control plane; request and answer are JSON texts too.
    pub fn render(&self, request: &str) -> Result<(Rendering, String), Failure> {
        let text = self.engine.call(&self.provider, Function::Render, request)?;
        Ok((answer::read(&text)?, text))
    }

    /// Makes the machines of worker pools; request and answer are JSON texts too.
    pub fn workers(&self, request: &str) -> Result<(Rendering, String), Failure> {
        let text = self.engine.call(&self.provider, Function::Workers, request)?;
        Ok((answer::read::<Machines>(&text)?.into(), text))
    }

    /// Shows what an edit of a Shoot does to its nodes; both Shoots are JSON texts.
    pub fn rollout(&self, shoot: &str, old: &str) -> Result<Rollout, Failure> {
        let request = format!("{{\"object\":{shoot},\"oldObject\":{old}}}");
        answer::read(&self.engine.call(&self.provider, Function::Rollout, &request)?)
    }

    fn call<A: DeserializeOwned>(&self, function: Function, request: &Request<'_>) -> Result<A, Failure> {
        let reads = self.info.reads.get(function.name()).and_then(|kinds| kinds.get(request.kind));
        answer::read(&self.engine.call(&self.provider, function, &request.to_json(reads))?)
    }
}

/// A zone to add.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewZone {
    /// Its name.
    pub name: String,
    /// Length of the prefix of its range; the policy chooses one where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_length: Option<u8>,
}

/// What a policy is asked about.
pub struct Request<'r> {
    /// Kind of the object.
    pub kind: &'r str,
    /// The object, as JSON text.
    pub object: &'r str,
    /// The old version, as JSON text, present on an update.
    pub old: Option<&'r str>,
    /// Objects that it refers to, by role.
    pub context: &'r [(&'static str, &'r Document)],
    /// Answers to queries, each as JSON text.
    pub facts: &'r [String],
    /// On an update, errors that the old object already had are warnings.
    pub ratchet: bool,
    /// The time at which the object is judged, as RFC 3339 has it; rules that know time need it.
    pub now: Option<&'r str>,
    /// Whether the object is what a person sends, and not what the garden stores: the API server sets a part of
    /// the metadata itself.
    pub is_sent: bool,
    /// What the object is where it is its own old version: `stored` as it is, or perhaps `edited`.
    pub itself: Option<&'static str>,
    /// Whether a person looks at the update in advance: it may skip minor versions of Kubernetes.
    pub is_ahead: bool,
    /// What is known of the garden.
    pub garden: &'r Garden,
    /// Zones to add, for `zones` alone.
    pub add: Option<&'r [NewZone]>,
}

impl Request<'_> {
    /// The request as JSON text. It holds the parts of the context that the policy reads, or all of it where the
    /// policy does not say.
    fn to_json(&self, reads: Option<&Vec<String>>) -> String {
        let Self { kind, object, old, context, facts, ratchet, now, is_sent, itself, is_ahead, garden, add } =
            self;
        let mut json = format!("{{\"object\":{object}");
        // Writing to a string does not fail.
        if let Some(old) = old {
            let _ = write!(json, ",\"oldObject\":{old}");
        }
        json.push_str(",\"context\":{");
        let mut comma = "";
        for (role, document) in *context {
            let kept = match reads {
                None => Some(document.json().to_owned()),
                Some(reads) => excerpt(&document.root, &of_role(role, reads)),
            };
            if let Some(kept) = kept {
                let _ = write!(json, "{comma}\"{role}\":{kept}");
                comma = ",";
            }
        }
        let request = is_sent.then(|| ("request", "true".to_owned()));
        let itself = itself.map(|what| ("itself", format!("\"{what}\"")));
        let ahead = is_ahead.then(|| ("ahead", "true".to_owned()));
        for (member, text) in garden.members(kind).into_iter().chain(request).chain(itself).chain(ahead) {
            if reads.is_some_and(|reads| reads.iter().any(|pointer| pointer.strip_prefix('/') == Some(member))) {
                let _ = write!(json, "{comma}\"{member}\":{text}");
                comma = ",";
            }
        }
        let _ = write!(json, "}},\"facts\":[{}]", facts.join(","));
        if let Some(now) = now {
            let _ = write!(json, ",\"now\":{}", serde_json::Value::from(*now));
        }
        if *ratchet {
            json.push_str(",\"ratchet\":true");
        }
        if let Some(add) = add {
            let _ = write!(json, ",\"add\":{}", serde_json::to_string(add).unwrap_or_default());
        }
        json.push('}');
        json
    }
}

/// The pointers into the object of a role.
pub fn of_role<'p>(role: &str, reads: &'p [String]) -> Vec<&'p str> {
    let below = |pointer: &'p String| pointer.strip_prefix('/')?.strip_prefix(role);
    reads.iter().filter_map(below).filter(|rest| rest.is_empty() || rest.starts_with('/')).collect()
}
