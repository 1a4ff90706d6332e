//! What a request wants of a DNSRecord.

use crate::document::{Path, Value};
use crate::gardener::planning::errors::Errors;
use crate::plan::recorded_value;
use crate::policy::{PlanOperation, PlanSubject, State};
use crate::provider::alicloud::rules::dns_record_plan as rules;
use crate::report::{ErrorType, Report};

/// Seconds that answers are kept if the object does not say.
const TTL: &str = "120";

/// Key of the state under which the zone is recorded, as `status.zone` has it.
pub const ZONE: &str = "Zone";
/// Beginning of the keys under which the ids of rows are recorded, by their values.
pub const RECORD: &str = "Record/";

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Input<'r> {
    /// The request.
    pub request: PlanSubject<'r>,
    /// The region; empty where the object names none, because Alidns has one address for all regions.
    pub region: &'r str,
    /// The name, such as `api.foo.example.com` or `*.ingress.foo.example.com`.
    pub name: &'r str,
    /// The type of the rows: `A`, `AAAA`, `CNAME` or `TXT`.
    pub record_type: &'r str,
    /// The values, each once, in the order of the object.
    pub values: Vec<&'r str>,
    /// Seconds that answers are kept.
    pub ttl: &'r str,
    /// The zone that the object asks for: a name, or an id; empty where it asks for none.
    pub zone: &'r str,
    /// The zone that was chosen before: `<domain>:<id>`, or a name; empty where none was.
    pub known_zone: String,
    /// Whether the records that say who made a name are still to be removed: older extensions made them, and what was
    /// reconciled once has none.
    pub is_first: bool,
    /// Ids of rows that a run added, each with its value, as the state records them.
    pub recorded: Vec<(String, String)>,
}

/// The id of a row and its value, from an entry of the state.
fn row((key, id): (&str, &String)) -> Option<(String, String)> {
    let value = key.strip_prefix(RECORD).filter(|_| !id.is_empty())?;
    Some((id.clone(), value.to_owned()))
}

impl<'r> Input<'r> {
    /// Reads a request.
    pub fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        let object = request.document();
        let text = |keys: &[&str]| object.at(keys).and_then(Value::as_str).unwrap_or_default();
        let mut values: Vec<&str> = Vec::new();
        for value in object.at(&["spec", "values"]).map(Value::items).unwrap_or_default() {
            match value.as_str() {
                Some(value) if !values.contains(&value) => values.push(value),
                _ => {}
            }
        }
        let ttl = match object.at(&["spec", "ttl"]) {
            Some(Value::Number(seconds)) => seconds,
            _ => TTL,
        };
        let known = Some(text(&["status", "zone"])).filter(|zone| !zone.is_empty());
        let known = known.or_else(|| recorded_value(recorded, ZONE)).unwrap_or_default();
        let input = Self {
            request: *request,
            region: request.region(),
            name: text(&["spec", "name"]),
            record_type: text(&["spec", "recordType"]),
            values,
            ttl,
            zone: text(&["spec", "zone"]),
            known_zone: known.to_owned(),
            is_first: request.operation != PlanOperation::Delete
                && match text(&["status", "lastOperation", "type"]) {
                    "Create" => true,
                    "" => recorded_value(recorded, ZONE).is_none(),
                    _ => false,
                },
            recorded: recorded.iter().filter_map(row).collect(),
        };
        input.check(object).map(|()| input)
    }

    /// A record without a name, a type or a value is none. Gardener's API server refuses such objects.
    fn check(&self, object: &Value<'_>) -> Result<(), Errors> {
        const SPEC: Path<'_> = Path::root("spec", "/spec");
        let mut report = Report::new(object);
        let lacks = [
            ("name", self.name.is_empty()),
            ("recordType", self.record_type.is_empty()),
            ("values", self.values.is_empty()),
        ];
        for (member, _) in lacks.into_iter().filter(|(_, is_lacking)| *is_lacking) {
            let detail = format!("a DNS record needs `{member}`");
            report.error(&rules::DNS_001, &SPEC.key(member), ErrorType::Required, detail);
        }
        let (findings, _) = report.into_parts();
        if findings.is_empty() { Ok(()) } else { Err(Errors::unreadable(findings)) }
    }

    /// The name of the records that older extensions made to say whose a name is.
    pub fn meta_name(&self) -> String {
        match self.name.strip_prefix("*.") {
            Some(rest) => format!("*.comment-{rest}"),
            None => format!("comment-{}", self.name),
        }
    }
}
