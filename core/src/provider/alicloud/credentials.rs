//! The account's access key in a Secret (ALI-SEC).

use crate::gardener::checks::spelling::{Spelling, follow};
use crate::gardener::types::secret::{Secret, Values};
use crate::report::{Report, Rule};

use super::rules::{advice, credentials as rules};

/// Key of the access key's id.
pub const ACCESS_KEY_ID: &str = "accessKeyID";
/// Key of the access key's secret.
pub const ACCESS_KEY_SECRET: &str = "accessKeySecret";

/// Judges the access key of a Secret. `place` says where a finding about a key, or about the whole data, points.
pub fn validate(
    secret: &Secret<'_>,
    values: &Values<'_>,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    let name = format!("{}/{}", secret.metadata.namespace, secret.metadata.name);
    let spelling = Spelling::of(values, &[ACCESS_KEY_ID, ACCESS_KEY_SECRET], &advice::ADV_020);
    spelling.warn(&place, report);
    let mut deny = |rule: &'static Rule, key: &str, detail: String| {
        follow(report.deny(rule, &place(Some(key)), detail), spelling.cause(key, &place).as_ref());
    };
    let field = |key| format!("field \"{key}\" in secret {name}");
    match values.get(ACCESS_KEY_ID) {
        None => {
            deny(&rules::SEC_001, ACCESS_KEY_ID, format!("missing \"{ACCESS_KEY_ID}\" field in secret {name}"));
        }
        Some(id) => {
            let field = field(ACCESS_KEY_ID);
            if id.len() < 16 {
                deny(&rules::SEC_002, ACCESS_KEY_ID, format!("{field} must have at least 16 characters"));
            }
            if id.len() > 128 {
                deny(&rules::SEC_003, ACCESS_KEY_ID, format!("{field} cannot be longer than 128 characters"));
            }
            if id.is_empty() || !id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._=".contains(byte)) {
                let detail = format!("{field} must only contain alphanumeric characters and [._=]");
                deny(&rules::SEC_004, ACCESS_KEY_ID, detail);
            }
        }
    }
    match values.get(ACCESS_KEY_SECRET) {
        None => {
            let detail = format!("missing \"{ACCESS_KEY_SECRET}\" field in secret {name}");
            deny(&rules::SEC_005, ACCESS_KEY_SECRET, detail);
        }
        Some(secret) => {
            let field = field(ACCESS_KEY_SECRET);
            if secret.len() < 30 {
                deny(&rules::SEC_006, ACCESS_KEY_SECRET, format!("{field} must have at least 30 characters"));
            }
            let is_newline = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
            if is_newline(secret.first()) || is_newline(secret.last()) {
                // The spelling is the existing extension's.
                let detail = format!("{field} must not contain leading or traling new lines");
                deny(&rules::SEC_007, ACCESS_KEY_SECRET, detail);
            }
        }
    }
}
