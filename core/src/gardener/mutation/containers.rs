//! The containers of a Deployment.

use super::{Change, named};
use crate::document::Value;
use crate::policy::RequestError;
use crate::report::Rule;

/// Where a Deployment has its containers.
pub const CONTAINERS: [&str; 4] = ["spec", "template", "spec", "containers"];

/// Sets a flag in the command of the container of a name, where there is one: every flag that begins with `prefix` gets
/// the value, and where there is none, one is added.
pub fn ensure_flag(
    change: &mut Change<'_, '_>,
    rule: &'static Rule,
    container: &str,
    (prefix, value): (&str, &str),
    reason: &'static str,
) -> Result<(), RequestError> {
    let containers = change.request.object.at(&CONTAINERS).map(Value::items).unwrap_or_default();
    let Some((index, container)) = named(containers, "name", container) else { return Ok(()) };
    let pointer = format!("/{}/{index}/command", CONTAINERS.join("/"));
    let flag = format!("{prefix}{value}");
    let Some(command) = container.get("command") else {
        return change.mutated.replace(rule, pointer, Value::Array(vec![Value::string(flag)]), reason);
    };
    let mut is_there = false;
    for (place, argument) in command.items().iter().enumerate() {
        let is_flag = argument.as_str().is_some_and(|text| text.starts_with(prefix));
        is_there |= is_flag;
        if is_flag && argument.as_str() != Some(&flag) {
            change.mutated.replace(rule, format!("{pointer}/{place}"), Value::string(flag.clone()), reason)?;
        }
    }
    if is_there {
        return Ok(());
    }
    change.mutated.append_at(rule, &pointer, command.items().len(), Value::string(flag), reason)
}
