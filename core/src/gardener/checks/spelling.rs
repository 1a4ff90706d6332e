//! Keys of Secrets that most likely are others, misspelt.

use crate::document::{PatchOperation, Path};
use crate::gardener::types::secret::{SECRET_DATA, Values};
use crate::report::{Cause, Report, Reported, Rule};
use crate::text::nearest::{is_certain, nearest};
use crate::text::quote;

/// The misspelt keys of a Secret.
pub struct Spelling<'s> {
    /// The rule whose findings report unknown keys.
    rule: &'static Rule,
    misspelt: Vec<Misspelt<'s>>,
}

/// A key that nobody knows.
struct Misspelt<'s> {
    key: &'s str,
    /// The known key that is nearest, and that the Secret lacks.
    meant: &'static str,
    /// Whether no other key can be meant.
    is_certain: bool,
}

impl<'s> Spelling<'s> {
    /// Finds the misspelt keys. `rule` reports unknown keys.
    pub fn of(values: &Values<'s>, known: &[&'static str], rule: &'static Rule) -> Self {
        let mut misspelt: Vec<Misspelt<'_>> = Vec::new();
        for key in values.keys().filter(|key| !known.contains(key)) {
            let is_meant = |name: &str| misspelt.iter().any(|other| other.meant == name);
            let free: Vec<&'static str> =
                known.iter().copied().filter(|name| values.get(name).is_none() && !is_meant(name)).collect();
            if let Some(meant) = nearest(key, free.iter().copied()) {
                misspelt.push(Misspelt { key, meant, is_certain: is_certain(key, meant, known.iter().copied()) });
            }
        }
        Self { rule, misspelt }
    }

    /// Says in a finding about an unknown key which one is meant. `place` says where a finding about a key, or
    /// about the whole data, points: to the same place where the object of the request only refers to the Secret.
    pub fn suggest(&self, key: &str, place: impl Fn(Option<&str>) -> String, entry: Reported<'_>) {
        let Some(misspelt) = self.misspelt.iter().find(|misspelt| misspelt.key == key) else { return };
        let entry = entry.remedy(["Did you mean `", misspelt.meant, "`?"].concat());
        let pointer = place(Some(key));
        if pointer != place(None) {
            let entry = entry.at_key();
            if misspelt.is_certain {
                entry.fix(vec![PatchOperation::rename(pointer, misspelt.meant)]);
            }
        }
    }

    /// The finding that the lack of a key follows from.
    pub fn cause(&self, lacking: &str, place: impl Fn(Option<&str>) -> String) -> Option<Cause> {
        let misspelt = self.misspelt.iter().find(|misspelt| misspelt.meant == lacking)?;
        Some(Cause { rule: self.rule.id, pointer: place(Some(misspelt.key)) })
    }

    /// Warns of the misspelt keys, for a cloud whose existing extension says nothing of unknown keys.
    pub fn warn(&self, place: impl Fn(Option<&str>) -> String, report: &mut Report<'_>) {
        for Misspelt { key, .. } in &self.misspelt {
            let (field, pointer) = (SECRET_DATA.entry(key).field(), place(Some(key)));
            let detail = ["nobody reads the key ", &quote(key)].concat();
            let entry = report.warn(self.rule, &Path::root(&field, &pointer), detail).hide_value();
            self.suggest(key, &place, entry);
        }
    }
}

/// Says that a finding follows from another one, where there is such a one.
pub fn follow<'r>(entry: Reported<'r>, cause: Option<&Cause>) -> Reported<'r> {
    match cause {
        Some(cause) => entry.caused_by(cause),
        None => entry,
    }
}
