//! Advice on Secrets.

use crate::document::Path;
use crate::gardener::types::secret::Values;
use crate::provider::alicloud::credentials::ACCESS_KEY_SECRET;
use crate::provider::alicloud::rules::advice as rules;
use crate::report::Report;

/// Looks at a Secret.
pub fn secret(values: &Values<'_>, place: impl Fn(Option<&str>) -> String, report: &mut Report<'_>) {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    if let Some(secret) = values.get(ACCESS_KEY_SECRET)
        && (is_blank(secret.first()) || is_blank(secret.last()))
    {
        let path = place(Some(ACCESS_KEY_SECRET));
        report.warn(&rules::ADV_019, &Path::root("", &path), "accessKeySecret begins or ends with a blank");
    }
}
