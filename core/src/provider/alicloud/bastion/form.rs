//! What a Bastion must have, and the network that it needs. Gardener's API server refuses some of what is refused here; a
//! manifest in a file has not been there.

use super::input::{self, Network, user_data};
use crate::cidr::Cidr;
use crate::document::decode::{Mode, Typed};
use crate::document::{Path, Value};
use crate::gardener::planning::errors::Errors;
use crate::policy::PlanSubject;
use crate::provider::alicloud::api::{Config as _, InfrastructureStatus};
use crate::provider::alicloud::rules::bastion_plan as rules;
use crate::report::{ErrorType, Finding, Report};

/// Most bytes of user data that an instance takes.
const MOST_USER_DATA: usize = 32 << 10;
/// Most ranges, so that the rules of one security group hold them.
const MOST_RANGES: usize = 100;

const SPEC: Path<'_> = Path::root("spec", "/spec");

/// Checks the form of a Bastion; a deletion needs its names alone.
pub fn check(object: &Value<'_>, is_deletion: bool) -> Vec<Finding> {
    let mut report = Report::new(object);
    let metadata = Path::root("metadata", "/metadata");
    for (member, detail) in [("namespace", "clusterName can't be empty"), ("name", "bastionName can't be empty")] {
        if object.text_at(&["metadata", member]).is_empty() {
            report.error(&rules::BAST_007, &metadata.key(member), ErrorType::Required, detail);
        }
    }
    if !is_deletion {
        check_user_data(object, &mut report);
        check_ingress(object, &mut report);
    }
    report.into_parts().0
}

fn check_user_data(object: &Value<'_>, report: &mut Report<'_>) {
    let place = SPEC.key("userData");
    let wrong = match (object.at(&["spec", "userData"]), user_data(object)) {
        (None | Some(Value::Null), _) => Some((ErrorType::Required, "a bastion needs `userData`".to_owned())),
        (Some(Value::String(_)), Some(script)) if script.len() > MOST_USER_DATA => {
            Some((ErrorType::TooLong, format!("may not be more than {MOST_USER_DATA} bytes")))
        }
        (Some(Value::String(_)), Some(script)) if script.is_empty() => {
            Some((ErrorType::Required, "a bastion needs `userData`".to_owned()))
        }
        (Some(Value::String(_)), Some(_)) => None,
        _ => Some((ErrorType::Invalid, "must be base64".to_owned())),
    };
    if let Some((error, detail)) = wrong {
        // The script has no secrets as Gardener makes it, and nobody knows what else stands there.
        report.error(&rules::BAST_007, &place, error, detail).hide_value();
    }
}

fn check_ingress(object: &Value<'_>, report: &mut Report<'_>) {
    let place = SPEC.key("ingress");
    let items = match object.at(&["spec", "ingress"]) {
        Some(Value::Array(items)) if items.len() > MOST_RANGES => {
            let detail = format!("must have at most {MOST_RANGES} items");
            report.error(&rules::BAST_007, &place, ErrorType::TooMany, detail);
            return;
        }
        Some(Value::Array(items)) if !items.is_empty() => items,
        None | Some(Value::Null | Value::Array(_)) => {
            report.error(&rules::BAST_007, &place, ErrorType::Required, "a bastion needs `ingress`");
            return;
        }
        Some(_) => {
            report.error(&rules::BAST_007, &place, ErrorType::Invalid, "must be a list");
            return;
        }
    };
    for (index, item) in items.iter().enumerate() {
        let item_place = place.index(index);
        let block = item_place.key("ipBlock");
        let text = item.text_at(&["ipBlock", "cidr"]);
        if text.is_empty() {
            let detail = "needs a range as `ipBlock.cidr`, which is a text such as 203.0.113.0/24";
            report.error(&rules::BAST_007, &item_place, ErrorType::Required, detail);
        } else if Cidr::parse(text).is_none() {
            let detail = format!("invalid ingress CIDR {text:?}: must be a range such as 203.0.113.0/24");
            report.error(&rules::BAST_007, &block.key("cidr"), ErrorType::Invalid, detail);
        }
        if !matches!(item.at(&["ipBlock", "except"]), None | Some(Value::Null))
            && !item.at(&["ipBlock", "except"]).map(Value::items).unwrap_or_default().is_empty()
        {
            let detail = "Alibaba Cloud opens whole ranges; list the ranges that may connect instead";
            report.error(&rules::BAST_007, &block.key("except"), ErrorType::Forbidden, detail);
        }
    }
}

/// The network that a Bastion needs.
pub fn network(request: &PlanSubject<'_>) -> Result<Network, Errors> {
    let lacking = |detail: String| {
        let mut report = Report::new(request.document());
        report.error(&rules::BAST_001, &Path::root("", ""), ErrorType::Internal, detail);
        let mut findings = report.into_parts().0;
        for finding in &mut findings {
            finding.bad_value = None;
        }
        // The existing extension gives its validator's errors no code.
        Errors { findings, codes: Vec::new() }
    };
    let Some(status) = request.infrastructure_status else {
        return Err(lacking("infrastructure provider status must be not empty for worker".to_owned()));
    };
    let status = InfrastructureStatus::read_typed(status, Mode::Lenient, Typed::ByVersion)
        .map_err(|error| lacking(error.to_string()))?;
    input::network(&status).map_err(|detail| lacking(detail.to_owned()))
}
