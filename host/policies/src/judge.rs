//! Judges one object: defaults first, as the API server sets them, then the rules. Each finding gets its place in
//! the text that the person wrote.

mod chosen;
mod corrected;
mod limit;
mod lookup;
mod no_answer;
mod opinion;
mod panel;
mod place;
mod policies;
mod prepare;
mod profile_parts;
mod ruling;
mod spelling;
mod upgrade;
mod worlds;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::answer::{AddedZones, Addresses, Answered, Defaulting, Defaults, Effect, Failure, Merged, Opinion};
use crate::engine::Function;
use crate::garden::Garden;
use crate::headline::headline;
use crate::manifest::{self, Document, Manifests, Meant};
use crate::policy::{NewZone, Policy, Request};
pub use lookup::Lookup;
pub use lookup::ObjectQuery;
pub use no_answer::NoAnswer;
use opinion::repeated;
pub use panel::Panel;
pub use place::{PlacedFinding, place};
pub use policies::{NoRules, Policies};
use prepare::Prepared;
pub use profile_parts::is_judged_by;
pub use ruling::{Ambiguity, Ruling};
pub use upgrade::{Target, Upgrade};
use worlds::Update;

/// An object with everything that its policy needs to know.
pub struct Case<'m> {
    /// The object.
    pub document: &'m Document,
    /// The old version, present on an update. An object that exists already may be its own old version.
    pub old: Option<&'m Document>,
    /// All objects that were given: those that the policy's queries ask for are answers.
    manifests: &'m Manifests,
    /// Objects that it refers to, by role.
    context: Vec<(&'static str, &'m Document)>,
    /// The object that it is judged without, as if nobody knew that.
    left_out: Option<&'m Document>,
    /// What `kubectl apply` makes of the old object and this one, where a person applies it.
    applied: Option<Merged>,
    /// The version of Kubernetes to which the Shoot is to go, where a person asks what must change before.
    target: Option<&'m Target>,
}

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'s> {
    /// Whether defaults are set before the rules are asked.
    pub defaults: bool,
    /// Whether errors that the old object already had are warnings.
    pub ratchet: bool,
    /// Answers to queries, each as JSON text; they go before what the given objects answer.
    pub facts: &'s [String],
    /// The time at which the object is judged, as RFC 3339 has it.
    pub now: Option<&'s str>,
    /// Whether the object is as the garden stores it. Else a person sends it, or may have edited what the garden
    /// stores.
    pub is_stored: bool,
    /// What is known of the garden.
    pub garden: &'s Garden,
}

impl<'s> Settings<'s> {
    /// Defaults are set, at this time (RFC 3339) and with these facts, and nothing is known of the garden.
    pub fn at(now: &'s str, facts: &'s [String]) -> Self {
        static NO_GARDEN: Garden = Garden { version: None, fields: None };
        Self { defaults: true, ratchet: false, facts, now: Some(now), is_stored: false, garden: &NO_GARDEN }
    }
}

/// The operation for which admission judges an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AdmissionOperation {
    /// There is no old version.
    Create,
    /// There is an old version.
    Update,
    /// The object exists already, and no other version of it was given.
    #[serde(rename = "update")]
    UpdateOfItself,
    /// The object is to go to another version of Kubernetes.
    #[serde(rename = "update")]
    Upgrade,
}

impl<'m> Case<'m> {
    /// An object among all that were given, and its old version.
    pub fn new(document: &'m Document, old: Option<&'m Document>, manifests: &'m Manifests) -> Self {
        let context = manifest::context(document, manifests);
        Self { document, old, manifests, context, left_out: None, applied: None, target: None }
    }

    /// Whether a person updates by a manifest what a garden stores: the old version has a uid, and the object has
    /// none.
    pub fn is_manifest_for_stored(&self) -> bool {
        self.old.is_some_and(Document::has_uid) && !self.document.has_uid()
    }

    /// The object as `kubectl apply` sends it: merged with its old version. Without one, it is sent as it is.
    pub fn applied(self, gardener: Option<&Policy<'_>>) -> Result<Self, Failure> {
        let Some(old) = self.old else { return Ok(self) };
        let merged = match gardener.filter(|policy| policy.answers(Function::Merge)) {
            Some(policy) => policy.merge(old.json(), self.document.json())?,
            None => {
                return Err(Failure::new(
                    Failure::UNKNOWN_ANSWER,
                    "no policy answers `merge`, which shows what `kubectl apply` sends; give the policy `gardener` too, or judge the \
                     object as it is, with `--replace`",
                ));
            }
        };
        Ok(Self { applied: Some(merged), ..self })
    }

    /// Whether the object is judged as `kubectl apply` sends it.
    pub fn is_applied(&self) -> bool {
        self.applied.is_some()
    }

    /// An object that is there already, and no other version of it was given: an update of itself. Policies judge
    /// nothing of a Secret or a binding that does not change; it is judged as a new one, so that nothing is
    /// accepted unseen.
    pub fn existing(document: &'m Document, manifests: &'m Manifests) -> Self {
        let is_left_out = matches!(document.kind(), "Secret" | "SecretBinding" | "CredentialsBinding");
        Self::new(document, (!is_left_out).then_some(document), manifests)
    }

    /// The CloudProfile or NamespacedCloudProfile that the object names, where files have different ones.
    pub fn ambiguous_profile(&self) -> Option<Ambiguity> {
        let reference = manifest::profile_reference(self.document)?;
        match self.manifests.meant(self.document, &reference) {
            Meant::Several(candidates) => Some(Ambiguity::new(&reference, &candidates)),
            Meant::Nothing | Meant::One(_) => None,
        }
    }

    /// Whether the policy may read another object for this one.
    pub fn reads(&self, other: &Document) -> bool {
        self.context.iter().any(|(_, object)| std::ptr::eq(*object, other))
    }

    /// Whether the object is its own old version.
    fn is_of_itself(&self) -> bool {
        self.old.is_some_and(|old| std::ptr::eq(old, self.document))
    }

    /// Create or update.
    pub fn operation(&self) -> AdmissionOperation {
        match self.old {
            Some(_) if self.target.is_some() => AdmissionOperation::Upgrade,
            Some(_) if self.is_of_itself() => AdmissionOperation::UpdateOfItself,
            Some(_) => AdmissionOperation::Update,
            None => AdmissionOperation::Create,
        }
    }

    /// Fills in what the person left out; `None` for kinds that have no defaults. A failure means that some policy
    /// sets none.
    pub fn default(&self, panel: &Panel<'_>, settings: Settings<'_>) -> Option<Result<Defaulting, Failure>> {
        panel.has_rules(self.document.kind(), Effect::Default).then(|| {
            let prepared = self.prepare(panel, settings, &mut self.lookup(settings));
            let (mut changes, mut undecided) = (Vec::new(), Vec::new());
            for opinion in prepared.opinions {
                let Some(answer) = opinion.default else { continue };
                let Defaults { changes: own, undecided: open } = answer.into_result()?;
                changes.extend(own);
                undecided.extend(open);
            }
            let unreadable = |error: serde_json::Error| {
                Failure::new(Failure::UNKNOWN_ANSWER, format!("the policy's patch cannot be read: {error}"))
            };
            let object = RawValue::from_string(prepared.object).map_err(unreadable)?;
            let patch = one_patch(prepared.patches).map_err(unreadable)?;
            Ok(Defaulting { object, patch, changes, undecided })
        })
    }

    /// Judges the object. A failure means that a policy could not.
    pub fn judge(&self, panel: &Panel<'_>, settings: Settings<'_>) -> Result<Ruling, Failure> {
        let mut lookup = self.lookup(settings);
        let update = Update {
            object: self.document.json().to_owned(),
            old: self.old.map(|old| old.json().to_owned()),
            is_of_itself: self.is_of_itself(),
            renamed: Vec::new(),
        };
        let opinions = self.opinions(&update, panel, settings, &mut lookup)?;
        let joined = match opinion::joins(panel) {
            None => opinion::unjoined(opinions)?,
            Some(policy) if settings.is_stored => opinion::join(policy, panel, &opinions, [&[], &[]])?,
            Some(policy) => {
                let mut ask = |update: &Update| self.opinions(update, panel, settings, &mut lookup);
                worlds::judge(policy, panel, update, &opinions, &mut ask)?
            }
        };
        let mut ambiguous: Vec<Ambiguity> = self.ambiguous_profile().into_iter().collect();
        for ambiguity in lookup.into_ambiguous() {
            if !ambiguous.contains(&ambiguity) {
                ambiguous.push(ambiguity);
            }
        }
        let mut ruling = opinion::ruled(self.document, joined)?;
        if self.is_applied() || self.target.is_some() {
            ruling.findings.iter_mut().for_each(|placed| placed.of_stored(self.document));
        }
        Ok(Ruling { ambiguous, ..ruling })
    }

    /// The refusal to set defaults on an object that some policy cannot read, with all such places; none where
    /// policies can read all.
    pub fn unreadable(&self, panel: &Panel<'_>, settings: Settings<'_>) -> Option<Failure> {
        let ruling = self.judge(panel, settings).ok()?;
        let unreadable: Vec<&PlacedFinding> =
            ruling.findings.iter().filter(|placed| !placed.instead.is_empty()).collect();
        let first = unreadable.first()?;
        let line = |placed: &&PlacedFinding| {
            let line = self.document.input.position(placed.span.start).line;
            format!("{} (line {line})", headline(&placed.finding, Some(self.document)))
        };
        let message = match unreadable.as_slice() {
            [only] => headline(&only.finding, Some(self.document)),
            all => all.iter().map(line).collect::<Vec<_>>().join("; "),
        };
        Some(Failure { pointer: Some(first.finding.pointer.clone()), ..Failure::new(Failure::DENIED, message) })
    }

    /// What each policy says of an object that is given.
    fn opinions<'p>(
        &self,
        update: &Update,
        panel: &Panel<'p>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Result<Vec<Opinion<'p>>, Failure> {
        let written = update.old.as_deref();
        let sent = self.sent(&update.object, panel, settings, lookup);
        let Prepared { object, old, mut opinions, .. } =
            self.prepare_sent(&sent, written, panel, settings, lookup);
        let is_manifest = settings.defaults && self.old.is_some_and(|old| !old.is_from_cluster());
        let settled = written
            .filter(|_| is_manifest)
            .zip(old.as_deref())
            .and_then(|(manifest, old)| chosen::as_in_new(manifest, old, &object));
        for (policy, opinion) in panel.policies().iter().zip(&mut opinions) {
            let failure = opinion.default.as_ref().and_then(Answered::failure);
            if failure.is_some_and(|failure| !failure.is_denied()) {
                continue;
            }
            let ask = |facts: &[String]| policy.validate(&self.request(&object, old.as_deref(), settings, facts));
            let mut answer = self.located(lookup.ask(ask, |answer| &answer.undecided));
            if let (Ok(validation), Some(settled)) = (&mut answer, &settled)
                && !validation.findings.is_empty()
            {
                let other = policy.validate(&self.request(&object, Some(settled), settings, lookup.facts()));
                chosen::open(validation, &self.located(other)?);
            }
            if let Ok(validation) = &mut answer
                && spelling::is_open(validation)
                && let Ok(written) =
                    policy.validate(&self.request(&update.object, old.as_deref(), settings, lookup.facts()))
            {
                spelling::take(validation, &written);
            }
            opinion.validate = Some(answer.into());
            repeated(opinion, panel);
        }
        Ok(opinions)
    }

    /// Shows the address space of the object.
    pub fn addresses(&self, policy: &Policy<'_>, settings: Settings<'_>) -> Result<Addresses, Failure> {
        let mut lookup = self.lookup(settings);
        let Prepared { object, old, .. } = self.prepared_by(policy, settings, &mut lookup)?;
        self.located(policy.addresses(&self.request(&object, old.as_deref(), settings, lookup.facts())))
    }

    /// Chooses ranges for zones to add to the object. Without any, says whether there is a place for them.
    pub fn zones(
        &self,
        policy: &Policy<'_>,
        settings: Settings<'_>,
        add: &[NewZone],
    ) -> Result<AddedZones, Failure> {
        let mut lookup = self.lookup(settings);
        let Prepared { object, old, .. } = self.prepared_by(policy, settings, &mut lookup)?;
        let request = self.request(&object, old.as_deref(), settings, lookup.facts());
        self.located(policy.zones(&Request { add: Some(add), ..request }))
    }

    /// An answer, or a failure in terms of the objects that were given.
    fn located<A>(&self, answer: Result<A, Failure>) -> Result<A, Failure> {
        answer.map_err(|failure| limit::located(self, failure))
    }

    fn lookup(&self, settings: Settings<'_>) -> Lookup<'m> {
        Lookup::new(self.document, self.manifests, settings.facts).without(self.left_out)
    }

    fn request<'r>(
        &'r self,
        object: &'r str,
        old: Option<&'r str>,
        settings: Settings<'r>,
        facts: &'r [String],
    ) -> Request<'r> {
        Request {
            kind: self.document.kind(),
            object,
            old,
            context: &self.context,
            facts,
            // An object's own errors are no excuse for it.
            ratchet: settings.ratchet && self.operation() == AdmissionOperation::Update,
            is_sent: !settings.is_stored,
            itself: match self.operation() {
                AdmissionOperation::UpdateOfItself if settings.is_stored => Some("stored"),
                AdmissionOperation::UpdateOfItself => Some("edited"),
                AdmissionOperation::Create | AdmissionOperation::Update | AdmissionOperation::Upgrade => None,
            },
            is_ahead: self.target.is_some(),
            now: settings.now,
            garden: settings.garden,
            add: None,
        }
    }
}

/// Several patches of one object, one after the other, as one.
fn one_patch(mut patches: Vec<Box<RawValue>>) -> Result<Box<RawValue>, serde_json::Error> {
    if let [_] = patches.as_slice()
        && let Some(only) = patches.pop()
    {
        return Ok(only);
    }
    let mut operations: Vec<Box<RawValue>> = Vec::new();
    for patch in patches {
        operations.append(&mut serde_json::from_str(patch.get())?);
    }
    serde_json::value::to_raw_value(&operations)
}
