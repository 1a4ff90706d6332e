//! WorkloadIdentities (AZ-WI): as the object of a request, and behind a reference.

use crate::document::{Path, Value};
use crate::gardener::checks::credentials_fault::{CredentialsFault, refusal as reported};
use crate::gardener::checks::immutable::restored;
use crate::gardener::checks::workload_identity::{
    CONFIG, IdentityRules, read_for_dns, read_identity, read_referenced,
};
use crate::policy::Request;
use crate::provider::azure::api::WorkloadIdentityConfig;
use crate::provider::azure::credentials::is_guid;
use crate::provider::azure::rules::credentials as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::quote;

const RULES: IdentityRules =
    IdentityRules { present: &rules::WI_001, readable: &rules::WI_002, old: &rules::WI_002 };

/// Judges a WorkloadIdentity.
pub fn workload_identity<'r>(request: &Request<'r>, report: &mut Report<'_>) {
    let (new, before) = read_identity::<WorkloadIdentityConfig<'r>>(request, &RULES, report);
    let Some(new) = new else { return };
    if let Some((before, old)) = before.zip(request.old_object) {
        for &(key, is_same) in &[
            ("subscriptionID", new.subscription_id == before.subscription_id),
            ("tenantID", new.tenant_id == before.tenant_id),
        ] {
            if !is_same {
                restored(&rules::WI_020, &CONFIG.key(key), old, report);
            }
        }
    }
    report_faults(faults(&new), None, report);
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(_: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    if let Some(config) = read_referenced(identity, [&rules::CRED_012, &rules::CRED_013], place, report) {
        report_faults(faults(&config), Some(place), report);
    }
}

/// What the existing extension says of the WorkloadIdentity of a DNS provider; none where nothing is wrong.
pub fn refusal(identity: &Value<'_>) -> Option<String> {
    match read_for_dns(identity) {
        Err(refusal) => Some(refusal),
        Ok(config) => {
            let faults = reported(&faults(&config))?;
            Some(format!("validation of target system's configuration failed: {faults}"))
        }
    }
}

/// What is wrong with the ids of a configuration: first those that are missing, then those that are no GUID.
fn faults(config: &WorkloadIdentityConfig<'_>) -> Vec<CredentialsFault> {
    let ids = [
        ("clientID", config.client_id),
        ("tenantID", config.tenant_id),
        ("subscriptionID", config.subscription_id),
    ];
    let fault = |rule: &'static Rule, (key, id): (&str, &str), error_type, words: &str| {
        let detail = format!("{key} {words}");
        CredentialsFault::at(rule, Some(key), CONFIG.key(key).field(), error_type, detail).with_value(quote(id))
    };
    let missing = ids.iter().filter(|(_, id)| id.is_empty());
    let wrong = ids.iter().filter(|(_, id)| !is_guid(id));
    let missing = missing.map(|id| fault(&rules::WI_010, *id, ErrorType::Required, "is required"));
    missing
        .chain(wrong.map(|id| fault(&rules::WI_011, *id, ErrorType::Invalid, "should be a valid GUID")))
        .collect()
}

/// Reports what is wrong with a configuration, or with one behind a reference, which findings point at then.
fn report_faults(faults: Vec<CredentialsFault>, reference: Option<&str>, report: &mut Report<'_>) {
    for CredentialsFault { rule, key, field, error_type, detail, .. } in faults {
        let own = CONFIG.key(key.as_deref().unwrap_or_default()).pointer();
        report.error(rule, &Path::root(&field, reference.unwrap_or(&own)), error_type, detail);
    }
}
