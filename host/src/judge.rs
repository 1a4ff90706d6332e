//! Judges one object: defaults first, as the API server sets them, then the rules. Each finding gets its place in the
//! text that the person wrote.

mod limit;
mod lookup;

use serde::Serialize;

use crate::answer::{
    AddedZones, Addresses, DefaultChange, Defaulting, Effect, Failure, Finding, PatchOperation, Scope, Severity,
    Undecided, Verdict,
};
use crate::manifest::{self, Document, Identity, Manifests, Meant};
use crate::policy::{NewZone, Policy, Request};
use crate::source::Span;
use lookup::Lookup;

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
}

/// What an object refers to, where Trellis cannot tell which object that is: files have different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// Kind, namespace and name.
    pub object: String,
    /// File and line of each.
    pub places: Vec<String>,
}

impl Ambiguity {
    fn new(identity: &Identity, candidates: &[&Document]) -> Self {
        Self { object: identity.to_string(), places: candidates.iter().map(|one| one.place()).collect() }
    }
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
}

/// What the policy found.
#[derive(Debug)]
pub struct Ruling {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors and warnings.
    pub findings: Vec<PlacedFinding>,
    /// Rules that could not be judged.
    pub undecided: Vec<Undecided>,
    /// Defaults that were set before.
    pub changes: Vec<DefaultChange>,
    /// References that the policy could not follow.
    pub ambiguous: Vec<Ambiguity>,
    /// Whose rules the verdict covers.
    pub scope: Scope,
}

/// A finding and where it is in the person's text.
#[derive(Debug)]
pub struct PlacedFinding {
    /// What is wrong.
    pub finding: Finding,
    /// What to underline.
    pub span: Span,
    /// The default that set the wrong value, where the person did not set it.
    pub set_by: Option<DefaultChange>,
    /// Whether this is the last listed finding of its severity, and there are more.
    pub has_more: bool,
}

impl Ruling {
    /// A verdict alone.
    pub fn of(verdict: Verdict) -> Self {
        let (findings, undecided, changes) = (Vec::new(), Vec::new(), Vec::new());
        Self { verdict, findings, undecided, changes, ambiguous: Vec::new(), scope: Scope::default() }
    }

    /// The severities of which there are more findings than are listed.
    pub fn truncated(&self) -> Vec<Severity> {
        self.findings.iter().filter(|placed| placed.has_more).map(|placed| placed.finding.severity).collect()
    }
}

/// An object before it is judged.
struct Prepared {
    /// The object, as JSON text.
    object: String,
    /// Defaults that were set.
    changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    undecided: Vec<Undecided>,
    /// Why the policy set no default.
    refusal: Option<Failure>,
}

impl<'m> Case<'m> {
    /// An object among all that were given, and its old version.
    pub fn new(document: &'m Document, old: Option<&'m Document>, manifests: &'m Manifests) -> Self {
        Self { document, old, manifests, context: manifest::context(document, manifests) }
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

    /// Create or update.
    pub fn operation(&self) -> AdmissionOperation {
        match self.old {
            Some(old) if std::ptr::eq(old, self.document) => AdmissionOperation::UpdateOfItself,
            Some(_) => AdmissionOperation::Update,
            None => AdmissionOperation::Create,
        }
    }

    /// Fills in what the person left out; `None` for kinds that have no defaults.
    pub fn default(&self, policy: &Policy<'_>, settings: Settings<'_>) -> Option<Result<Defaulting, Failure>> {
        self.fill_in(policy, settings, &mut self.lookup(settings))
    }

    fn fill_in(
        &self,
        policy: &Policy<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Option<Result<Defaulting, Failure>> {
        let ask = |facts: &[String]| policy.default(&self.request(self.document.json(), settings, facts));
        let has_defaults = policy.has_rules(self.document.kind(), Effect::Default);
        has_defaults.then(|| self.located(lookup.ask(ask, |answer| &answer.undecided)))
    }

    /// Judges the object. A failure means that the policy could not.
    pub fn judge(&self, policy: &Policy<'_>, settings: Settings<'_>) -> Result<Ruling, Failure> {
        let mut lookup = self.lookup(settings);
        let Prepared { object, changes, mut undecided, refusal } = self.prepare(policy, settings, &mut lookup)?;
        let ask = |facts: &[String]| policy.validate(&self.request(&object, settings, facts));
        let validation = self.located(lookup.ask(ask, |answer| &answer.undecided))?;
        // Rules may reject an object that has a default which the policy could not decide.
        let lacks_defaults = !undecided.is_empty();
        for open in validation.undecided {
            if !undecided.iter().any(|known| known.rule == open.rule && known.why == open.why) {
                undecided.push(open);
            }
        }
        let verdict = match validation.verdict {
            _ if refusal.is_some() => Verdict::Reject,
            Verdict::Accept if lacks_defaults => Verdict::Undecided,
            verdict => verdict,
        };
        let findings = refusal.into_iter().map(denied).chain(validation.findings);
        let mut findings: Vec<_> = findings.map(|finding| place(self.document, finding, &changes)).collect();
        for severity in validation.truncated {
            let last = findings.iter_mut().rfind(|placed| placed.finding.severity == severity);
            if let Some(last) = last {
                last.has_more = true;
            }
        }
        let mut ambiguous: Vec<Ambiguity> = self.ambiguous_profile().into_iter().collect();
        for ambiguity in lookup.into_ambiguous() {
            if !ambiguous.contains(&ambiguity) {
                ambiguous.push(ambiguity);
            }
        }
        Ok(Ruling { verdict, findings, undecided, changes, ambiguous, scope: validation.scope })
    }

    /// Tells the address space of the object.
    pub fn addresses(&self, policy: &Policy<'_>, settings: Settings<'_>) -> Result<Addresses, Failure> {
        let mut lookup = self.lookup(settings);
        let prepared = self.prepare(policy, settings, &mut lookup)?;
        self.located(policy.addresses(&self.request(&prepared.object, settings, lookup.facts())))
    }

    /// Chooses ranges for zones to add to the object. Without any, tells whether there is a place for them.
    pub fn zones(
        &self,
        policy: &Policy<'_>,
        settings: Settings<'_>,
        add: &[NewZone],
    ) -> Result<AddedZones, Failure> {
        let mut lookup = self.lookup(settings);
        let prepared = self.prepare(policy, settings, &mut lookup)?;
        let request = Request { add: Some(add), ..self.request(&prepared.object, settings, lookup.facts()) };
        self.located(policy.zones(&request))
    }

    /// Sets the defaults, where the settings ask for that and there are any.
    fn prepare(
        &self,
        policy: &Policy<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Result<Prepared, Failure> {
        let defaulted = if settings.defaults { self.fill_in(policy, settings, lookup) } else { None };
        let as_written = |refusal| Prepared {
            object: self.document.json().to_owned(),
            changes: Vec::new(),
            undecided: Vec::new(),
            refusal,
        };
        match defaulted {
            Some(Ok(Defaulting { object, changes, undecided, .. })) => {
                Ok(Prepared { object: object.get().to_owned(), changes, undecided, refusal: None })
            }
            Some(Err(failure)) if failure.is_denied() => Ok(as_written(Some(failure))),
            Some(Err(failure)) => Err(failure),
            None => Ok(as_written(None)),
        }
    }

    /// An answer, or a failure in terms of the objects that were given.
    fn located<A>(&self, answer: Result<A, Failure>) -> Result<A, Failure> {
        answer.map_err(|failure| limit::located(self, failure))
    }

    fn lookup(&self, settings: Settings<'_>) -> Lookup<'m> {
        Lookup::new(self.document, self.manifests, settings.facts)
    }

    fn request<'r>(&'r self, object: &'r str, settings: Settings<'_>, facts: &'r [String]) -> Request<'r> {
        Request {
            kind: self.document.kind(),
            object,
            old: self.old,
            context: &self.context,
            facts,
            // An object's own errors are no excuse for it.
            ratchet: settings.ratchet && self.operation() == AdmissionOperation::Update,
            add: None,
        }
    }
}

/// Finds the place of a finding in the text of the object that it is about, and the default that set what is wrong.
pub fn place(document: &Document, mut finding: Finding, changes: &[DefaultChange]) -> PlacedFinding {
    if document.is_secret() {
        // Policies leave out values of Secrets; this is for a policy that does not.
        finding.bad_value = None;
        finding.fix = None;
    }
    let location = document.root.locate(&finding.pointer);
    // Of a value that should be removed, the key says more than the value.
    let goes =
        finding.fix.as_deref().is_some_and(|fix| matches!(fix, [only] if only.is_removal(&finding.pointer)));
    let key = location.key.filter(|_| (goes || finding.at_key) && location.exact);
    let span = key.unwrap_or_else(|| location.highlight(&document.input));
    let set_by = changes.iter().rev().find(|change| is_within(&finding.pointer, &change.pointer)).cloned();
    PlacedFinding { finding, span, set_by, has_more: false }
}

/// The finding for a refusal to set defaults.
fn denied(Failure { message, pointer, .. }: Failure) -> Finding {
    Finding {
        rule: None,
        severity: Severity::Error,
        error_type: Failure::DENIED.to_owned(),
        field: String::new(),
        pointer: pointer.unwrap_or_default(),
        at_key: false,
        bad_value: None,
        detail: message,
        remedy: "Mend this first: defaults cannot be set on the object as it is.".to_owned(),
        fix: None::<Vec<PatchOperation>>,
    }
}

/// Whether a pointer leads to another, or below it.
fn is_within(pointer: &str, ancestor: &str) -> bool {
    pointer.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_compared_by_whole_segments() {
        assert!(is_within("/a/b", "/a"));
        assert!(is_within("/a", "/a"));
        assert!(!is_within("/ab", "/a"));
        assert!(!is_within("/a", "/a/b"));
    }
}
