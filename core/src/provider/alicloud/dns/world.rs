//! What Alidns has: the domains of the account, and the rows of one name.

use super::input::Input;
use crate::call::{Argument, Paging, Query};
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::{Api, Facts, OnFailure};
use crate::policy::{PlanOperation, RequestError};
use crate::provider::alicloud::classify::{CLOUD, classify};
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::queries::{
    CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE, Region, has_all_pages, refuses_credentials,
};
use crate::provider::alicloud::rules::dns_record_plan as rules;

/// The line that answers everybody who has no line of their own.
const DEFAULT_LINE: &str = "default";

/// Rows in a response.
const ROWS: &str = "/DomainRecords/Record";
/// Code of the error about a domain that the account does not have.
const NO_DOMAIN: &str = "InvalidDomainName.NoExist";

/// The service.
pub const SERVICE: &str = "alidns";

/// The API of Alidns.
pub static API: Api = Api {
    is_gone: |code, _| code == "DomainRecordNotBelongToUser",
    check,
    is_asked_for: |_, _| true,
    cloud: CLOUD,
    classify,
    refuses_credentials,
    codes,
    not_called: &[
        (CREDENTIALS_UNAVAILABLE, &rules::DNS_004, "could not get Alicloud credentials"),
        (CLIENT_UNAVAILABLE, &rules::DNS_004, "could not create Alicloud DNS client"),
    ],
    unreadable: &rules::DNS_004,
};

/// What there is of a name.
#[derive(Debug, Default)]
pub struct World {
    /// Where the name lies; absent where no domain of the account fits.
    pub place: Option<Place>,
    /// The rows of the name, of its type, on the default line.
    pub rows: Vec<Row>,
    /// Ids of the rows that say whose the name is.
    pub meta: Vec<String>,
    /// Whether the account does not have the domain.
    pub lacks_domain: bool,
    /// Rows that the state records and that Alidns does not have, or not yet: ids, each with its value.
    pub unlisted: Vec<(String, String)>,
}

/// Where a name lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The zone as `status.zone` has it: `<domain>:<id>`, or a name that the object gives.
    pub zone: String,
    /// The name in the domain, `@` for the domain itself; absent where the name does not lie in it.
    pub rr: Option<String>,
}

/// A row of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `RecordId`
    pub id: String,
    /// `Value`
    pub value: String,
    /// `TTL`, in seconds.
    pub ttl: String,
}

impl Place {
    /// A name in a zone.
    pub fn new(zone: &str, name: &str) -> Self {
        Self { zone: zone.to_owned(), rr: rr(name, domain_of(zone)) }
    }

    /// The domain, as calls name it.
    pub fn domain(&self) -> &str {
        domain_of(&self.zone)
    }
}

/// The domain of a zone: what stands before the only colon.
fn domain_of(zone: &str) -> &str {
    match zone.split_once(':') {
        Some((domain, id)) if !id.contains(':') => domain,
        _ => zone,
    }
}

/// The name in a domain.
fn rr(name: &str, domain: &str) -> Option<String> {
    if name == domain {
        return Some("@".to_owned());
    }
    Some(name.strip_suffix(domain)?.strip_suffix('.')?.to_owned()).filter(|rr| !rr.is_empty())
}

/// Reads what there is of a name, and asks what nobody knows yet. `is_own` says that the state is of the account of the
/// credentials.
pub fn observe(input: &Input<'_>, facts: &mut Facts<'_>, is_own: bool) -> World {
    let Some(place) = find_place(input, facts) else { return World::default() };
    let mut world = World { place: Some(place.clone()), ..World::default() };
    let Some(rr) = &place.rr else { return world };
    // Alidns searches for texts that contain the word, so that the rows of the meta records come with the same answer.
    let keyword = rr.strip_prefix("*.").unwrap_or(rr);
    let parameters = [("DomainName", place.domain().into()), ("RRKeyWord", keyword.into())];
    let query = Region(input.region).pages(SERVICE, "DescribeDomainRecords", "500", &parameters);
    let read = |entry: &Entry<'_>| {
        let text = |key: &str| entry.text(&[key]).to_owned();
        let row = Row { id: entry.id("RecordId").to_owned(), value: text("Value"), ttl: text("TTL") };
        (entry.id("RR").to_owned(), entry.id("Type").to_owned(), text("Line"), row)
    };
    let is_default = |line: &str| matches!(line, "" | DEFAULT_LINE);
    let is_ours = |found: &str, record_type: &str, line: &str| {
        found == rr && record_type == input.record_type && is_default(line)
    };
    if facts.error_code(&query) == Some(NO_DOMAIN) {
        let is_deletion = input.request.operation == PlanOperation::Delete;
        world.lacks_domain = !(is_deletion && is_own);
        return world;
    }
    let on_failure = failing("reading the records of", place.domain());
    let Some(found) = facts.list(query, ROWS, Some(on_failure), read) else { return world };
    let meta = Place::new(&place.zone, &input.meta_name()).rr;
    let mut listed = Vec::new();
    for (found_rr, record_type, line, row) in found {
        listed.push(row.id.clone());
        if is_ours(&found_rr, &record_type, &line) {
            world.rows.push(row);
        } else if input.is_first && record_type == "TXT" && is_default(&line) && Some(found_rr) == meta {
            world.meta.push(row.id);
        }
    }
    for (id, value) in input.recorded.iter().filter(|(id, _)| !listed.contains(id)) {
        let query =
            Region(input.region).query(SERVICE, "DescribeDomainRecordInfo", &[("RecordId", id.as_str().into())]);
        let Some(response) = facts.response(&query, Some(failing("reading the record", id))) else { continue };
        if matches!(response, Value::Null) {
            world.unlisted.push((id.clone(), value.clone()));
            continue;
        }
        let entry = Entry::new(response);
        let (found_rr, record_type, line, row) = read(&entry);
        let domain = entry.id("DomainName");
        if row.id != *id {
            facts.fail(RequestError::Fact {
                query: query.id,
                problem: "is about another record than was asked for",
            });
        } else if let Err(error) = entry.check(&query) {
            facts.fail(error);
        } else if domain.eq_ignore_ascii_case(place.domain()) && is_ours(&found_rr, &record_type, &line) {
            // The list does not have it yet.
            world.rows.push(row);
        }
    }
    world
}

/// The zone that needs no question: the one that was chosen before, unless the object asks for another one, or a name
/// that the object gives.
pub fn known_place(input: &Input<'_>) -> Option<Place> {
    let Input { name, zone, known_zone, .. } = input;
    let is_known = !known_zone.is_empty()
        && (zone.is_empty()
            || *zone == domain_of(known_zone)
            || known_zone.split_once(':').is_some_and(|(_, id)| id == *zone));
    if is_known {
        return Some(Place::new(known_zone, name));
    }
    zone.contains('.').then(|| Place::new(zone, name))
}

/// The zone of a name: the one that is known, else the one with the id that the object asks for, else the longest domain
/// of the account that the name ends in.
fn find_place(input: &Input<'_>, facts: &mut Facts<'_>) -> Option<Place> {
    let Input { name, zone, .. } = input;
    if let Some(place) = known_place(input) {
        return Some(place);
    }
    let read = |entry: &Entry<'_>| (entry.id("DomainName").to_owned(), entry.id("DomainId").to_owned());
    let query = Region(input.region).pages(SERVICE, "DescribeDomains", "100", &[]);
    let on_failure = failing("listing", "the domains of the account");
    let mut domains = facts.list(query, "/Domains/Domain", Some(on_failure), read)?;
    if zone.is_empty() {
        domains.retain(|(domain, _)| rr(name, domain).is_some());
    } else {
        domains.retain(|(_, id)| id == zone);
    }
    let (domain, id) = domains.into_iter().max_by_key(|(domain, _)| domain.len())?;
    Some(Place::new(&format!("{domain}:{id}"), name))
}

fn failing<'m>(doing: &'m str, what: &'m str) -> OnFailure<'m> {
    OnFailure { rule: &rules::DNS_004, place: ("", ""), doing, what }
}

/// Whether a response has all pages, and every row is of the domain that the call asks about: rows of another one are no
/// answer. Whose name and type a row is, the reader compares.
fn check(query: &Query, response: &Value<'_>, entries: usize) -> Result<(), &'static str> {
    if query.paging == Paging::PageNumber {
        has_all_pages(response, entries)?;
    }
    let Some(Argument::Text(asked)) = query.call.parameters.get("DomainName") else { return Ok(()) };
    let rows = response.pointer(ROWS).map(Value::items).unwrap_or_default();
    let is_of = |row: &Value<'_>| row.text_at(&["DomainName"]).eq_ignore_ascii_case(asked);
    if rows.iter().all(is_of) { Ok(()) } else { Err("is about another domain than was asked for") }
}
