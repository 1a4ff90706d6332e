//! Records of domains: their creation, changes and deletion.

use serde_json::{Value, json};

use super::record_form::{BAD_NAME, BAD_VALUE, TYPE, check_name, check_value, conflict};
use super::{FOREIGN_DOMAIN, LANGUAGE, NO_DOMAIN, domain};
use crate::action::{
    ANY, Action, Call, CloudError, ErrorCode, Form, INTEGER, Parameter, Shape, TEXT, field, optional, required,
};
use crate::settings::Quota;
use crate::world::World;
use crate::world::alidns::Record;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[ADD, UPDATE, DELETE, DELETE_NAME];

/// The least time to live, in seconds. It depends on the edition that is paid for: 1 with the most expensive one,
/// 600 without any. <https://www.alibabacloud.com/help/en/dns/ttl-definition>
pub(super) const LEAST_TTL: Quota = Quota::new("leastTtl", 1);
/// The most, a day.
const MOST_TTL: i64 = 86400;

/// How many records a name, a type and a line have at most.
pub(super) const QUOTA: Quota = Quota::new("recordsOfName", 90);

const TTL: ErrorCode = ErrorCode::new(400, "QuotaExceeded.TTL", "The specified TTL is invalid.");
const DUPLICATE: ErrorCode = ErrorCode::new(400, "DomainRecordDuplicate", "The DNS record already exists.");
const CONFLICT: ErrorCode =
    ErrorCode::new(400, "DomainRecordConflict", "The domain record is conflict with other records.");
const TOO_MANY: ErrorCode = ErrorCode::new(
    400,
    "QuotaExceeded.Record",
    "You Can't add this domain record because the record has been out of MAX count.",
);
/// There is no such record, or it is another user's.
pub(super) const NOT_FOUND: ErrorCode =
    ErrorCode::new(400, "DomainRecordNotBelongToUser", "The domain record does not belong to this user.");

/// The lines of every edition.
pub(super) const LINE: Form = Form::OneOf(&[
    "default", "telecom", "unicom", "mobile", "oversea", "edu", "drpeng", "btvn", "internal", "search", "aliyun",
]);
const TTL_PARAMETER: Parameter = optional("TTL", INTEGER).or("600");
const PRIORITY: Parameter = optional("Priority", Form::Integer(1, 50));

const ADD: Action = Action::write("AddDomainRecord", add)
    .parameters(&[
        required("DomainName", TEXT),
        required("RR", TEXT),
        required("Type", TYPE),
        required("Value", ANY),
        optional("Line", LINE).or("default"),
        TTL_PARAMETER,
        PRIORITY,
        optional("Lang", LANGUAGE),
    ])
    .left_out(&["UserClientIp"])
    .answer(&[field("RecordId", Shape::Text)])
    .errors(&[&NO_DOMAIN, &FOREIGN_DOMAIN, &BAD_NAME, &BAD_VALUE, &TTL, &DUPLICATE, &CONFLICT, &TOO_MANY]);

fn add(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let domain_id = domain(world, call)?.domain_id.clone();
    let mut record = wanted(call, domain_id)?;
    check_neighbours(world, call, &record)?;
    let is_neighbour = |other: &&Record| other.shares_line(&record) && other.kind == record.kind;
    let count = world.account(call).alidns.records.iter().filter(is_neighbour).count();
    call.within(&QUOTA, count, &TOO_MANY)?;
    record.record_id = (800_000_000_000_000_000 + world.number()).to_string();
    let answer = json!({ "RecordId": record.record_id });
    world.account_mut(&call.caller.account).alidns.records.insert(record);
    Ok(answer)
}

/// The record that a call describes, checked by itself.
fn wanted(call: &Call<'_>, domain_id: String) -> Result<Record, CloudError> {
    let kind = call.text("Type").to_ascii_uppercase();
    check_name(call.text("RR"))?;
    check_value(&kind, call.text("Value"))?;
    let ttl = call.integer("TTL").unwrap_or(600);
    let least = i64::try_from(call.settings.quota(&LEAST_TTL)).unwrap_or(MOST_TTL);
    if !(least..=MOST_TTL).contains(&ttl) {
        return Err(TTL.because(format!(
            "The specified TTL is invalid. A valid TTL must be in the range of {least} to {MOST_TTL}."
        )));
    }
    let priority = match kind.as_str() {
        "MX" => Some(call.integer("Priority").ok_or_else(|| CloudError::missing("Priority"))?),
        _ => None,
    };
    Ok(Record {
        record_id: String::new(),
        domain_id,
        rr: call.text("RR").to_owned(),
        kind,
        value: call.text("Value").to_owned(),
        ttl,
        line: call.text("Line").to_owned(),
        priority,
        created: call.now,
        updated: None,
    })
}

/// Checks a record against the others of its domain.
fn check_neighbours(world: &World, call: &Call<'_>, record: &Record) -> Result<(), CloudError> {
    let others = world.account(call).alidns.records.iter();
    for other in others.filter(|other| other.record_id != record.record_id && other.shares_line(record)) {
        if other.kind == record.kind && other.value == record.value {
            return Err((&DUPLICATE).into());
        }
        if conflict(&record.rr, &record.kind, &other.kind) {
            return Err((&CONFLICT).into());
        }
    }
    Ok(())
}

const UPDATE: Action = Action::write("UpdateDomainRecord", update)
    .parameters(&[
        required("RecordId", TEXT),
        required("RR", TEXT),
        required("Type", TYPE),
        required("Value", ANY),
        optional("Line", LINE).or("default"),
        TTL_PARAMETER,
        PRIORITY,
        optional("Lang", LANGUAGE),
    ])
    .left_out(&["UserClientIp"])
    .answer(&[field("RecordId", Shape::Text)])
    .errors(&[&NOT_FOUND, &BAD_NAME, &BAD_VALUE, &TTL, &DUPLICATE, &CONFLICT]);

/// An update that changes nothing is refused as a duplicate.
fn update(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("RecordId");
    let old = world.account(call).alidns.records.get(id).ok_or(&NOT_FOUND)?;
    let new = Record {
        record_id: id.to_owned(),
        created: old.created,
        updated: old.updated,
        ..wanted(call, old.domain_id.clone())?
    };
    if *old == new {
        return Err((&DUPLICATE).into());
    }
    check_neighbours(world, call, &new)?;
    if let Some(record) = world.account_mut(&call.caller.account).alidns.records.get_mut(id) {
        *record = Record { updated: Some(call.now), ..new };
    }
    Ok(json!({ "RecordId": id }))
}

const DELETE: Action = Action::write("DeleteDomainRecord", delete)
    .parameters(&[required("RecordId", TEXT), optional("Lang", LANGUAGE)])
    .left_out(&["UserClientIp"])
    .answer(&[field("RecordId", Shape::Text)])
    .errors(&[&NOT_FOUND]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let records = &mut world.account_mut(&call.caller.account).alidns.records;
    records.remove(call.text("RecordId")).ok_or(&NOT_FOUND)?;
    Ok(json!({ "RecordId": call.text("RecordId") }))
}

const DELETE_NAME: Action = Action::write("DeleteSubDomainRecords", delete_name)
    .parameters(&[
        required("DomainName", TEXT),
        required("RR", TEXT),
        optional("Type", TYPE),
        optional("Lang", LANGUAGE),
    ])
    .left_out(&["UserClientIp"])
    .answer(&[field("RR", Shape::Text), field("TotalCount", Shape::Text)])
    .errors(&[&NO_DOMAIN, &FOREIGN_DOMAIN]);

fn delete_name(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let domain_id = domain(world, call)?.domain_id.clone();
    let records = &mut world.account_mut(&call.caller.account).alidns.records;
    let before = records.len();
    records.retain(|record| {
        let meant = record.domain_id == domain_id
            && record.rr.eq_ignore_ascii_case(call.text("RR"))
            && call.given("Type").is_none_or(|kind| kind.eq_ignore_ascii_case(&record.kind));
        !meant
    });
    Ok(json!({ "RR": call.text("RR"), "TotalCount": (before - records.len()).to_string() }))
}
