//! WorkloadIdentities: as the object of a request, and behind a reference.

use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::checks::credentials_fault::refusal as told;
use crate::gardener::checks::immutable::restored;
use crate::gardener::provider_config::Config;
use crate::policy::Request;
use crate::provider::gcp::api::WorkloadIdentityConfig;
use crate::provider::gcp::rules::credentials as rules;
use crate::provider::gcp::settings::Settings;
use crate::provider::gcp::workload_identity::{CONFIG, Judged, judge};
use crate::report::{ErrorType, Report};

/// Why nobody can tell the project of an old WorkloadIdentity that has no configuration.
const EMPTY: &str = "cannot parse WorkloadIdentityConfig from empty RawExtension";
const MISSING: &str = "the new target system is missing configuration";

/// Judges a WorkloadIdentity.
pub fn workload_identity(request: &Request<'_>, report: &mut Report<'_>) {
    let Some(new) = config(request.object) else {
        report.deny(&rules::WI_001, "/spec/targetSystem", MISSING).hides_others();
        return;
    };
    let place = Path::root("", "/spec/targetSystem/providerConfig");
    let new = WorkloadIdentityConfig::read_reporting(new, Mode::Strict, &place, report, |error| {
        let detail = format!("cannot decode the new target system's configuration: {error}");
        (&rules::WI_002, ErrorType::Denied, detail)
    });
    if let Some(old) = request.old_object {
        let before = config(old).map_or_else(
            || Err(EMPTY.to_owned()),
            |old| WorkloadIdentityConfig::read(old, Mode::Strict).map_err(|error| error.to_string()),
        );
        match (&new, before) {
            (_, Err(problem)) => {
                let detail = format!("cannot decode the old target system's configuration: {problem}");
                report.deny(&rules::WI_003, &CONFIG.pointer(), detail).hides_others();
            }
            (Some(new), Ok(before)) if new.project_id != before.project_id => {
                restored(&rules::WI_005, &CONFIG.key("projectID"), old, report);
            }
            _ => {}
        }
    }
    if let Some(new) = new {
        tell(judge(&new, &Settings::of(request)), None, report);
    }
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(request: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    match config(identity).map(|config| WorkloadIdentityConfig::read(config, Mode::Strict)) {
        None => {
            report.deny(&rules::CRED_005, place, "the target system is missing configuration");
        }
        Some(Err(error)) => {
            let detail = format!("target system's configuration is not valid: {error}");
            report.deny(&rules::CRED_006, place, detail);
        }
        Some(Ok(config)) => tell(judge(&config, &Settings::of(request)), Some(place), report),
    }
}

/// What is wrong with a WorkloadIdentity that a Shoot's DNS provider refers to, as one text; none where nothing is wrong.
pub fn refusal(request: &Request<'_>, identity: &Value<'_>, report: &mut Report<'_>) -> Option<String> {
    let Some(config) = config(identity) else { return Some(MISSING.to_owned()) };
    match WorkloadIdentityConfig::read(config, Mode::Strict) {
        Err(error) => Some(format!("cannot decode the new target system's configuration: {error}")),
        Ok(config) => {
            let judged = judge(&config, &Settings::of(request));
            judged.tell_unknown(report);
            let faults = told(&judged.faults)?;
            Some(format!("validation of target system's configuration failed: {faults}"))
        }
    }
}

/// Reports what is wrong with a configuration, or with one behind a reference, which findings point at then.
fn tell(judged: Judged, reference: Option<&str>, report: &mut Report<'_>) {
    judged.tell_unknown(report);
    let base = CONFIG.pointer();
    for fault in judged.faults {
        let own = format!("{base}/{}", fault.key.as_deref().unwrap_or_default());
        let path = Path::root(&fault.field, reference.unwrap_or(&own));
        let entry = report.error(fault.rule, &path, fault.error_type, fault.detail);
        if let (None, Some(text)) = (reference, fault.meant) {
            entry.fix_value(&Value::string(text));
        }
    }
}

impl Judged {
    fn tell_unknown(&self, report: &mut Report<'_>) {
        if let Some(pattern) = &self.unknown_pattern {
            let why =
                format!("Trellis cannot match the operator's expression {pattern}; the URL is checked on submit");
            report.undecided(&rules::WI_017, why, None);
        }
    }
}

fn config<'v>(identity: &'v Value<'v>) -> Option<&'v Value<'v>> {
    identity.at(&["spec", "targetSystem", "providerConfig"])
}
