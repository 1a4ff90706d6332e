//! An object before it is judged: as it is sent, with its defaults.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::opinion::silent;
use super::{Case, Lookup, Panel, Settings};
use crate::answer::{Answered, Defaulting, Defaults, Effect, Failure, Merged, Opinion};
use crate::engine::Function;
use crate::manifest::Document;
use crate::policy::{GARDENER, Policy};

/// An object before it is judged.
pub(super) struct Prepared<'p> {
    /// The object with its defaults, as JSON text.
    pub object: String,
    /// The old object, as JSON text, present on an update.
    pub old: Option<String>,
    /// What made the one that was given into the object: JSON texts of RFC 6902 patches, in their order.
    pub patches: Vec<Box<RawValue>>,
    /// What each policy says so far.
    pub opinions: Vec<Opinion<'p>>,
}

impl Case<'_> {
    /// What is sent of an object that a person gives, as JSON texts: as `kubectl apply` makes it, where a person
    /// applies it; and where it is on its way to another version of Kubernetes, with that version.
    pub(super) fn sent<'o>(
        &'o self,
        given: &'o str,
        panel: &Panel<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Cow<'o, str> {
        if let Some(target) = self.target {
            return self.with_target(given, target, panel, settings, lookup).into();
        }
        let Some((applied, old)) = self.applied.as_ref().zip(self.old) else { return given.into() };
        if given == self.document.json() {
            return applied.object.get().into();
        }
        let gardener = panel.policies().iter().find(|policy| policy.answers(Function::Merge));
        let merged = gardener.and_then(|policy| policy.merge(old.json(), given).ok());
        merged.map_or(given.into(), |merged| merged.object.get().to_owned().into())
    }

    /// The object with the defaults of one policy; as it is written where the policy refuses to set any.
    pub(super) fn prepared_by<'p>(
        &self,
        policy: &'p Policy<'p>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Result<Prepared<'p>, Failure> {
        let prepared = self.prepare(&Panel::of(policy), settings, lookup);
        let failed = |opinion: &Opinion<'_>| opinion.default.as_ref().and_then(Answered::failure).cloned();
        let failure = prepared.opinions.iter().find_map(failed).filter(|failure| !failure.is_denied());
        failure.map_or(Ok(prepared), Err)
    }

    /// Sets the defaults of each policy on the object with those of the policies before, where the settings ask
    /// for that.
    pub(super) fn prepare<'p>(
        &self,
        panel: &Panel<'p>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Prepared<'p> {
        let old = self.old.map(Document::json);
        self.prepare_sent(&self.sent(self.document.json(), panel, settings, lookup), old, panel, settings, lookup)
    }

    /// The same for an object that is sent, and one before, as JSON texts.
    pub(super) fn prepare_sent<'p>(
        &self,
        sent: &str,
        old: Option<&str>,
        panel: &Panel<'p>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Prepared<'p> {
        let mut object = sent.to_owned();
        let mut patches: Vec<Box<RawValue>> =
            self.applied.iter().map(|Merged { patch, .. }| patch.clone()).collect();
        let old = old.map(|old| self.stored(old, panel, settings, lookup));
        let mut opinions: Vec<Opinion<'p>> = panel.policies().iter().map(|policy| silent(policy)).collect();
        for (policy, opinion) in panel.policies().iter().zip(&mut opinions) {
            if !settings.defaults || !policy.has_rules(self.document.kind(), Effect::Default) {
                continue;
            }
            let ask = |facts: &[String]| policy.default(&self.request(&object, old.as_deref(), settings, facts));
            let answer = self.located(lookup.ask(ask, |answer| &answer.undecided));
            let defaults = answer.map(|Defaulting { object: defaulted, patch, mut changes, mut undecided }| {
                defaulted.get().clone_into(&mut object);
                patches.push(patch);
                let signed = changes.iter_mut().map(|change| &mut change.source);
                for source in signed.chain(undecided.iter_mut().map(|open| &mut open.source)) {
                    opinion.source.clone_into(source);
                }
                Defaults { changes, undecided }
            });
            opinion.default = Some(defaults.into());
        }
        Prepared { object, old, patches, opinions }
    }

    /// An old object as the API server has it, both as JSON texts. One that was read from there has Gardener's own
    /// defaults, which are set on every stored object too. Another one is a manifest: it gets all defaults, as on
    /// creation.
    pub(super) fn stored(
        &self,
        old: &str,
        panel: &Panel<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> String {
        let is_stored = self.old.is_some_and(Document::is_from_cluster);
        let mut object = old.to_owned();
        for policy in panel.policies().iter().filter(|_| settings.defaults) {
            let is_asked = !is_stored || policy.provider() == GARDENER;
            if !is_asked || !policy.has_rules(self.document.kind(), Effect::Default) {
                continue;
            }
            let before = is_stored.then_some(object.as_str());
            let ask = |facts: &[String]| policy.default(&self.request(&object, before, settings, facts));
            if let Ok(answer) = lookup.ask(ask, |answer| &answer.undecided) {
                answer.object.get().clone_into(&mut object);
            }
        }
        object
    }
}
