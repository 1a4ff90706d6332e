//! What a response shows: an item, which conditions hold, and what to record.

use serde_json::Value;

use crate::call::resolve::{self, ResolveError};
use crate::document::pointer::{at, plain};
use crate::document::{Condition, Effects, Item, Probe, Records, State};

/// What a probe looks at; its references are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target<'p> {
    probe: &'p Probe,
    /// The item in the response, and the value of its key; absent where the probe looks at the whole response.
    item: Option<(&'p Item, String)>,
    /// Values of items that are not looked at: those that the probe would record of them.
    former: Vec<&'p str>,
}

/// The words about an item that its list does not have.
pub(super) const ABSENT: &str = "it is not there";

/// What a response shows about an effect.
#[derive(Debug, PartialEq)]
pub(super) enum Sighting {
    /// The effect has come. The item, where the probe names one.
    Success(Option<Value>),
    /// The effect will not come: what is so instead.
    Failure(String),
    /// The effect has not come yet: how things are.
    NotYet(String),
}

impl<'p> Target<'p> {
    pub(super) fn new(probe: &'p Probe, state: &State) -> Result<Self, ResolveError> {
        let item = match &probe.item {
            Some(item) => Some((item, resolve::text(&item.value, state)?)),
            None => None,
        };
        Ok(Self { probe, item, former: Vec::new() })
    }

    /// The same, and not at an item of which the probe would record one of some values: that was there before.
    pub(super) fn other_than(self, former: Vec<&'p str>) -> Self {
        Self { former, ..self }
    }

    fn is_former(&self, item: &Value) -> bool {
        let values = || self.probe.record.values().filter_map(|pointer| at(item, pointer).and_then(plain));
        !self.former.is_empty() && values().any(|value| self.former.contains(&&*value))
    }

    /// Looks at a response; without a response, at an empty list.
    pub(super) fn look(&self, response: Option<&Value>) -> Sighting {
        let found = match (&self.item, response) {
            (Some((item, value)), Some(response)) => match entries(response, &item.list) {
                Some(entries) => entries.iter().find(|entry| {
                    entry.get(&item.key).and_then(plain).is_some_and(|text| text == *value)
                        && !self.is_former(entry)
                }),
                None => return Sighting::NotYet(format!("the response has no list at `{}`", item.list)),
            },
            (Some(_), None) => None,
            (None, response) => response.filter(|response| !self.is_former(response)),
        };
        let Some(unmet) = unmet(&self.probe.success, found) else { return Sighting::Success(found.cloned()) };
        match self.probe.failure.iter().find(|condition| holds(condition, found)) {
            None => Sighting::NotYet(unmet),
            Some(condition) => {
                let ended = describe(condition, found);
                Sighting::Failure(if ended == unmet { ended } else { format!("{ended}, and {unmet}") })
            }
        }
    }
}

/// Describes the item by the first condition that does not hold; `None` where all conditions hold.
pub(super) fn unmet(conditions: &[Condition], item: Option<&Value>) -> Option<String> {
    let unmet = conditions.iter().find(|condition| !holds(condition, item));
    unmet.map(|condition| describe(condition, item))
}

/// Whether the probe waits for nothing but the absence of the item.
pub(super) fn waits_for_absence(probe: &Probe) -> bool {
    probe.success.iter().all(|condition| matches!(condition, Condition::Gone { .. }))
}

/// What to write to the state from a response or an item, and the first pointer that leads nowhere.
pub(super) fn recorded(records: &Records, value: &Value) -> (Effects, Option<String>) {
    let mut missing = None;
    let mut effects = Effects::new();
    for (key, pointer) in records {
        match at(value, pointer).and_then(plain) {
            Some(text) => {
                effects.insert(key.clone(), Some(text.into_owned()));
            }
            None => missing = missing.or_else(|| Some(pointer.clone())),
        }
    }
    (effects, missing)
}

/// A list of a response. An API may leave out an empty list: the list is empty where the response has the object
/// around it.
fn entries<'v>(response: &'v Value, pointer: &str) -> Option<&'v [Value]> {
    if let Some(list) = response.pointer(pointer) {
        return list.as_array().map(Vec::as_slice);
    }
    let (parent, _) = pointer.rsplit_once('/')?;
    (!parent.is_empty() && response.pointer(parent)?.is_object()).then_some(&[])
}

fn holds(condition: &Condition, item: Option<&Value>) -> bool {
    let text = |pointer: &str| at(item?, pointer).and_then(plain);
    match condition {
        Condition::Gone { gone } => item.is_none() == *gone,
        Condition::Among { at, among } => text(at).is_some_and(|text| among.iter().any(|one| *one == text)),
        Condition::Ends { at, ends } => text(at).is_some_and(|text| ends.iter().any(|end| text.ends_with(end))),
        Condition::Present { present } => text(present).is_some_and(|text| !text.is_empty()),
    }
}

/// Describes the value that a condition looks at.
fn describe(condition: &Condition, item: Option<&Value>) -> String {
    let Some(item) = item else { return ABSENT.to_owned() };
    match condition {
        Condition::Gone { .. } => "it is still there".to_owned(),
        Condition::Among { at: pointer, .. }
        | Condition::Ends { at: pointer, .. }
        | Condition::Present { present: pointer } => {
            let name = pointer.trim_start_matches('/');
            match at(item, pointer).and_then(plain) {
                Some(text) => format!("its {name} is `{text}`"),
                None => format!("it has no {name}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn probe(success: &Value, failure: &Value) -> Probe {
        serde_json::from_value(json!({
            "call": { "service": "vpc", "action": "DescribeVSwitches" },
            "item": { "list": "/VSwitches/VSwitch", "key": "Id", "value": { "ref": "ID" } },
            "success": success, "failure": failure, "interval": 5, "limit": 60,
        }))
        .unwrap()
    }

    fn look(probe: &Probe, response: Option<&Value>) -> Sighting {
        Target::new(probe, &State::from([("ID".to_owned(), "7".to_owned())])).unwrap().look(response)
    }

    fn list(items: &Value) -> Value {
        json!({ "VSwitches": { "VSwitch": items } })
    }

    #[test]
    fn the_item_is_looked_up_by_its_key() {
        let probe = probe(&json!([{ "at": "/Status", "among": ["Available"] }]), &json!([]));
        let item = json!({ "Id": 7, "Status": "Available" });
        let seen = look(&probe, Some(&list(&json!([{ "Id": "8", "Status": "Available" }, item]))));
        assert_eq!(seen, Sighting::Success(Some(item)));
        let pending = look(&probe, Some(&list(&json!([{ "Id": "7", "Status": "Pending" }]))));
        assert_eq!(pending, Sighting::NotYet("its Status is `Pending`".to_owned()));
        let absent = look(&probe, Some(&list(&json!([]))));
        assert_eq!(absent, Sighting::NotYet("it is not there".to_owned()));
    }

    #[test]
    fn an_empty_list_or_none_means_absence_but_another_response_does_not() {
        let probe = probe(&json!([{ "gone": true }]), &json!([]));
        assert_eq!(look(&probe, Some(&list(&json!([])))), Sighting::Success(None));
        assert_eq!(look(&probe, Some(&json!({ "VSwitches": {} }))), Sighting::Success(None));
        assert_eq!(look(&probe, None), Sighting::Success(None));
        assert!(matches!(look(&probe, Some(&json!({}))), Sighting::NotYet(_)));
        assert!(matches!(look(&probe, Some(&list(&json!("text")))), Sighting::NotYet(_)));
        assert!(matches!(look(&probe, Some(&list(&json!([{ "Id": "7" }])))), Sighting::NotYet(_)));
    }

    #[test]
    fn any_failure_ends_it_and_all_of_success_is_needed() {
        let success = json!([{ "present": "/Ip" }, { "at": "/Status", "ends": ["_COMPLETE"] }]);
        let probe = probe(&success, &json!([{ "at": "/Status", "ends": ["_FAILED"] }]));
        let seen = |item: Value| look(&probe, Some(&list(&json!([item]))));
        assert!(matches!(
            seen(json!({ "Id": "7", "Ip": "1", "Status": "CREATE_COMPLETE" })),
            Sighting::Success(_)
        ));
        let failed = seen(json!({ "Id": "7", "Ip": "1", "Status": "CREATE_FAILED" }));
        assert_eq!(failed, Sighting::Failure("its Status is `CREATE_FAILED`".to_owned()));
        let empty = seen(json!({ "Id": "7", "Ip": "", "Status": "CREATE_COMPLETE" }));
        assert_eq!(empty, Sighting::NotYet("its Ip is ``".to_owned()));
    }

    #[test]
    fn all_of_success_goes_before_any_failure_and_what_lacks_is_reported_with_the_failure() {
        let success = json!([{ "at": "/Status", "among": ["DONE"] }, { "present": "/Outputs/OutputKey=ImageId/OutputValue" }]);
        let mut probe = probe(&success, &json!([{ "at": "/Status", "among": ["DONE", "FAILED"] }]));
        probe.item = None;
        let seen =
            |status: &str, outputs: Value| look(&probe, Some(&json!({ "Status": status, "Outputs": outputs })));
        let output = |key: &str, value: &str| json!({ "OutputKey": key, "OutputValue": value });
        let image = output("ImageId", "m-1");
        assert!(matches!(seen("DONE", json!([output("Other", "x"), image])), Sighting::Success(Some(_))));
        let lacks = "its Status is `DONE`, and it has no Outputs/OutputKey=ImageId/OutputValue";
        for outputs in [json!([]), json!([output("Other", "m-1")]), json!("none")] {
            assert_eq!(seen("DONE", outputs), Sighting::Failure(lacks.to_owned()));
        }
        assert!(matches!(seen("DONE", json!([output("ImageId", "")])), Sighting::Failure(_)));
        assert_eq!(seen("FAILED", json!([])), Sighting::Failure("its Status is `FAILED`".to_owned()));
        assert_eq!(seen("GOING", json!([])), Sighting::NotYet("its Status is `GOING`".to_owned()));
    }

    #[test]
    fn a_pointer_chooses_an_item_of_a_list_by_a_member() {
        let value =
            json!({ "a": [{ "k": "x", "l": [{ "n": 1, "v": "deep" }] }, { "k": "y/z" }], "b=c": 1, "d": {} });
        for (pointer, found) in [
            ("/a/k=x/l/n=1/v", Some("deep")),
            ("/a/k=x/k", Some("x")),
            ("/a/0/k", Some("x")),
            ("/a/k=none/k", None),
            ("/a/n=x", None),
            ("/d/k=x/k", None),
            ("/a/k=x/l/n=2/v", None),
            ("k=x", None),
        ] {
            assert_eq!(at(&value, pointer).and_then(Value::as_str), found, "{pointer}");
        }
    }

    #[test]
    fn what_can_be_recorded_is_and_the_rest_is_reported() {
        let records = Records::from([
            ("A".to_owned(), "/Id".to_owned()),
            ("B".to_owned(), "/List/0".to_owned()),
            ("C".to_owned(), "/None".to_owned()),
        ]);
        let (effects, missing) = recorded(&records, &json!({ "Id": 7, "List": ["x"] }));
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(effects, Effects::from([("A".to_owned(), text("7")), ("B".to_owned(), text("x"))]));
        assert_eq!(missing.as_deref(), Some("/None"));
    }
}
