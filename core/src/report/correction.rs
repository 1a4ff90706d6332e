//! How to go on where a person wrote what a policy cannot read.

use std::borrow::Cow;

use super::Reported;
use crate::document::PatchOperation;

/// What to say of a part of the object that cannot be read, and from which changed object judging goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Correction {
    /// Whether the key is wrong and not the value.
    pub at_key: bool,
    /// What is wrong, in a phrase; empty where the detail says it.
    pub summary: Cow<'static, str>,
    /// What a person can do; none for the words of the rule.
    pub remedy: Option<Cow<'static, str>>,
    /// The changes after which the object can be read, where they are certain.
    pub fix: Option<Vec<PatchOperation>>,
    /// The changes from which judging goes on.
    pub assume: Vec<PatchOperation>,
}

impl Correction {
    /// Says all this in a finding.
    pub fn write_into(self, entry: Reported<'_>) {
        let entry = entry.summary(self.summary).assume(self.assume);
        let entry = if self.at_key { entry.at_key() } else { entry };
        let entry = match self.remedy {
            Some(remedy) => entry.remedy(remedy),
            None => entry,
        };
        if let Some(fix) = self.fix {
            entry.fix(fix);
        }
    }
}
