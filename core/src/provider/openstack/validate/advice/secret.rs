//! Advice on Secrets.

use crate::document::Path;
use crate::gardener::types::secret::{Secret, Values};
use crate::provider::openstack::credentials::{APPLICATION_SECRET, AUTH_URL, INSECURE, flag};
use crate::provider::openstack::rules::advice as rules;
use crate::report::{Report, Rule};
use crate::text::Url;

/// Looks at a Secret.
pub fn secret(secret: &Secret<'_>, values: &Values<'_>, report: &mut Report<'_>) {
    let mut warn = |rule: &'static Rule, key: &str, detail| {
        let field = format!("secret.data[{key}]");
        report.warn(rule, &Path::root(&field, &secret.pointer(key)), detail);
    };
    if values.get(INSECURE.name).and_then(flag) == Some(true) {
        warn(&rules::ADV_011, INSECURE.name, "clients trust every certificate");
    }
    let url = values.get(AUTH_URL.name).and_then(|value| std::str::from_utf8(value).ok()).and_then(Url::parse);
    if url.is_some_and(|url| url.scheme == "http") {
        warn(&rules::ADV_012, AUTH_URL.name, "clients send the credentials in clear text");
    }
    if values.get(APPLICATION_SECRET.name).is_some_and(|secret| !secret.is_empty()) {
        let why = "only Keystone knows whether the application credential expires; `openstack application credential show` \
                   shows it as `expires_at`";
        report.undecided(&rules::ADV_009, why, None);
    }
}
