//! What a run comes to, in numbers for people.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::table::aligned;
use super::{Judged, Remarks, clean, count};
use trellis_policies::answer::{Severity, Verdict};

/// Most rules that are listed with their numbers.
const MAX_RULES: usize = 10;
/// Most objects of which the last line says what is not decided.
const MAX_OPEN: usize = 5;

/// A run, to be summed up.
pub(crate) struct Summary<'s> {
    pub(crate) judged: &'s [Judged<'s>],
    pub(crate) remarks: Remarks<'s>,
    /// How many files were to be read.
    pub(crate) files: usize,
    /// Warnings that the person asked to leave out.
    pub(crate) hidden_warnings: usize,
}

impl Summary<'_> {
    /// How many findings there are; of several files, also how many objects had which verdict, and the rules of
    /// the findings.
    pub(crate) fn text(&self) -> String {
        if self.files > 1 { self.verdicts() + &self.findings() + &self.rules() } else { self.findings() }
    }

    /// The rules with the most findings, as a table; nothing where there is no finding.
    fn rules(&self) -> String {
        let mut numbers: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for placed in self.judged.iter().flat_map(Judged::unfolded) {
            let rule = placed.finding.rule.as_deref().unwrap_or("(no default can be set)");
            let severity = match placed.finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            *numbers.entry((rule, severity)).or_default() += 1;
        }
        if numbers.is_empty() {
            return String::new();
        }
        let mut numbers: Vec<_> = numbers.into_iter().collect();
        numbers.sort_by_key(|(_, number)| Reverse(*number));
        let further = numbers.len().saturating_sub(MAX_RULES);
        let row = |((rule, severity), number): ((&str, &str), usize)| {
            [clean(rule), severity.to_owned(), number.to_string()]
        };
        let title = ["RULE", "SEVERITY", "FINDINGS"].map(str::to_owned);
        let rows: Vec<_> = std::iter::once(title).chain(numbers.into_iter().take(MAX_RULES).map(row)).collect();
        let rest = if further > 0 { format!("and {}\n", count(further, "further rule")) } else { String::new() };
        format!("\n{}{rest}\n", aligned(&rows, 2))
    }

    /// How many objects had which verdict: `3 files: 2 documents accepted, 1 rejected`.
    fn verdicts(&self) -> String {
        let of = |verdict| self.judged.iter().filter(|one| one.ruling.verdict == verdict).count();
        let numbers = [
            (of(Verdict::Accept), "accepted"),
            (of(Verdict::Reject), "rejected"),
            (of(Verdict::Undecided), "undecided"),
            (self.remarks.errors.iter().filter(|error| !error.is_of_file()).count(), "could not be judged"),
            (self.remarks.skipped.len(), "skipped"),
        ];
        let there = numbers.into_iter().filter(|(number, _)| *number > 0);
        let parts = there.enumerate().map(|(at, (number, end))| {
            if at == 0 { format!("{} {end}", count(number, "document")) } else { format!("{number} {end}") }
        });
        format!("{}: {}\n", count(self.files, "file"), parts.collect::<Vec<_>>().join(", "))
    }

    /// How many findings there are: `2 documents: 4 errors, 1 warning`.
    fn findings(&self) -> String {
        let sum = |severity| self.judged.iter().map(|one| one.count(severity)).sum::<usize>();
        let (errors, warnings) = (sum(Severity::Error), sum(Severity::Warning));
        let undecided: usize = self.judged.iter().map(|one| one.ruling.undecided.len()).sum();
        let is_rejected_for_others = |one: &&Judged<'_>| {
            one.left_to.is_some() && one.ruling.verdict == Verdict::Reject && one.count(Severity::Error) == 0
        };
        let rejected = self.judged.iter().filter(is_rejected_for_others).count();
        let mut parts = vec![match (errors, rejected) {
            (0, 0) => "no errors".to_owned(),
            (0, rejected) => format!("{rejected} rejected because of other objects"),
            (errors, _) => count(errors, "error"),
        }];
        if errors > 0 && rejected > 0 {
            parts.push(format!("{rejected} rejected because of other objects"));
        }
        if warnings > 0 {
            parts.push(count(warnings, "warning"));
        }
        if self.hidden_warnings > 0 {
            parts.push(format!("{} not shown", count(self.hidden_warnings, "warning")));
        }
        if undecided > 0 {
            parts.push(format!("{undecided} undecided"));
        }
        let unread = self.remarks.errors.iter().filter(|error| error.is_of_file()).count();
        let failed = self.remarks.errors.len() - unread;
        if failed > 0 {
            parts.push(format!("{failed} could not be judged"));
        }
        if unread > 0 {
            parts.push(format!("{} could not be read", count(unread, "file")));
        }
        let folded: usize = self.judged.iter().map(|one| one.ruling.findings.len() - one.unfolded().count()).sum();
        let below = match folded {
            0 => String::new(),
            _ => format!("{} below the one that it follows from\n", count(folded, "further finding")),
        };
        format!("{}: {}\n{below}", count(self.judged.len() + failed, "document"), parts.join(", "))
    }
}

/// What nobody could decide, in a sentence; none where everything is decided.
pub(crate) fn not_decided(judged: &[Judged<'_>]) -> Option<String> {
    let open: Vec<String> = judged
        .iter()
        .filter(|one| !one.ruling.undecided.is_empty())
        .map(|one| {
            let mut rules: Vec<&str> = Vec::new();
            for open in &one.ruling.undecided {
                if !rules.contains(&open.rule.as_str()) {
                    rules.push(&open.rule);
                }
            }
            format!("{} of {}", rules.join(", "), one.document.identity())
        })
        .collect();
    let shown: Vec<&str> = open.iter().take(MAX_OPEN).map(String::as_str).collect();
    let more = open.len() - shown.len();
    let more = if more > 0 { format!("; and of {}", count(more, "further object")) } else { String::new() };
    (!open.is_empty()).then(|| clean(&format!("Not decided: {}{more}.", shown.join("; "))) + "\n")
}
