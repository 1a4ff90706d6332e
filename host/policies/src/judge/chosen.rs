//! An old version that is a manifest: what only defaults chose in it, nobody stored so.

use serde_json::Value;

use crate::answer::{Severity, Undecided, Validation, Verdict};

/// What an error becomes that is one only by a value which defaults chose in the old version.
const WHY: &str = "depends on a value that the old manifest leaves to Gardener, and nobody knows here what Gardener chose; give the object as \
                   it is stored with `--old`";

/// The old version with the values of the new one wherever defaults chose others than it has; none where there are
/// no such values. All are JSON texts: the old version as it is written and with its defaults, and the new one
/// with its defaults.
pub(super) fn as_in_new(written: &str, completed: &str, new: &str) -> Option<String> {
    let [written, completed, new] = [written, completed, new].map(|text| serde_json::from_str::<Value>(text).ok());
    let completed = completed?;
    let settled = settle(written.as_ref(), &completed, new.as_ref());
    (settled != completed).then(|| settled.to_string())
}

fn settle(written: Option<&Value>, completed: &Value, new: Option<&Value>) -> Value {
    match (written, completed) {
        (Some(written), completed) if written == completed => completed.clone(),
        (Some(Value::Object(written)), Value::Object(completed)) => {
            let member = |(key, value): (&String, &Value)| {
                let (written, new) = (written.get(key), new.and_then(|new| new.get(key)));
                let is_chosen_alone = written.is_none() && new.is_none();
                (!is_chosen_alone).then(|| (key.clone(), settle(written, value, new)))
            };
            Value::Object(completed.iter().filter_map(member).collect())
        }
        (Some(Value::Array(written)), Value::Array(completed)) if written.len() == completed.len() => {
            let entry = |(written, value): (&Value, &Value)| settle(Some(written), value, partner(value, new));
            Value::Array(written.iter().zip(completed).map(entry).collect())
        }
        (_, completed) => new.unwrap_or(completed).clone(),
    }
}

/// The entry of a list that has the name of another entry.
fn partner<'n>(entry: &Value, list: Option<&'n Value>) -> Option<&'n Value> {
    let name = entry.get("name")?;
    list?.as_array()?.iter().find(|other| other.get("name") == Some(name))
}

/// Makes undecided what is an error next to the completed old version, and none next to the settled one. A warning
/// of that sort says what nobody knows, and is left out.
pub(super) fn open(validation: &mut Validation, settled: &Validation) {
    let is_certain = |rule: &Option<String>, pointer: &str| {
        settled.findings.iter().any(|other| &other.rule == rule && other.pointer == pointer)
    };
    let findings = std::mem::take(&mut validation.findings);
    for finding in findings {
        if is_certain(&finding.rule, &finding.pointer) {
            validation.findings.push(finding);
        } else if finding.severity == Severity::Error {
            let rule = finding.rule.unwrap_or_default();
            let why = format!("`{}` ({}): {WHY}", finding.field, finding.detail);
            validation.undecided.push(Undecided { rule, source: String::new(), why, query: None });
        }
    }
    let is_wrong = validation.findings.iter().any(|finding| finding.severity == Severity::Error);
    if validation.verdict == Verdict::Reject && !is_wrong {
        validation.verdict = Verdict::Undecided;
    }
}

#[cfg(test)]
mod tests {
    use super::as_in_new;

    #[test]
    fn only_what_defaults_chose_becomes_as_in_the_new_version() {
        for (written, completed, new, settled) in [
            (r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":2}"#, None),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, r#"{"a":2,"b":3}"#, Some(r#"{"a":1,"b":3}"#)),
            ("{}", r#"{"mask":64}"#, r#"{"families":["IPv4"]}"#, Some("{}")),
            (r#"{"v":"1.33"}"#, r#"{"v":"1.33.4"}"#, r#"{"v":"1.33.2"}"#, Some(r#"{"v":"1.33.2"}"#)),
            (
                r#"{"w":[{"name":"a"},{"name":"b"}]}"#,
                r#"{"w":[{"name":"a","i":1},{"name":"b","i":1}]}"#,
                r#"{"w":[{"name":"b","i":2}]}"#,
                Some(r#"{"w":[{"name":"a"},{"name":"b","i":2}]}"#),
            ),
        ] {
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(as_in_new(written, completed, new).as_deref().map(value), settled.map(value), "{written}");
        }
    }
}
