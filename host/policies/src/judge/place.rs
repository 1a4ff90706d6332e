//! Findings at their places in the text that a person wrote.

use crate::answer::{DefaultChange, Finding, PatchOperation, Severity};
use crate::manifest::Document;
use crate::source::Span;

/// A finding and where it is in the person's text.
#[derive(Debug)]
pub struct PlacedFinding {
    /// What is wrong.
    pub finding: Finding,
    /// What to underline.
    pub span: Span,
    /// The default that set the wrong value, where the person did not set it.
    pub set_by: Option<DefaultChange>,
    /// What policies assume in the place of what they cannot read; empty where they can read it.
    pub instead: Vec<PatchOperation>,
}

impl PlacedFinding {
    /// Says of a finding about a value that the manifest lacks that the stored object has it. No fix of the
    /// manifest is certain then.
    pub(super) fn of_stored(&mut self, manifest: &Document) {
        let finding = &mut self.finding;
        let goes =
            finding.fix.as_deref().is_some_and(|fix| fix.iter().any(|one| one.is_removal(&finding.pointer)));
        let is_value =
            finding.bad_value.as_ref().is_some_and(|value| value.get() != "null") || finding.at_key || goes;
        if is_value && self.set_by.is_none() && !manifest.root.locate(&finding.pointer).exact {
            finding.fix = None;
            finding.choices.clear();
            finding.remedy = format!(
                "The stored object has this at `{}`, and the manifest leaves it: write another value there, or `null` to remove it. {}",
                finding.pointer, finding.remedy
            );
        }
    }
}

/// Finds the place of a finding in the text of the object that it is about, and the default that set what is
/// wrong.
pub fn place(document: &Document, mut finding: Finding, changes: &[DefaultChange]) -> PlacedFinding {
    if document.is_secret() {
        // Policies leave out values of Secrets; this is for a policy that does not.
        finding.bad_value = None;
        finding.fix.take_if(|fix| fix.iter().any(|change| change.value.is_some()));
        finding.choices.clear();
        finding.supported.clear();
    }
    let location = document.root.locate(&finding.pointer);
    // Of a value that should be removed, the key says more than the value.
    let goes =
        finding.fix.as_deref().is_some_and(|fix| matches!(fix, [only] if only.is_removal(&finding.pointer)));
    let key = location.key.filter(|_| (goes || finding.at_key) && location.exact);
    let span = key.unwrap_or_else(|| location.highlight(&document.input));
    let set_by = changes
        .iter()
        .rev()
        .filter(|change| !change.overrules)
        .find(|change| is_within(&finding.pointer, &change.pointer))
        .cloned();
    // A finding does not show what it assumes.
    let mut instead = std::mem::take(&mut finding.assume);
    if finding.severity != Severity::Error || finding.is_guess() {
        instead.clear();
    }
    PlacedFinding { finding, span, set_by, instead }
}

/// Whether a pointer leads to another, or below it.
pub(super) fn is_within(pointer: &str, ancestor: &str) -> bool {
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
