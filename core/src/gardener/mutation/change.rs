//! An object that a webhook is changing.

use crate::call::Known;
use crate::document::Value;
use crate::policy::{ClusterObjects, MutateRequest, Mutated, RequestError};
use crate::report::{Report, Rule};

use super::named;

/// An object that is being changed, and what is found on the way. It has no `Debug`, so that no message can show a
/// Secret.
pub struct Change<'c, 'r> {
    /// The request.
    pub request: &'c MutateRequest<'r>,
    /// The object as it is by now.
    pub mutated: Mutated<'r>,
    /// What is wrong, and what has to be known before.
    pub report: Report<'c>,
}

impl<'r> Change<'_, 'r> {
    /// Refuses the object, and says what to do.
    pub fn refuse(&mut self, rule: &'static Rule, pointer: &str, detail: String, remedy: &'static str) {
        let _ = self.report.deny(rule, pointer, detail).remedy(remedy);
    }

    /// The objects of the Cluster. None where a query has to be answered before, or where an error says what is
    /// wrong: `failure` words it.
    pub fn cluster(
        &mut self,
        rule: &'static Rule,
        failure: impl FnOnce(String) -> String,
    ) -> Option<ClusterObjects<'r>> {
        match self.request.cluster() {
            Known::Found(cluster) => Some(cluster),
            Known::Failed(message) => {
                let remedy = "Let the host read the Cluster that is named as the namespace of the object.";
                self.refuse(rule, "/metadata/namespace", failure(message), remedy);
                None
            }
            Known::Unknown(query) => {
                let why = "nobody has looked up the Cluster that the object belongs to";
                self.report.undecided(rule, why, Some(query));
                None
            }
        }
    }

    /// Puts an entry in the place of the first one of its name, else at the end of its list; `key` is the member that
    /// holds names.
    pub fn ensure_entry(
        &mut self,
        rule: &'static Rule,
        list: &[&'static str],
        (key, name): (&str, &str),
        entry: Value<'r>,
        reason: &'static str,
    ) -> Result<(), RequestError> {
        let entries = self.request.object.at(list).map(Value::items).unwrap_or_default();
        match named(entries, key, name) {
            None => self.mutated.append(rule, list, entry, reason),
            Some((_, known)) if known.canonical(true) == entry.canonical(true) => Ok(()),
            Some((index, _)) => self.mutated.replace(rule, format!("/{}/{index}", list.join("/")), entry, reason),
        }
    }
}
