//! WorkloadIdentities (AZ-WI): as the object of a request, and behind a reference.

use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::gardener::checks::workload_identity::{CONFIG, IdentityRules, read_identity, read_referenced};
use crate::policy::{Request, RequestError};
use crate::provider::azure::api::WorkloadIdentityConfig;
use crate::provider::azure::credentials::is_guid;
use crate::provider::azure::rules::credentials as rules;
use crate::report::{ErrorType, Report};

const RULES: IdentityRules =
    IdentityRules { present: &rules::WI_001, readable: &rules::WI_002, old: &rules::WI_002 };

/// Judges a WorkloadIdentity.
pub fn workload_identity<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let (new, before) = read_identity::<WorkloadIdentityConfig<'r>>(request, &RULES, report);
    let Some(new) = new else { return Ok(()) };
    if let Some((before, old)) = before.zip(request.old_object) {
        for (key, is_same) in [
            ("subscriptionID", new.subscription_id == before.subscription_id),
            ("tenantID", new.tenant_id == before.tenant_id),
        ] {
            if !is_same {
                restored(&rules::WI_020, &CONFIG.key(key), old, report);
            }
        }
    }
    ids(&new, |key| CONFIG.key(key).pointer(), report);
    Ok(())
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(_: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    if let Some(config) = read_referenced(identity, [&rules::CRED_012, &rules::CRED_013], place, report) {
        ids(&config, |_| place.to_owned(), report);
    }
}

/// Judges the ids of a configuration: first whether each is there, then whether it is a GUID.
fn ids(config: &WorkloadIdentityConfig<'_>, place: impl Fn(&str) -> String, report: &mut Report<'_>) {
    let ids = [
        ("clientID", config.client_id),
        ("tenantID", config.tenant_id),
        ("subscriptionID", config.subscription_id),
    ];
    for (key, _) in ids.iter().filter(|(_, id)| id.is_empty()) {
        let (field, pointer) = (CONFIG.key(key).field(), place(key));
        let path = Path::root(&field, &pointer);
        report.error(&rules::WI_010, &path, ErrorType::Required, format!("{key} is required"));
    }
    for (key, _) in ids.iter().filter(|(_, id)| !is_guid(id)) {
        let (field, pointer) = (CONFIG.key(key).field(), place(key));
        let path = Path::root(&field, &pointer);
        report.error(&rules::WI_011, &path, ErrorType::Invalid, format!("{key} should be a valid GUID"));
    }
}
