//! WorkloadIdentities: the role that Gardener assumes (AWS-WID), and those behind a reference.

use crate::document::{Path, Value};
use crate::gardener::checks::workload_identity::{
    CONFIG, IdentityRules, read_for_dns, read_identity, read_referenced,
};
use crate::policy::Request;
use crate::provider::aws::api::WorkloadIdentityConfig;
use crate::provider::aws::credentials::ROLE_ARN;
use crate::provider::aws::rules::credentials as rules;
use crate::report::Report;
use crate::text::{Fault, quote};

const RULES: IdentityRules =
    IdentityRules { present: &rules::WID_001, readable: &rules::WID_002, old: &rules::WID_003 };

const ROLE: Path<'_> = CONFIG.key("roleARN");

/// Judges a WorkloadIdentity.
pub fn workload_identity<'r>(request: &Request<'r>, report: &mut Report<'_>) {
    let (new, _) = read_identity::<WorkloadIdentityConfig<'r>>(request, &RULES, report);
    if let Some(new) = new {
        report.text(&rules::WID_004, &ROLE, new.role_arn, &ROLE_ARN);
    }
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(_: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    let config: Option<WorkloadIdentityConfig<'_>> =
        read_referenced(identity, [&rules::CRED_006; 2], place, report);
    if let Some(config) = config {
        report.text(&rules::WID_004, &Path::root(&ROLE.field(), place), config.role_arn, &ROLE_ARN);
    }
}

/// What is wrong with a WorkloadIdentity that a Shoot's DNS provider refers to, as one text; none where nothing is
/// wrong.
pub fn refusal(identity: &Value<'_>) -> Option<String> {
    let role_arn = match read_for_dns(identity) {
        Err(refusal) => return Some(refusal),
        Ok(WorkloadIdentityConfig { role_arn, .. }) => role_arn,
    };
    let Fault { is_missing, detail } = ROLE_ARN.faults(role_arn).into_iter().next()?;
    let value =
        if is_missing { "Required value".to_owned() } else { format!("Invalid value: {}", quote(role_arn)) };
    let field = ROLE.field();
    Some(format!("validation of target system's configuration failed: {field}: {value}: {detail}"))
}
