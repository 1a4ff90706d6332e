//! What a request wants of a DNSRecord.

use crate::document::Value;
use crate::plan::recorded_value;
use crate::policy::{PlanOperation, PlanSubject, State};

/// Seconds that answers are kept if the object does not say.
const TTL: &str = "120";

/// Most values of a record.
pub const MOST_VALUES: usize = 100;

/// Key of the state under which the zone is recorded, as `status.zone` has it.
pub const ZONE: &str = "Zone";
/// Key of the state under which name and type are recorded.
pub const NAME: &str = "Name";
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
    /// Reads a request, whose form is checked elsewhere.
    pub fn read(request: &PlanSubject<'r>, recorded: &State) -> Self {
        let object = request.document();
        let text = |keys: &[&str]| object.text_at(keys);
        let mut values: Vec<&str> = Vec::new();
        for value in object.at(&["spec", "values"]).map(Value::items).unwrap_or_default().iter().take(MOST_VALUES)
        {
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
        Self {
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
        }
    }

    /// The name with its type, as people read it and as the state records it.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.record_type)
    }

    /// The name of the records that older extensions made to say whose a name is.
    pub fn meta_name(&self) -> String {
        match self.name.strip_prefix("*.") {
            Some(rest) => format!("*.comment-{rest}"),
            None => format!("comment-{}", self.name),
        }
    }
}
