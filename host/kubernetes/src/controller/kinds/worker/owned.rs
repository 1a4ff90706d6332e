//! Parts of objects that are the controller's own as a whole.

use serde_json::Value;

/// The wanted value of a part that nobody else writes into: members that it does not have are null, so that a
/// merge patch removes them from the live part. Empty ones are left alone; they say nothing.
pub fn owned(live: Option<&Value>, wanted: Value) -> Value {
    let mut whole = wanted;
    if let (Some(Value::Object(live)), Value::Object(members)) = (live, &mut whole) {
        for (key, live) in live {
            match members.get_mut(key) {
                Some(wanted) => *wanted = owned(Some(live), wanted.take()),
                None if is_empty(live) => {}
                None => {
                    members.insert(key.clone(), Value::Null);
                }
            }
        }
    }
    whole
}

/// Whether a value says as much as its absence.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(members) => members.values().all(is_empty),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// A value without the members that are null, which an API server may keep or not.
pub fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_are_not_wanted_are_null_unless_they_say_nothing() {
        let live = json!({ "a": 1, "b": { "c": 1, "d": { "e": null } }, "f": [], "g": [1], "h": {} });
        let wanted = json!({ "a": 2, "b": { "x": 1 }, "i": { "j": 1 } });
        let expected = json!({ "a": 2, "b": { "x": 1, "c": null }, "i": { "j": 1 }, "g": null });
        assert_eq!(owned(Some(&live), wanted.clone()), expected);
        assert_eq!(owned(None, wanted.clone()), wanted);
        assert_eq!(owned(Some(&json!([1])), wanted.clone()), wanted);
    }

    #[test]
    fn nulls_are_left_out_everywhere() {
        let value = json!({ "a": null, "b": { "c": null, "d": [{ "e": null, "f": 1 }] } });
        assert_eq!(without_nulls(&value), json!({ "b": { "d": [{ "f": 1 }] } }));
    }
}
