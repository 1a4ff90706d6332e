//! The JSON merge patch (RFC 7386) that brings a document into `status.state`.

use serde_json::{Map, Value};

/// The document that `status.state` should hold: the wanted one, with the members next to it that the found one
/// has and that nobody here knows. A document of another kind, such as Terraform's, goes with all its members.
pub(super) fn onto(found: Option<&Value>, wanted: &Map<String, Value>) -> Value {
    const KIND: &str = "kind";
    let same = found.and_then(Value::as_object).filter(|found| found.get(KIND) == wanted.get(KIND));
    let mut document = same.cloned().unwrap_or_default();
    document.extend(wanted.iter().map(|(key, value)| (key.clone(), value.clone())));
    // A merge patch cannot write a null.
    document.retain(|key, value| !value.is_null() || !wanted.contains_key(key));
    Value::Object(document)
}

/// The merge patch that makes one document of another; `None` where they are equal.
pub(super) fn between(found: Option<&Value>, wanted: &Value) -> Option<Value> {
    if found == Some(wanted) {
        return None;
    }
    let (Some(Value::Object(found)), Value::Object(wanted)) = (found, wanted) else { return Some(wanted.clone()) };
    let gone = found.keys().filter(|key| !wanted.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let changed =
        wanted.iter().filter_map(|(key, value)| between(found.get(key), value).map(|patch| (key.clone(), patch)));
    Some(Value::Object(gone.chain(changed).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_has_what_changes_and_nothing_else() {
        let flow = |data: Value| json!({ "kind": "FlowState", "apiVersion": "a/v1", "data": data });
        let with = |mut document: Value, key: &str, value: Value| {
            document[key] = value;
            document
        };
        for (found, wanted, patch) in [
            (None, flow(json!({ "VPC": "v" })), Some(flow(json!({ "VPC": "v" })))),
            (Some(Value::Null), flow(json!({})), Some(flow(json!({})))),
            (Some(flow(json!({ "VPC": "v" }))), flow(json!({ "VPC": "v" })), None),
            (
                Some(flow(json!({ "VPC": "v", "Old": "o", "Same": "s" }))),
                flow(json!({ "VPC": "w", "New": "n", "Same": "s" })),
                Some(json!({ "data": { "Old": null, "VPC": "w", "New": "n" } })),
            ),
            (
                Some(with(flow(json!({ "VPC": "v" })), "extra", json!({ "a": 1 }))),
                flow(json!({})),
                Some(json!({ "data": { "VPC": null } })),
            ),
            (Some(with(flow(json!({})), "extra", Value::Null)), flow(json!({})), None),
            (
                Some(json!({ "data": "e30=", "encoding": "base64" })),
                flow(json!({ "VPC": "v" })),
                Some(with(flow(json!({ "VPC": "v" })), "encoding", Value::Null)),
            ),
            (Some(json!("text")), flow(json!({})), Some(flow(json!({})))),
            (Some(flow(json!({}))), with(flow(json!({})), "more", Value::Null), None),
        ] {
            let document = onto(found.as_ref(), wanted.as_object().unwrap());
            assert_eq!(between(found.as_ref(), &document), patch, "{found:?} {wanted}");
        }
    }
}
