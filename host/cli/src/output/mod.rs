//! The formats in which results are printed.

#[cfg(feature = "cluster")]
mod cause;
pub(super) mod documents;
mod error;
pub(super) mod github;
mod home;
pub(super) mod human;
pub(super) mod sarif;
mod scope;
mod skipped;
mod summary;
mod table;
mod unified;

use super::Trouble;
use trellis_policies::answer::Severity;
use trellis_policies::headline::{headline, nearest, shortened};
use trellis_policies::judge::{AdmissionOperation, Ruling};
use trellis_policies::manifest::Document;

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

/// An object and what the policies say.
pub(super) struct Judged<'s> {
    pub(super) document: &'s Document,
    /// The provider type that the object names; `gardener` where it names none.
    pub(super) provider: String,
    pub(super) operation: AdmissionOperation,
    /// Whether it was judged as `kubectl apply` sends it.
    pub(super) is_applied: bool,
    pub(super) ruling: Ruling,
}

/// What a run says beside its verdicts.
#[derive(Clone, Copy, Default)]
pub(super) struct Remarks<'s> {
    /// What the verdicts cover, in a sentence.
    pub(super) scope: Option<&'s str>,
    pub(super) skipped: &'s [Skipped],
    pub(super) troubles: &'s [Trouble],
}

impl Judged<'_> {
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.ruling.findings.iter().filter(|placed| placed.finding.severity == severity).count()
    }

    /// Takes the warnings out of what is printed, and says how many. The verdict stays.
    pub(super) fn hide_warnings(&mut self) -> usize {
        let hidden = self.count(Severity::Warning);
        self.ruling.findings.retain(|placed| placed.finding.severity == Severity::Error);
        self.ruling.truncated.retain(|severity| *severity == Severity::Error);
        hidden
    }

    /// The note that the object was judged as an update of itself, or merged with its old version.
    fn manner(&self) -> Option<String> {
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
            format!("{identity} has more {} than are listed; mend these, and validate again", of.join(" and "))
        })
    }
}

/// A number of things: `1 error`, `2 errors`.
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
