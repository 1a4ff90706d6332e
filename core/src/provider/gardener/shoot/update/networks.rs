//! What must not change in the networks (GDN-UPD-061 to 064).

use super::Change;
use crate::document::Value;
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::NETWORKING;
use crate::provider::gardener::fields::texts;
use crate::provider::gardener::rules::update as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges the change of the networks.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    for (rule, key) in
        [(&rules::GDN_UPD_061, "type"), (&rules::GDN_UPD_062, "pods"), (&rules::GDN_UPD_063, "services")]
    {
        let (before, after) = change.at(&["spec", "networking", key]);
        let is_chosen_later = key != "type" && before.is_none();
        if is_chosen_later && after.is_some() && change.check.is_update_of_manifest() {
            let why = "the old manifest leaves the range to Gardener, and nobody knows here whether Gardener chose another one";
            report.undecided(rule, why, None);
        } else if before != after && !is_chosen_later {
            restored(rule, &NETWORKING.key(key), change.old, report);
        }
    }
    let (before, after) = change.at(&["spec", "networking", "ipFamilies"]);
    let families = |list: Option<&Value<'_>>| {
        let families: Vec<&str> = texts(list.map(Value::items).unwrap_or_default()).collect();
        join(&families, " ")
    };
    let (before, after) = (families(before), families(after));
    let is_allowed = matches!((&*before, &*after), ("IPv4", "IPv4 IPv6") | ("IPv4 IPv6", "IPv4"));
    if before != after && !is_allowed {
        let parts = ["unsupported IP family update: oldIPFamilies=[", &before, "], newIPFamilies=[", &after, "]"];
        let path = NETWORKING.key("ipFamilies");
        report.error(&rules::GDN_UPD_064, &path, ErrorType::Forbidden, join(&parts, ""));
    }
}
