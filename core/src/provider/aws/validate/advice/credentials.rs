//! Advice on access keys in Secrets.

use crate::document::Path;
use crate::gardener::types::secret::SECRET_DATA;
use crate::gardener::types::secret::Values;
use crate::provider::aws::credentials::{ACCESS_KEY_ID, KEYS};
use crate::provider::aws::rules::profile_advice as rules;
use crate::report::Report;

/// The beginning of the id of an access key that the Security Token Service gave out. It works with a session
/// token only.
const TEMPORARY: &[u8] = b"ASIA";

/// Looks at a Secret. `place` says where a finding about a key points.
pub fn secret(values: &Values<'_>, place: impl Fn(Option<&str>) -> String, report: &mut Report<'_>) {
    let key = ACCESS_KEY_ID.in_secret(values);
    if values.get(key).is_some_and(|id| id.starts_with(TEMPORARY)) {
        let field = SECRET_DATA.entry(key).field();
        let detail = "is the id of a temporary access key, which works with a session token only";
        report.warn(&rules::ADV_033, &Path::root(&field, &place(Some(key))), detail).hide_value();
    }
}

/// Looks at the Secret behind a binding, which Shoots use; findings point at the reference.
pub fn behind_binding(values: &Values<'_>, place: &str, report: &mut Report<'_>) {
    secret(values, |_| place.to_owned(), report);
    for key in KEYS.iter().filter(|key| values.get(key.alias).is_some()) {
        let field = SECRET_DATA.entry(key.alias).field();
        let detail = format!("is a key for DNS; Shoots read \"{}\"", key.name);
        report.warn(&rules::ADV_034, &Path::root(&field, place), detail).hide_value();
    }
}
