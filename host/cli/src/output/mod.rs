//! The formats in which results are printed.

#[cfg(feature = "cluster")]
mod cause;
pub(super) mod documents;
mod error;
pub(super) mod github;
mod home;
pub(super) mod human;
pub(super) mod nodes;
pub(super) mod sarif;
mod scope;
mod skipped;
mod summary;
mod table;
mod unified;

use std::cmp::Ordering;

use super::CommandError;
use trellis_policies::answer::{Finding, Severity};
use trellis_policies::headline::{headline, nearest, shortened, since};
use trellis_policies::judge::{AdmissionOperation, PlacedFinding, Ruling, Upgrade};
use trellis_policies::manifest::{Document, Identity};

#[cfg(feature = "cluster")]
pub(super) use cause::Cause;
pub(crate) use error::Error;
pub(super) use human::{Style, clean};
pub(super) use scope::scope;
pub(super) use skipped::Skipped;
pub(super) use summary::{Summary, not_decided};
#[cfg(feature = "cluster")]
pub(super) use table::aligned;
pub(super) use unified::unified;

/// Most findings that are listed below the one that they follow from.
const MAX_FOLLOWERS: usize = 5;

/// An object and what the policies say.
pub(super) struct Judged<'s> {
    pub(super) document: &'s Document,
    /// The provider type that the object names; `gardener` where it names none.
    pub(super) provider: String,
    pub(super) operation: AdmissionOperation,
    /// Whether it was judged as `kubectl apply` sends it.
    pub(super) is_applied: bool,
    /// What an upgrade does, where the object was judged on its way to another version of Kubernetes.
    pub(super) upgrade: Option<Upgrade>,
    pub(super) ruling: Ruling,
    /// The object that this one names and at which errors of this one stand, such as a Secret or a CloudProfile.
    pub(super) left_to: Option<Identity>,
}

/// What a run says in addition to its verdicts.
#[derive(Clone, Copy, Default)]
pub(super) struct Remarks<'s> {
    /// What the verdicts cover, in a sentence.
    pub(super) scope: Option<&'s str>,
    pub(super) skipped: &'s [Skipped],
    pub(super) errors: &'s [CommandError],
}

impl Judged<'_> {
    /// Whether the object is a Shoot.
    pub(super) fn is_shoot(&self) -> bool {
        self.document.kind() == "Shoot"
    }

    /// How many findings there are of that severity, without those that follow from others.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.unfolded().filter(|placed| placed.finding.severity == severity).count()
    }

    /// The findings that follow from no other one.
    pub(super) fn unfolded(&self) -> impl Iterator<Item = &PlacedFinding> {
        self.ruling.findings.iter().filter(|placed| self.cause(placed).is_none())
    }

    /// What follows from a finding, a line each.
    pub(super) fn followers(&self, cause: &PlacedFinding) -> Vec<String> {
        let follows = |placed: &&PlacedFinding| self.cause(placed).is_some_and(|of| std::ptr::eq(of, cause));
        let line = |placed: &PlacedFinding| {
            let rule = placed.finding.rule.as_deref().map(|rule| format!(" [{rule}]")).unwrap_or_default();
            format!("so also: {}{rule}", headline(&placed.finding, Some(self.document)))
        };
        let all = self.ruling.findings.iter().filter(follows).map(line);
        let mut lines: Vec<String> = all.collect();
        let more = lines.len().saturating_sub(MAX_FOLLOWERS);
        if more > 0 {
            lines.truncate(MAX_FOLLOWERS);
            lines.push(format!("and {}: `-o json` lists all", count(more, "further finding")));
        }
        lines
    }

    /// The finding that another one follows from.
    fn cause(&self, placed: &PlacedFinding) -> Option<&PlacedFinding> {
        let cause = placed.finding.caused_by.as_ref()?;
        let is_cause = |other: &&PlacedFinding| {
            other.finding.caused_by.is_none() && other.finding.as_cause().as_ref() == Some(cause)
        };
        self.ruling.findings.iter().find(is_cause)
    }

    /// Leaves findings to an object that this one names, if they are reported there.
    pub(super) fn leave_to(&mut self, named: &Identity, is_reported: impl Fn(&Finding) -> bool) {
        let findings = &mut self.ruling.findings;
        let before = findings.len();
        findings.retain(|placed| !is_reported(&placed.finding));
        if findings.len() < before {
            self.left_to = Some(named.clone());
        }
    }

    /// Takes the warnings out of what is printed, and says how many. The verdict stays.
    pub(super) fn hide_warnings(&mut self) -> usize {
        let hidden = self.count(Severity::Warning);
        self.ruling.findings.retain(|placed| placed.finding.severity == Severity::Error);
        self.ruling.truncated.retain(|severity| *severity == Severity::Error);
        hidden
    }

    /// The note that the object was judged as an update of itself, merged with its old version, or on its way to
    /// another version of Kubernetes.
    fn manner(&self) -> Option<String> {
        if let Some(upgrade) = &self.upgrade {
            let Upgrade { from, to, between, .. } = upgrade;
            let identity = self.document.identity();
            let from = if from.is_empty() { String::new() } else { format!(" from Kubernetes {from}") };
            let steps = match between.as_slice() {
                [] => String::new(),
                [only] => format!("; Gardener goes by {only} first"),
                [first, last] => {
                    format!("; Gardener goes by {first} and {last}, one minor version after the other")
                }
                [first, .., last] => {
                    format!("; Gardener goes by {first} to {last}, one minor version after the other")
                }
            };
            return Some(match upgrade.direction() {
                Ordering::Equal => format!("{identity} has Kubernetes {to} already: there is nothing to upgrade"),
                Ordering::Less => {
                    format!("{identity} was judged as a downgrade{from} to {to}, which Gardener refuses")
                }
                Ordering::Greater => format!("{identity} was judged as an upgrade{from} to {to}{steps}"),
            });
        }
        if self.is_applied {
            return Some(format!(
                "{} was judged as `kubectl apply` sends it: what it leaves out stays as it is stored; `--replace` judges it as it \
                 is",
                self.document.identity()
            ));
        }
        (self.operation == AdmissionOperation::UpdateOfItself).then(|| {
            format!(
                "{} exists already, and was judged as an update of itself; `--create` judges it as a new one",
                self.document.identity()
            )
        })
    }

    /// The note that there are more findings than are listed.
    fn truncation(&self) -> Option<String> {
        let of: Vec<String> = self.ruling.truncated.iter().map(|severity| format!("{severity}s")).collect();
        let identity = self.document.identity();
        (!of.is_empty()).then(|| {
            format!("{identity} has more {} than are listed; fix these, and validate again", of.join(" and "))
        })
    }
}

/// A number of things: `1 error`, `2 errors`.
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
