//! WorkloadIdentities: as the object of a request, and behind a reference.

use crate::document::{Path, Value};
use crate::gardener::checks::credentials_fault::refusal as reported;
use crate::gardener::checks::immutable::restored;
use crate::gardener::checks::workload_identity::{
    CONFIG, IdentityRules, read_for_dns, read_identity, read_referenced,
};
use crate::policy::Request;
use crate::provider::gcp::api::WorkloadIdentityConfig;
use crate::provider::gcp::rules::credentials as rules;
use crate::provider::gcp::settings::Settings;
use crate::provider::gcp::workload_identity::{Judged, judge};
use crate::report::Report;

const RULES: IdentityRules =
    IdentityRules { present: &rules::WI_001, readable: &rules::WI_002, old: &rules::WI_003 };

/// Judges a WorkloadIdentity.
pub fn workload_identity<'r>(request: &Request<'r>, report: &mut Report<'_>) {
    let (new, before) = read_identity::<WorkloadIdentityConfig<'r>>(request, &RULES, report);
    let Some(new) = new else { return };
    if let Some((before, old)) = before.zip(request.old_object)
        && new.project_id != before.project_id
    {
        restored(&rules::WI_005, &CONFIG.key("projectID"), old, report);
    }
    report_faults(judge(&new, &Settings::of(request)), None, report);
}

/// Judges the WorkloadIdentity that a CredentialsBinding refers to; findings point at the reference.
pub fn behind_binding(request: &Request<'_>, identity: &Value<'_>, place: &'static str, report: &mut Report<'_>) {
    let config = read_referenced(identity, [&rules::CRED_005, &rules::CRED_006], place, report);
    if let Some(config) = config {
        report_faults(judge(&config, &Settings::of(request)), Some(place), report);
    }
}

/// What is wrong with a WorkloadIdentity that a Shoot's DNS provider refers to, as one text; none where nothing is
/// wrong.
pub fn refusal(request: &Request<'_>, identity: &Value<'_>, report: &mut Report<'_>) -> Option<String> {
    match read_for_dns(identity) {
        Err(refusal) => Some(refusal),
        Ok(config) => {
            let judged = judge(&config, &Settings::of(request));
            judged.report_unknown(report);
            let faults = reported(&judged.faults)?;
            Some(format!("validation of target system's configuration failed: {faults}"))
        }
    }
}

/// Reports what is wrong with a configuration, or with one behind a reference, which findings point at then.
fn report_faults(judged: Judged, reference: Option<&str>, report: &mut Report<'_>) {
    judged.report_unknown(report);
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
    fn report_unknown(&self, report: &mut Report<'_>) {
        if let Some(pattern) = &self.unknown_pattern {
            let why =
                format!("Trellis cannot match the operator's expression {pattern}; the URL is checked on submit");
            report.undecided(&rules::WI_017, why, None);
        }
    }
}
