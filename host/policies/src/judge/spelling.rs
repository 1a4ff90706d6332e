//! Names that misspelt keys most likely mean. In an object with its defaults, the right key may be there because
//! of a default, and then no policy takes the other one for it.

use crate::answer::{Finding, PatchOperation, Validation};

/// Whether there are keys that a policy does not take for others.
pub(super) fn is_open(validation: &Validation) -> bool {
    validation.findings.iter().any(is_unnamed)
}

/// Takes what a policy says of such keys in the object as a person wrote it.
pub(super) fn take(validation: &mut Validation, written: &Validation) {
    for finding in validation.findings.iter_mut().filter(|finding| is_unnamed(finding)) {
        let is_same =
            |other: &&Finding| other.at_key && (&other.rule, &other.pointer) == (&finding.rule, &finding.pointer);
        let Some(named) = written.findings.iter().find(is_same).filter(|other| !is_unnamed(other)) else {
            continue;
        };
        finding.remedy.clone_from(&named.remedy);
        finding.summary.clone_from(&named.summary);
        finding.fix.clone_from(&named.fix);
        finding.assume.clone_from(&named.assume);
    }
}

fn is_unnamed(finding: &Finding) -> bool {
    let is_rename = |fix: &Vec<PatchOperation>| fix.iter().any(|change| change.from.is_some());
    finding.at_key && !finding.fix.as_ref().is_some_and(is_rename)
}
