//! The API token and the project in a Secret (EQX-SEC).

use super::rules::{advice, credentials as rules};
use crate::document::Path;
use crate::gardener::checks::spelling::{Spelling, follow};
use crate::gardener::types::secret::{Secret, Values};
use crate::report::{Report, Rule};

const API_TOKEN: &str = "apiToken";
const PROJECT_ID: &str = "projectID";

/// Judges a Secret. `place` says where a finding about a key points.
pub fn validate(
    secret: &Secret<'_>,
    values: &Values<'_>,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    let spelling = Spelling::of(values, &[API_TOKEN, PROJECT_ID], &advice::ADV_011);
    spelling.warn(&place, report);
    let mut warn = |rule: &'static Rule, key: Option<&str>, detail: &str| {
        let cause = key.and_then(|key| spelling.cause(key, &place));
        follow(report.warn(rule, &Path::root("", &place(key)), detail), cause.as_ref());
    };
    if secret.data.is_empty() && secret.string_data.is_empty() {
        warn(&rules::SEC_001, None, "secret does not contain any data");
        return;
    }
    match values.get(API_TOKEN) {
        None => warn(&rules::SEC_002, Some(API_TOKEN), "missing \"apiToken\" field in secret"),
        Some(token) if is_blank(token) => {
            warn(&rules::SEC_004, Some(API_TOKEN), "equinix metal api token required");
        }
        Some(_) => {}
    }
    match values.get(PROJECT_ID) {
        None => warn(&rules::SEC_003, Some(PROJECT_ID), "missing \"projectID\" field in secret"),
        Some(project) if is_blank(project) => warn(&advice::ADV_010, Some(PROJECT_ID), "projectID is blank"),
        Some(_) => {}
    }
}

fn is_blank(value: &[u8]) -> bool {
    std::str::from_utf8(value).is_ok_and(|text| text.trim().is_empty())
}
