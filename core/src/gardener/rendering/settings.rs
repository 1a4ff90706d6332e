//! Settings of a control plane.

use crate::collections::NameMap;
use crate::document::Value;
use crate::policy::RequestError;
use crate::text::{enumerate, join};

/// The corrections of oddities that the extension's own configuration asks for, of those that the policy knows.
pub fn corrections(
    configuration: Option<&Value<'_>>,
    known: &[&'static str],
) -> Result<Vec<&'static str>, RequestError> {
    let all = configuration.and_then(|configuration| configuration.get("corrections")).map(Value::items);
    let mut corrections = Vec::new();
    for correction in all.unwrap_or_default() {
        let Some(known) = known.iter().find(|known| correction.as_str() == Some(**known)) else {
            let quoted: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            let are = if quoted.len() == 1 { "is" } else { "are" };
            let known = enumerate(&quoted, "and");
            let message = format!("`configuration.corrections` has an unknown entry; known {are} {known}");
            return Err(RequestError::Malformed { message, pointer: None });
        };
        corrections.push(*known);
    }
    Ok(corrections)
}

/// Feature gates as a component takes them: `A=true,B=false`.
pub fn feature_gates(gates: &NameMap<'_, bool>) -> String {
    let gates: Vec<String> = gates.iter().map(|(name, on)| format!("{name}={on}")).collect();
    join(&gates, ",")
}
