//! The rows of a name as a resource: what is missing is added, then what is left over is removed.

use super::input::{Input, NAME, RECORD, ZONE};
use super::world::{Place, Row, SERVICE, World};
use crate::call::Call;
use crate::collections::{Entries, sorted};
use crate::gardener::planning::findings::PlanFindings;
use crate::gardener::planning::frame::Desired;
use crate::gardener::planning::steps::{Parameters, step, update};
use crate::plan::{ACCOUNT, Attribute, Difference, Resource, ResourceKind, recorded_value};
use crate::policy::{Effects, PlanOperation, State, Step};
use crate::provider::alicloud::queries::Region;

/// Id of the resource in the plan.
pub const ID: &str = "records";

const KIND: ResourceKind = ResourceKind { name: "DNS record", billed: false, association: false };

/// The rows of a name, sorted by what becomes of them.
struct Rows<'i> {
    input: &'i Input<'i>,
    domain: &'i str,
    rr: &'i str,
    /// Rows with a wanted value, one a value.
    kept: Vec<&'i Row>,
    /// Wanted values without a row.
    missing: Vec<&'i str>,
    /// Ids of the rows that have to go, each with its value if the state records it under that.
    surplus: Vec<(String, Option<String>)>,
    /// Whether a run recorded the rows, or found that there were none.
    is_recorded: bool,
}

/// Declares the rows of a name, with the state that lists them.
pub fn desired<'i>(input: &'i Input<'i>, place: &Place, rr: &str, world: &World, recorded: &State) -> Desired<'i> {
    let is_wanted = input.request.operation != PlanOperation::Delete;
    let mut rows = Rows::new(input, (place.domain(), rr), world, is_wanted);
    rows.is_recorded = recorded_value(recorded, ZONE).is_some();
    let is_kept =
        |key: &str, id: &str| !key.starts_with(RECORD) || world.unlisted.iter().any(|(known, _)| known == id);
    let mut state: State =
        recorded.iter().filter(|(key, id)| is_kept(key, id)).map(|(key, id)| (key, id.clone())).collect();
    for row in &world.rows {
        state.insert(key(&row.value), row.id.clone());
    }
    // Of two rows with one value, the one that stays is recorded.
    for row in &rows.kept {
        state.insert(key(&row.value), row.id.clone());
    }
    if is_wanted {
        state.insert(ZONE, place.zone.clone());
        state.insert(NAME, input.title());
    }
    let mut resource = Resource::new(ID, &KIND, &input.title());
    resource.wanted = is_wanted;
    resource.found = rows.found();
    resource.create = [rows.additions(), rows.meta_removals(&world.meta)].concat();
    resource.delete = rows.removals();
    resource.attributes = rows.attributes(world);
    let own = state.iter().map(|(key, _)| key).filter(|key| [NAME, ZONE].contains(key) || key.starts_with(RECORD));
    resource.keys = own.chain([ACCOUNT]).map(str::to_owned).collect();
    Desired { resources: vec![resource], state, findings: PlanFindings::new(input.request) }
}

/// The key under which the id of the row of a value is recorded.
fn key(value: &str) -> String {
    [RECORD, value].concat()
}

impl<'i> Rows<'i> {
    fn new(input: &'i Input<'i>, (domain, rr): (&'i str, &'i str), world: &'i World, is_wanted: bool) -> Self {
        let (kept, missing, surplus) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Self { input, domain, rr, kept, missing, surplus, is_recorded: false };
        for row in &world.rows {
            let is_kept = rows.kept.iter().any(|kept| kept.value == row.value);
            if !is_wanted || !input.values.contains(&row.value.as_str()) {
                rows.surplus.push((row.id.clone(), Some(row.value.clone())));
            } else if is_kept {
                rows.surplus.push((row.id.clone(), None));
            } else {
                rows.kept.push(row);
            }
        }
        for value in input.values.iter().filter(|_| is_wanted) {
            if rows.kept.iter().all(|row| row.value != *value) {
                rows.missing.push(value);
            }
        }
        // A list may lack a row that a run has just added; to delete one that is gone changes nothing.
        for (id, value) in &world.unlisted {
            if !is_wanted || !input.values.contains(&value.as_str()) {
                rows.surplus.push((id.clone(), Some(value.clone())));
            }
        }
        rows
    }

    /// The id of one of the rows, for people.
    fn found(&self) -> Option<String> {
        let first = self.kept.first().map(|row| &row.id);
        first.or_else(|| self.surplus.first().map(|(id, _)| id)).cloned()
    }

    fn call(&self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        Region(self.input.region).call(SERVICE, action, parameters)
    }

    fn additions(&self) -> Vec<Step> {
        let add = |(index, value): (usize, &&str)| {
            let call = self.call(
                "AddDomainRecord",
                &[
                    ("DomainName", self.domain.into()),
                    ("RR", self.rr.into()),
                    ("Type", self.input.record_type.into()),
                    ("Value", (*value).into()),
                    ("TTL", self.input.ttl.into()),
                ],
            );
            let record = [(key(value), "/RecordId")].into_iter().collect();
            Step { record, ..step(ID, &format!("add-{index}"), call) }
        };
        self.missing.iter().enumerate().map(add).collect()
    }

    fn removals(&self) -> Vec<Step> {
        let remove = |(id, value): &(String, Option<String>)| {
            let conclude: Effects = match value {
                Some(value) => [(key(value), None)].into_iter().collect(),
                None => Entries::new(),
            };
            Step { conclude, ..self.removal("remove", id) }
        };
        self.surplus.iter().map(remove).collect()
    }

    /// Steps that remove the records of older extensions that say whose a name is.
    fn meta_removals(&self, ids: &[String]) -> Vec<Step> {
        ids.iter().map(|id| self.removal("meta", id)).collect()
    }

    fn removal(&self, verb: &str, id: &str) -> Step {
        let call = self.call("DeleteDomainRecord", &[("RecordId", id.into())]);
        step(ID, &format!("{verb}-{id}"), call)
    }

    fn attributes(&self, world: &World) -> Vec<Attribute> {
        let is_surplus = |id: &String| self.surplus.iter().any(|(surplus, _)| surplus == id);
        let unlisted = world.unlisted.iter().filter(|(id, _)| is_surplus(id)).map(|(_, value)| value);
        let found = sorted(
            world.rows.iter().map(|row| &row.value).chain(unlisted).map(|value| quoted(value)).collect::<Vec<_>>(),
        );
        let wanted = sorted(self.input.values.iter().map(|value| quoted(value)).collect::<Vec<_>>());
        let changes = [self.additions(), self.removals()].concat();
        let values = Attribute {
            difference: Difference::Update(changes, self.replaced()),
            ..update("values", Some(wanted.join(", ")), &found.join(", "), Vec::new())
        };
        let mut attributes = vec![values];
        let other: Vec<&&Row> = self.kept.iter().filter(|row| row.ttl != self.input.ttl).collect();
        if let Some(row) = other.first() {
            let steps = other.iter().map(|row| self.update(row)).collect();
            attributes.push(update("ttl", Some(self.input.ttl.to_owned()), &row.ttl, steps));
        }
        if !world.meta.is_empty() {
            let count = world.meta.len().to_string();
            attributes.push(update("meta", Some("0".to_owned()), &count, self.meta_removals(&world.meta)));
        }
        attributes
    }

    /// Names the values that somebody else may have set, because no run has recorded any.
    fn replaced(&self) -> Option<String> {
        let values: Vec<_> =
            self.surplus.iter().filter_map(|(_, value)| Some(quoted(value.as_deref()?))).collect();
        let is_reported = !self.is_recorded && !values.is_empty();
        is_reported.then(|| format!("What was there before this object goes: {}.", sorted(values).join(", ")))
    }

    fn update(&self, row: &Row) -> Step {
        let call = self.call(
            "UpdateDomainRecord",
            &[
                ("RecordId", row.id.as_str().into()),
                ("RR", self.rr.into()),
                ("Type", self.input.record_type.into()),
                ("Value", row.value.as_str().into()),
                ("TTL", self.input.ttl.into()),
            ],
        );
        step(ID, &format!("update-{}", row.id), call)
    }
}

/// A value among others in one line.
fn quoted(value: &str) -> String {
    if value.contains(',') { format!("{value:?}") } else { value.to_owned() }
}
