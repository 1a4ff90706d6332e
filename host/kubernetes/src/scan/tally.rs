//! What a scan counts. Its size is bounded, whatever the garden holds.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judge::{Judged, Outcome, Scanned, Skipped};
use super::kinds::{KINDS, Kind};
use trellis_policies::answer::{Scope, Severity, Verdict};
use trellis_policies::manifest::Identity;

/// The most keys of [`Counts`].
const MOST_KEYS: usize = 1_000;
/// The most scopes that are counted apart.
const MOST_SCOPES: usize = 100;

/// What was counted.
#[derive(Debug, Default)]
pub struct Tally {
    /// By kind, in the order of [`KINDS`]; none for a kind without objects.
    by_kind: BTreeMap<usize, Ends>,
    /// Objects by the rule that has findings about them, and how grave these are.
    pub rules: Counts<(String, String)>,
    /// Objects by the rule that is undecided, and why.
    pub undecided: Counts<(String, String)>,
    /// Objects that no policy judges, by kind and why.
    pub skipped: Counts<(&'static str, Skipped)>,
    /// What objects refer to and could not be read, with the reason.
    pub unread: Counts<String>,
    /// Providers of objects that were judged, and what the verdicts cover.
    scopes: Vec<(String, Scope)>,
}

/// How many objects of a kind had which end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ends {
    /// All of them.
    pub objects: u64,
    /// Admission would admit them.
    pub accepted: u64,
    /// Admission would refuse them.
    pub rejected: u64,
    /// The verdict depends on something that nobody knew.
    pub undecided: u64,
    /// Of those that were judged, the ones with warnings.
    pub warned: u64,
    /// No policy judges them.
    pub not_judged: u64,
    /// They should have been judged, and could not be.
    pub failed: u64,
}

/// Counts by key, of a bounded number of keys.
#[derive(Debug)]
pub struct Counts<K> {
    by_key: BTreeMap<K, Count>,
    /// How often something else was counted, once there were too many keys.
    pub further: u64,
}

/// How often something was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// In how many objects.
    pub objects: u64,
    /// The first of them.
    pub first: Identity,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self { by_key: BTreeMap::new(), further: 0 }
    }
}

impl<K: Ord> Counts<K> {
    fn add(&mut self, key: K, object: &Identity) {
        if let Some(count) = self.by_key.get_mut(&key) {
            count.objects += 1;
        } else if self.by_key.len() < MOST_KEYS {
            self.by_key.insert(key, Count { objects: 1, first: object.clone() });
        } else {
            self.further += 1;
        }
    }

    /// The counts, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Count)> {
        self.by_key.iter()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

impl Tally {
    /// Counts an object.
    pub fn add(&mut self, Scanned { identity, outcome }: &Scanned) {
        let at = KINDS.iter().position(|kind| kind.name() == identity.kind);
        let Some((at, kind)) = at.and_then(|at| Some((at, KINDS.get(at)?))) else { return };
        let count = self.by_kind.entry(at).or_default();
        count.objects += 1;
        match outcome {
            Outcome::Skipped(why) => {
                count.not_judged += 1;
                self.skipped.add((kind.name(), why.clone()), identity);
            }
            Outcome::Failed(_) => count.failed += 1,
            Outcome::Judged(judged) => {
                match judged.ruling.verdict {
                    Verdict::Accept => count.accepted += 1,
                    Verdict::Reject => count.rejected += 1,
                    Verdict::Undecided => count.undecided += 1,
                }
                let warns = |severity| severity == Severity::Warning;
                if judged.ruling.findings.iter().any(|placed| warns(placed.finding.severity)) {
                    count.warned += 1;
                }
                self.judged(judged, identity);
            }
        }
    }

    fn judged(&mut self, Judged { provider, ruling, unread, .. }: &Judged, identity: &Identity) {
        let rules = ruling.findings.iter().map(|placed| {
            let rule = placed.finding.rule.clone().unwrap_or_default();
            (placed.finding.severity.to_string(), rule)
        });
        let mut rules: Vec<(String, String)> = rules.collect();
        rules.sort();
        rules.dedup();
        for rule in rules {
            self.rules.add(rule, identity);
        }
        for open in &ruling.undecided {
            self.undecided.add((open.rule.clone(), open.why.clone()), identity);
        }
        for what in unread {
            self.unread.add(what.clone(), identity);
        }
        let is_known = self.scopes.iter().any(|(of, scope)| of == provider && *scope == ruling.scope);
        if !is_known && self.scopes.len() < MOST_SCOPES {
            self.scopes.push((provider.clone(), ruling.scope.clone()));
        }
    }

    /// The kinds that have objects.
    pub fn kinds(&self) -> impl Iterator<Item = (&'static Kind, Ends)> {
        self.by_kind.iter().filter_map(|(at, counts)| Some((KINDS.get(*at)?, *counts)))
    }

    /// All kinds together.
    pub fn all(&self) -> Ends {
        self.by_kind.values().fold(Ends::default(), |all, one| Ends {
            objects: all.objects + one.objects,
            accepted: all.accepted + one.accepted,
            rejected: all.rejected + one.rejected,
            undecided: all.undecided + one.undecided,
            warned: all.warned + one.warned,
            not_judged: all.not_judged + one.not_judged,
            failed: all.failed + one.failed,
        })
    }

    /// What the verdicts cover, and the provider of each.
    pub fn scopes(&self) -> impl Iterator<Item = (&str, &Scope)> {
        self.scopes.iter().map(|(provider, scope)| (provider.as_str(), scope))
    }
}

impl Ends {
    /// How many were judged.
    pub fn judged(&self) -> u64 {
        self.accepted + self.rejected + self.undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(at: usize) -> Identity {
        Identity { kind: "Shoot".to_owned(), namespace: "garden-dev".to_owned(), name: format!("s{at}") }
    }

    #[test]
    fn counts_are_bounded_and_show_what_they_lack() {
        let mut counts = Counts::default();
        for at in 0..MOST_KEYS + 5 {
            counts.add(at, &object(at));
            counts.add(0, &object(at));
        }
        assert_eq!((counts.iter().count(), counts.further), (MOST_KEYS, 5));
        let first = counts.iter().next().map(|(_, count)| count.clone()).unwrap();
        assert_eq!(first, Count { objects: MOST_KEYS as u64 + 6, first: object(0) });
    }

    #[test]
    fn every_end_of_an_object_is_counted_once() {
        let mut tally = Tally::default();
        for (at, outcome) in [
            Outcome::Skipped(Skipped::Deleted),
            Outcome::Skipped(Skipped::NoPolicy("aws".to_owned())),
            Outcome::Failed(trellis_policies::answer::Failure::new("", "")),
        ]
        .into_iter()
        .enumerate()
        {
            tally.add(&Scanned { identity: object(at), outcome });
        }
        let all = tally.all();
        assert_eq!((all.objects, all.not_judged, all.failed, all.judged()), (3, 2, 1, 0));
        assert_eq!(tally.skipped.iter().count(), 2);
    }
}
