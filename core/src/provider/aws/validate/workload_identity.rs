//! WorkloadIdentities: the role that Gardener assumes (AWS-WID), and those behind a reference.

use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::provider_config::Config;
use crate::policy::Request;
use crate::provider::aws::api::WorkloadIdentityConfig;
use crate::provider::aws::credentials::ROLE_ARN;
use crate::provider::aws::rules::credentials as rules;
use crate::report::{ErrorType, Report};
use crate::text::{Fault, quote};

const CONFIG: Path<'_> = Path::root("spec.targetSystem.providerConfig", "/spec/targetSystem/providerConfig");
const ROLE: Path<'_> = CONFIG.key("roleARN");

/// Why nobody can tell the role of an old WorkloadIdentity that has no configuration.
const EMPTY: &str = "cannot parse WorkloadIdentityConfig from empty RawExtension";

/// Judges a WorkloadIdentity.
pub fn workload_identity(request: &Request<'_>, report: &mut Report<'_>) {
    let Some(new) = config(request.object) else {
        let detail = "the new target system is missing configuration";
        report.deny(&rules::WID_001, "/spec/targetSystem", detail).hides_others();
        return;
    };
    let place = Path::root("", "/spec/targetSystem/providerConfig");
    let new = WorkloadIdentityConfig::read_wholly(new, Mode::Strict, &place, report, |error| {
        let detail = format!("cannot decode the new target system's configuration: {error}");
        (&rules::WID_002, ErrorType::Denied, detail)
    });
    if let Some(old) = request.old_object {
        let problem = match config(old).map(|old| WorkloadIdentityConfig::read(old, Mode::Strict)) {
            Some(Ok(_)) => None,
            Some(Err(error)) => Some(error.to_string()),
            None => Some(EMPTY.to_owned()),
        };
        if let Some(problem) = problem {
            let detail = format!("cannot decode the old target system's configuration: {problem}");
            report.deny(&rules::WID_003, &CONFIG.pointer(), detail).hides_others();
        }
    }
    if let Some(new) = new {
        report.text(&rules::WID_004, &ROLE, new.role_arn, &ROLE_ARN);
    }
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(_: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    let (rule, field) = (&rules::CRED_006, ROLE.field());
    match config(identity).map(|config| WorkloadIdentityConfig::read(config, Mode::Strict)) {
        None => {
            report.deny(rule, place, "the target system is missing configuration");
        }
        Some(Err(error)) => {
            report.deny(rule, place, format!("target system's configuration is not valid: {error}"));
        }
        Some(Ok(config)) => {
            let path = Path::root(&field, place);
            report.text(&rules::WID_004, &path, config.role_arn, &ROLE_ARN);
        }
    }
}

/// What is wrong with a WorkloadIdentity that a Shoot's DNS provider refers to, as one text; none where nothing is
/// wrong.
pub fn refusal(identity: &Value<'_>) -> Option<String> {
    let Some(config) = config(identity) else {
        return Some("the new target system is missing configuration".to_owned());
    };
    match WorkloadIdentityConfig::read(config, Mode::Strict) {
        Err(error) => Some(format!("cannot decode the new target system's configuration: {error}")),
        Ok(WorkloadIdentityConfig { role_arn, .. }) => {
            let Fault { is_missing, detail } = ROLE_ARN.faults(role_arn).into_iter().next()?;
            let value = if is_missing {
                "Required value".to_owned()
            } else {
                format!("Invalid value: {}", quote(role_arn))
            };
            Some(format!(
                "validation of target system's configuration failed: {}: {value}: {detail}",
                ROLE.field()
            ))
        }
    }
}

fn config<'v>(identity: &'v Value<'v>) -> Option<&'v Value<'v>> {
    identity.at(&["spec", "targetSystem", "providerConfig"])
}
