//! Whom the monitoring of a Shoot alerts (GDN-MON).

use super::Check;
use crate::collections::NameSet;
use crate::document::Path;
use crate::provider::gardener::fields::items;
use crate::provider::gardener::rules::maintenance as rules;
use crate::report::{ErrorType, Report};

const RECEIVERS: Path<'_> =
    Path::root("spec.monitoring.alerting.emailReceivers", "/spec/monitoring/alerting/emailReceivers");

/// Judges the monitoring.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::default();
    let receivers = items(check.shoot, &["spec", "monitoring", "alerting", "emailReceivers"]);
    for (index, address) in receivers.iter().enumerate() {
        let (address, path) = (address.as_str().unwrap_or_default(), RECEIVERS.index(index));
        if !is_address(address) {
            report.error(&rules::GDN_MON_001, &path, ErrorType::Invalid, "must provide a valid email");
        }
        if !seen.insert(address) {
            report.error(&rules::GDN_MON_002, &path, ErrorType::Duplicate, "").fix_removal_from(receivers);
        }
    }
}

/// Whether a text is something before an `@`, and a domain of two labels at least behind it; the last label has
/// two letters at least, and nothing else.
fn is_address(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let Some((before, last)) = domain.rsplit_once('.') else { return false };
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    !name.is_empty()
        && before.split('.').all(is_label)
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_name_and_a_domain() {
        for (text, wanted) in [
            ("ops@example.com", true),
            ("a b@c-d.E1.io", true),
            ("ä@-.xy", true),
            ("a@b", false),
            ("a@b.c", false),
            ("@b.cd", false),
            ("a@@b.cd", false),
            ("a@b..cd", false),
            ("a@.cd", false),
            ("a@b.c1", false),
            ("a@b_c.de", false),
            ("a@b.cd\n", false),
            ("", false),
        ] {
            assert_eq!(is_address(text), wanted, "{text}");
        }
    }
}
