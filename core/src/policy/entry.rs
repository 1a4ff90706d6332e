//! A list of policies.

use super::claims::Claims;
use super::{Addressing, Judging, Mutating, Planning, Rendering};

/// A policy in a list, by the parts that it has.
pub struct Entry {
    /// What judges and completes objects.
    pub judging: &'static Judging,
    /// What answers about Shoots.
    pub addressing: Option<&'static Addressing>,
    /// What plans subjects, or only classifies errors.
    pub planning: Option<&'static Planning>,
    /// What plans networks alone and classifies errors, where `planning` plans more: pages need no more of it.
    pub networks: Option<&'static Planning>,
    /// What renders control planes and makes machines.
    pub rendering: Option<&'static Rendering>,
    /// What changes the objects that webhooks see.
    pub mutating: Option<&'static Mutating>,
    /// What the policy claims of the process that carries out what it decides.
    pub claims: Claims,
}

impl Entry {
    /// A policy that only judges and completes objects.
    pub const fn of(judging: &'static Judging) -> Self {
        Self {
            judging,
            addressing: None,
            planning: None,
            networks: None,
            rendering: None,
            mutating: None,
            claims: Claims::NONE,
        }
    }

    /// Its name: a provider type, or a name that is none where the policy judges objects of every provider.
    pub fn name(&self) -> &'static str {
        self.judging.about.provider
    }

    fn is_provider(&self) -> bool {
        self.judging.general.is_none()
    }

    fn plans(&self) -> bool {
        self.planning.is_some_and(|planning| !planning.subjects.is_empty())
    }
}

/// The policies that there are, in order of their names: those of the providers, then those that judge objects of
/// every provider.
pub struct Policies(pub &'static [Entry]);

impl Policies {
    /// The policy with that name.
    pub fn get(&self, name: &str) -> Option<&'static Entry> {
        self.0.iter().find(|entry| entry.name() == name)
    }

    /// The names of all, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|_| true)
    }

    /// The provider types, in order of their names.
    pub fn providers(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(Entry::is_provider)
    }

    /// The names of those that judge objects of every provider.
    pub fn general(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|entry| !entry.is_provider())
    }

    /// The provider types whose errors are classified.
    pub fn classified(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|entry| entry.planning.is_some())
    }

    /// The provider types whose infrastructure is planned.
    pub fn planned(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(Entry::plans)
    }

    /// The provider types of which more than infrastructure is planned: a page gets `networks` of them.
    pub fn planned_further(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|entry| entry.networks.is_some())
    }

    /// The provider types whose control planes are rendered.
    pub fn rendered(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|entry| entry.rendering.is_some())
    }

    /// The provider types whose webhooks change objects.
    pub fn mutated(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.with(|entry| entry.mutating.is_some())
    }

    fn with(&self, is: fn(&Entry) -> bool) -> impl Iterator<Item = &'static str> + use<> {
        self.0.iter().filter(move |entry| is(entry)).map(Entry::name)
    }
}
