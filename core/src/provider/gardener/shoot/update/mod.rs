//! What must not change in a Shoot (GDN-UPD).

mod control_plane;
mod dns;
mod in_place;
mod metadata;
mod networks;
mod node_local_dns;
mod pools;
mod spec;
mod version;

use super::Check;
use crate::document::Value;
use crate::provider::gardener::fields::flag;
use crate::report::Report;

/// A Shoot before and after an update.
struct Change<'c> {
    check: &'c Check<'c>,
    new: &'c Value<'c>,
    old: &'c Value<'c>,
}

/// Judges the update of the Shoot `old`.
pub fn judge(check: &Check<'_>, old: &Value<'_>, report: &mut Report<'_>) {
    let change = Change { check, new: check.shoot, old };
    metadata::judge(&change, report);
    spec::judge(&change, report);
    control_plane::judge(&change, report);
    node_local_dns::judge(&change, report);
    in_place::judge(&change, report);
}

impl<'c> Change<'c> {
    /// The values before and after the update at a path of keys.
    fn at(&self, path: &[&str]) -> (Option<&'c Value<'c>>, Option<&'c Value<'c>>) {
        (self.old.at(path), self.new.at(path))
    }

    /// What Gardener last said of the Shoot. An update of the specification keeps the status.
    fn status(&self) -> Option<&'c Value<'c>> {
        self.old.get("status").or(self.new.get("status"))
    }

    /// Whether somebody deletes the Shoot. Nobody can take that back.
    fn is_deleted(&self) -> bool {
        let (before, after) = self.at(&["metadata", "deletionTimestamp"]);
        before.or(after).is_some()
    }

    /// Whether the control plane is hibernated, or is to be.
    fn is_hibernated(&self) -> bool {
        let is_hibernated = self.status().and_then(|status| flag(status, &["hibernated"]));
        is_hibernated == Some(true) || flag(self.new, &["spec", "hibernation", "enabled"]) == Some(true)
    }
}
