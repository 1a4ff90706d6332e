//! Objects with one mistake: each field of each accepted object of the corpus, changed in a few ways.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The objects that differ from this one in one field, with the place and what is there; places that `seen` has
/// are left out.
pub fn of(object: &Value, seen: &mut BTreeSet<String>) -> Vec<(String, Value)> {
    let mut places = Vec::new();
    collect(object, String::new(), String::new(), &mut places);
    let mut made = Vec::new();
    for (pointer, place) in places {
        if !seen.insert(place.clone()) {
            continue;
        }
        let Some(found) = object.pointer(&pointer) else { continue };
        for wrong in wrongs(found) {
            let mut changed = object.clone();
            if let Some(here) = changed.pointer_mut(&pointer) {
                *here = wrong.clone();
                made.push((format!("{place} = {wrong}"), changed));
            }
        }
        made.extend(without(object, &pointer).map(|changed| (format!("{place} is missing"), changed)));
    }
    made
}

/// Each place below `spec`: its pointer, and that with `*` for an index.
fn collect(value: &Value, pointer: String, place: String, places: &mut Vec<(String, String)>) {
    let below = |key: &str, general: &str, value: &Value, places: &mut Vec<(String, String)>| {
        let key = key.replace('~', "~0").replace('/', "~1");
        if pointer.is_empty() && key != "spec" {
            return;
        }
        let general = if general.is_empty() { &key } else { general };
        collect(value, format!("{pointer}/{key}"), format!("{place}/{general}"), places);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| below(key, "", value, places)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| below(&index.to_string(), "*", item, places));
        }
        _ => {}
    }
    if pointer.matches('/').count() > 1 {
        places.push((pointer, place));
    }
}

/// Values that are most likely wrong in the place of one.
fn wrongs(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => vec![json!("?wrong!"), json!(""), json!(format!("{text}0"))],
        Value::Number(_) => vec![json!(-1), json!(2_000_000_000)],
        Value::Bool(is) => vec![json!(!is)],
        Value::Array(items) => {
            let twice =
                items.first().map(|first| Value::Array([items.as_slice(), std::slice::from_ref(first)].concat()));
            twice.into_iter().chain([json!([])]).collect()
        }
        Value::Object(members) => {
            let more = members.iter().map(|(key, value)| (key.clone(), value.clone()));
            vec![more.chain([("brandNew".to_owned(), json!("x"))]).collect(), json!({})]
        }
        Value::Null => Vec::new(),
    }
}

fn without(object: &Value, pointer: &str) -> Option<Value> {
    let (above, key) = pointer.rsplit_once('/')?;
    let mut changed = object.clone();
    match changed.pointer_mut(above)? {
        Value::Object(members) => {
            members.shift_remove(&key.replace("~1", "/").replace("~0", "~"))?;
        }
        Value::Array(items) => {
            items.remove(key.parse().ok()?);
        }
        _ => return None,
    }
    Some(changed)
}
