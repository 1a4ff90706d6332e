//! Answers in short, and the answers that they stand for.
//!
//! An answer is written with its own members, but for those that follow from others:
//!
//! | function | follows |
//! |---|---|
//! | `validate` | `verdict` from findings and the undecided rules that may reject; nothing of either is `accept`; `scope` from the policy and `leavesOut`, the parts of the object that no rule judges |
//! | `default` | `object` from the request and the patch; no patch, no change and nothing undecided is `unchanged` |
//! | `mutate` | as of `default`; without object, patch and changes where there are findings, or where something is undecided |
//! | `addresses`, `zones` | bounds of ranges, as in `range` |
//! | `plan` | what changes repeat, as in `change`; entries that another case has too, as in `likeness` |
//! | any | findings, as in `finding`; calls are written as in `call` |
//!
//! An answer for which these rules do not hold is written as its text.

use serde_json::{Map, Value, json};
use trellis_core::report::Severity;

use super::document::edited;
use super::error::Mistake;
use super::finding::FindingContext;
use super::{call, change, likeness, range};

/// Members of the answers whose empty lists are left out.
const LISTS: [(&str, &[&str]); 3] = [
    ("validate", &["findings", "undecided"]),
    ("default", &["patch", "changes", "undecided"]),
    ("mutate", &["patch", "changes", "findings", "undecided"]),
];

/// Lists of `mutate` that are there where the object is.
const OF_OBJECT: [&str; 2] = ["patch", "changes"];

/// The parts of the object that no rule judges, behind what no verdict of the policy covers in `scope.notChecked`.
const LEFT_OUT: &str = "leavesOut";

fn lists(function: &str) -> &'static [&'static str] {
    LISTS.iter().find(|(name, _)| *name == function).map_or(&[], |(_, lists)| lists)
}

/// The expectation that stands for an answer.
pub fn shorten(function: &str, context: &FindingContext<'_>, answer: &str) -> Value {
    let short = serde_json::from_str(answer).ok().map(|answer| members(function, context, &answer));
    let stands = |short: &Value| whole(function, context, short).is_ok_and(|whole| whole == answer);
    short.filter(stands).unwrap_or_else(|| json!({ "text": answer }))
}

fn members(function: &str, context: &FindingContext<'_>, answer: &Value) -> Value {
    let mut short = answer.as_object().cloned().unwrap_or_default();
    let follows = match function {
        "validate" => "verdict",
        "default" | "mutate" => "object",
        _ => "",
    };
    short.shift_remove(follows);
    if function == "validate" {
        let scope = short.shift_remove("scope").unwrap_or_default();
        let left_out = context.left_out(&scope);
        if !left_out.is_empty() {
            short.insert(LEFT_OUT.to_owned(), left_out.into());
        }
    }
    for list in lists(function) {
        if short.get(*list).is_some_and(|list| list == &json!([])) {
            short.shift_remove(*list);
        }
    }
    if let Some(Value::Array(findings)) = short.get_mut("findings") {
        for finding in findings {
            *finding = context.shorten(finding);
        }
    }
    if let Some(Value::Object(plan)) = short.get_mut("plan") {
        change::shorten(plan);
        likeness::shorten(plan, &other(context));
    }
    let mut short = Value::Object(short);
    for_each_object(&mut short, &|object| {
        call::shorten(object);
        if has_ranges(function) {
            range::shorten(object);
        }
    });
    match function {
        "validate" if short == json!({}) => "accept".into(),
        "default" | "mutate" if short == json!({}) => "unchanged".into(),
        _ => short,
    }
}

/// The text of the answer that an expectation stands for.
pub fn whole(function: &str, context: &FindingContext<'_>, short: &Value) -> Result<String, Mistake> {
    let mut short = short.clone();
    for_each_object(&mut short, &|object| {
        call::expand(object);
        if has_ranges(function) {
            range::expand(object);
        }
    });
    let mut members = match (function, short) {
        ("validate", Value::String(word)) if word == "accept" => Map::new(),
        ("default" | "mutate", Value::String(word)) if word == "unchanged" => Map::new(),
        (_, Value::Object(members)) => members,
        (_, other) => return Err(Mistake::Expectation(format!("{other} is no answer of `{function}`"))),
    };
    if let (1, Some(Value::String(text))) = (members.len(), members.get("text")) {
        return Ok(text.clone());
    }
    let left_out = members.shift_remove(LEFT_OUT).unwrap_or_default();
    if let Some(Value::Array(findings)) = members.get_mut("findings") {
        for finding in findings {
            *finding = context.whole(finding)?;
        }
    }
    if let Some(Value::Object(plan)) = members.get_mut("plan") {
        likeness::expand(plan, &other(context))?;
        change::expand(plan);
    }
    if members.contains_key("error") || lists(function).is_empty() {
        return Ok(Value::Object(members).to_string());
    }
    if let Some(unknown) = members.keys().find(|name| !lists(function).contains(&name.as_str())) {
        return Err(Mistake::Expectation(format!("`{function}` answers no `{unknown}`")));
    }
    let mut answer = Map::new();
    let refuses = function == "mutate" && ["findings", "undecided"].iter().any(|list| members.contains_key(*list));
    if refuses {
        // There is no object, nor what belongs to it.
    } else if function == "validate" {
        answer.insert("verdict".to_owned(), verdict(context, &members).into());
    } else {
        let object = edited(context.object.clone(), members.get("patch").unwrap_or(&Value::Null))?;
        answer.insert("object".to_owned(), object);
    }
    for list in lists(function).iter().filter(|list| !refuses || !OF_OBJECT.contains(list)) {
        answer.insert((*list).to_owned(), members.shift_remove(*list).unwrap_or_else(|| json!([])));
    }
    if function == "validate" {
        answer.insert("scope".to_owned(), context.scope(&left_out));
    }
    Ok(Value::Object(answer).to_string())
}

/// The plan that the plan of a case is like, in short.
fn other(context: &FindingContext<'_>) -> Value {
    let mut plan = context.like["plan"].clone();
    if let Value::Object(plan) = &mut plan {
        change::shorten(plan);
    }
    plan
}

/// Whether the answers of a function are about ranges.
fn has_ranges(function: &str) -> bool {
    matches!(function, "addresses" | "zones")
}

/// Visits a value and all objects within it.
fn for_each_object(value: &mut Value, visit: &dyn Fn(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values_mut().for_each(|value| for_each_object(value, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_object(item, visit)),
        _ => {}
    }
}

/// `reject` where a finding is an error, else `undecided` where a rule is that may reject.
fn verdict(context: &FindingContext<'_>, members: &Map<String, Value>) -> &'static str {
    let undecided = members.get("undecided").and_then(Value::as_array);
    let mut open = undecided.into_iter().flatten().filter_map(|open| context.rule(open["rule"].as_str()?));
    let findings = members.get("findings").and_then(Value::as_array);
    if findings.into_iter().flatten().any(|finding| finding["severity"] == "error") {
        "reject"
    } else if open.any(|rule| rule.severity != Some(Severity::Warning)) {
        "undecided"
    } else {
        "accept"
    }
}
