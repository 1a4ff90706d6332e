//! A change of a plan in short: what its resource and its steps say is left out.

use serde_json::{Map, Value};

/// Members of a change, in their order.
const MEMBERS: [&str; 10] =
    ["id", "action", "kind", "name", "resourceId", "before", "after", "forcesReplacement", "disruption", "steps"];

/// What follows about a change from the resources and steps of its plan.
fn derived(plan: &Map<String, Value>, change: &Value, name: &str) -> Option<Value> {
    let list = |name: &str| plan.get(name).and_then(Value::as_array).into_iter().flatten();
    match name {
        "action" | "kind" | "name" | "resourceId" => {
            list("resources").find(|resource| resource["id"] == change["id"])?.get(name).cloned()
        }
        "steps" => {
            let is_of_change = |id: &&Value| {
                id.as_str().and_then(|id| id.rsplit_once('/')).map(|(of, _)| of) == change["id"].as_str()
            };
            Some(list("steps").map(|step| &step["id"]).filter(is_of_change).cloned().collect())
        }
        _ => None,
    }
}

/// Shortens the changes of a plan.
pub fn shorten(plan: &mut Map<String, Value>) {
    rewrite(plan, |plan, change, name| {
        let found = change.get(name).cloned();
        if found == derived(plan, change, name) { None } else { found }
    });
}

/// Makes the changes of a plan whole.
pub fn expand(plan: &mut Map<String, Value>) {
    rewrite(plan, |plan, change, name| change.get(name).cloned().or_else(|| derived(plan, change, name)));
}

fn rewrite(plan: &mut Map<String, Value>, member: impl Fn(&Map<String, Value>, &Value, &str) -> Option<Value>) {
    let rewritten = |change: &Value| -> Value {
        let members = MEMBERS.iter().filter_map(|name| Some(((*name).to_owned(), member(plan, change, name)?)));
        Value::Object(members.collect())
    };
    let Some(Value::Array(changes)) = plan.get("changes") else { return };
    let changes: Value = changes.iter().map(rewritten).collect();
    plan.insert("changes".to_owned(), changes);
}
