//! What must not change in the DNS of a Shoot (GDN-UPD-015 to 019).

use super::Change;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::provider::gardener::fields::{flag, items};
use crate::provider::gardener::rules::update as rules;
use crate::report::{ErrorType, Report};

const DNS: Path<'_> = Path::root("spec.dns", "/spec/dns");

/// Judges the change of the DNS.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let (Some(old), new) = change.at(&["spec", "dns"]) else { return };
    let Some(new) = new else {
        restored(&rules::GDN_UPD_015, &DNS, change.old, report);
        return;
    };
    let domain = old.get("domain");
    if domain.is_some() && domain != new.get("domain") {
        restored(&rules::GDN_UPD_016, &DNS.key("domain"), change.old, report);
    }
    let (Some(before), after) = (primary(old), primary(new)) else { return };
    // Providers are settled once the Shoot has a seed.
    if change.new.at(&["spec", "seedName"]).is_none() {
        return;
    }
    let fault = match (after, before.get("type"), after.and_then(|after| after.get("type"))) {
        (None, _, _) => Some((&rules::GDN_UPD_017, "removing a primary provider is not allowed")),
        (_, Some(_), None) => Some((&rules::GDN_UPD_018, "removing the primary provider type is not allowed")),
        (_, Some(before), Some(after)) if before != after => {
            Some((&rules::GDN_UPD_019, "changing primary provider type is not allowed"))
        }
        _ => None,
    };
    if let Some((rule, detail)) = fault {
        report.error(rule, &DNS.key("providers"), ErrorType::Forbidden, detail);
    }
}

fn primary<'v>(dns: &'v Value<'v>) -> Option<&'v Value<'v>> {
    items(dns, &["providers"]).iter().find(|provider| flag(provider, &["primary"]) == Some(true))
}
