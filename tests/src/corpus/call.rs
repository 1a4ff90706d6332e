//! A call in short: `call: vpc CreateVpc`, with the rest of the call next to it.

use serde_json::{Map, Value, json};

/// What stands next to the name of a call, in the order of a call.
const PARTS: [&str; 3] = ["parameters", "account", "token"];

/// Shortens the call of an object, if it has one.
pub fn shorten(members: &mut Map<String, Value>) {
    let Some(Value::Object(call)) = members.get("call").cloned() else { return };
    let [service, action] = ["service", "action"].map(|name| call.get(name).and_then(Value::as_str));
    let (Some(service), Some(action)) = (service, action) else { return };
    for (name, value) in std::mem::take(members) {
        if name == "call" {
            members.insert(name, format!("{service} {action}").into());
            members.extend(parts(&call));
        } else {
            members.insert(name, value);
        }
    }
}

/// Makes the call of an object whole, if it has one in short.
pub fn expand(members: &mut Map<String, Value>) {
    let Some((service, action)) =
        members.get("call").and_then(Value::as_str).and_then(|call| call.split_once(' '))
    else {
        return;
    };
    let mut call = Map::from_iter([("service".to_owned(), json!(service)), ("action".to_owned(), json!(action))]);
    call.extend(parts(members));
    members.retain(|name, _| !PARTS.contains(&name.as_str()));
    members.insert("call".to_owned(), call.into());
}

fn parts(members: &Map<String, Value>) -> Vec<(String, Value)> {
    PARTS.iter().filter_map(|name| Some(((*name).to_owned(), members.get(*name)?.clone()))).collect()
}
