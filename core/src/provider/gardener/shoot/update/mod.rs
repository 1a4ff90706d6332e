//! What must not change in a Shoot (GDN-UPD).

mod control_plane;
mod control_plane_zones;
mod dns;
mod encryption;
mod force_deletion;
mod hibernation;
mod in_place;
mod metadata;
mod networks;
mod node_local_dns;
mod pools;
mod spec;
mod version;

use super::Check;
use crate::document::Value;
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
    encryption::judge(&change, report);
    control_plane::judge(&change, report);
    hibernation::judge(&change, report);
    force_deletion::judge(&change, report);
    node_local_dns::judge(&change, report);
    in_place::judge(&change, report);
}

/// Judges what an update changes in the metadata.
pub fn metadata(check: &Check<'_>, old: &Value<'_>, report: &mut Report<'_>) {
    metadata::judge(&Change { check, new: check.shoot, old }, report);
}

impl<'c> Change<'c> {
    /// The values before and after the update at a path of keys.
    fn at(&self, path: &[&str]) -> (Option<&'c Value<'c>>, Option<&'c Value<'c>>) {
        (self.old.at(path), self.new.at(path))
    }
}
