//! Advice on Secrets.

use crate::document::Path;
use crate::gardener::types::secret::{Secret, Values};
use crate::provider::openstack::credentials::{AUTH_URL, INSECURE, is_true};
use crate::provider::openstack::rules::advice as rules;
use crate::report::Report;
use crate::text::Url;

/// Looks at a Secret.
pub fn secret(secret: &Secret<'_>, values: &Values<'_>, report: &mut Report<'_>) {
    let path = Path::root("secret.data", "/data");
    if values.get(INSECURE.name).is_some_and(is_true) {
        let pointer = secret.pointer(INSECURE.name);
        let field = path.entry(INSECURE.name).field();
        report.warn(&rules::ADV_011, &Path::root(&field, &pointer), "clients trust every certificate");
    }
    let url = values.get(AUTH_URL.name).and_then(|value| std::str::from_utf8(value).ok()).and_then(Url::parse);
    if url.is_some_and(|url| url.scheme == "http") {
        let pointer = secret.pointer(AUTH_URL.name);
        let field = path.entry(AUTH_URL.name).field();
        report.warn(&rules::ADV_012, &Path::root(&field, &pointer), "clients send credentials in clear text");
    }
}
