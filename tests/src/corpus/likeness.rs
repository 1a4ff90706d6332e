//! A plan in short that is like the plan of another case: an entry that both have is written as its id.

use serde_json::{Map, Value};

use super::error::Mistake;

/// The lists of a plan whose entries have ids.
const LISTS: [&str; 3] = ["resources", "changes", "steps"];

/// The entry of a list with an id.
fn entry<'p>(plan: &'p Value, list: &str, id: &Value) -> Option<&'p Value> {
    plan[list].as_array()?.iter().find(|entry| &entry["id"] == id)
}

/// Writes the ids of entries that the other plan has too.
pub fn shorten(plan: &mut Map<String, Value>, other: &Value) {
    for list in LISTS {
        for mine in plan.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if entry(other, list, &mine["id"]) == Some(mine) {
                *mine = mine["id"].take();
            }
        }
    }
}

/// Replaces ids by the entries of the other plan.
pub fn expand(plan: &mut Map<String, Value>, other: &Value) -> Result<(), Mistake> {
    for list in LISTS {
        let entries = plan.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        for id in entries.filter(|entry| entry.is_string()) {
            let unknown =
                || Mistake::Expectation(format!("the case that `like` names has no {id} among its {list}"));
            *id = entry(other, list, id).ok_or_else(unknown)?.clone();
        }
    }
    Ok(())
}
