//! Advice on Secrets with the values to log in to Azure.

use crate::document::Path;
use crate::gardener::checks::spelling::{Spelling, follow};
use crate::gardener::types::secret::SECRET_DATA;
use crate::gardener::types::secret::Values;
use crate::provider::azure::credentials::{CLIENT_ID, CLIENT_SECRET};
use crate::provider::azure::rules::profile_advice as rules;
use crate::report::Report;

/// Looks at the values of a Secret; findings point at `whole`, and those about a misspelt key at its `place`.
pub fn secret(
    values: &Values<'_>,
    spelling: &Spelling<'_>,
    whole: &str,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    for &key in &[CLIENT_ID.name, CLIENT_SECRET.name] {
        if values.get(key).unwrap_or_default().is_empty() {
            let field = SECRET_DATA.entry(key).field();
            let detail = format!("without \"{key}\" Gardener cannot log in to Azure");
            let entry = report.warn(&rules::ADV_034, &Path::root(&field, whole), detail).hide_value();
            follow(entry, spelling.cause(key, &place).as_ref());
        }
    }
}
