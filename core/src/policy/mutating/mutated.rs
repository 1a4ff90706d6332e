//! An object as a webhook changes it.

use std::borrow::Cow;

use crate::document::{PatchOperation, Path, Value, patch};
use crate::policy::{DefaultChange, RequestError};
use crate::report::Rule;

/// An object that a webhook changes. It has no `Debug`, so that no message can show a Secret.
pub struct Mutated<'r> {
    pub(super) object: Value<'r>,
    pub(super) patch: Vec<PatchOperation>,
    pub(super) changes: Vec<DefaultChange>,
}

impl<'r> Mutated<'r> {
    /// An object as a webhook gets it.
    pub fn of(object: &Value<'r>) -> Self {
        Self { object: object.clone(), patch: Vec::new(), changes: Vec::new() }
    }

    /// The object as it is by now.
    pub fn object(&self) -> &Value<'r> {
        &self.object
    }

    /// Sets the member under nested keys, and says why. Objects on the way that are absent come with the member,
    /// in one operation. Nothing happens where the member has the value.
    pub fn set(
        &mut self,
        rule: &'static Rule,
        keys: &[&'static str],
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let mut pointer = String::new();
        let mut value = value;
        let mut known = Some(&self.object);
        for (depth, key) in keys.iter().enumerate() {
            match known {
                Some(Value::Object(_)) => {}
                Some(other) => {
                    let message = format!("the value must be an object, not {}", other.kind());
                    return Err(RequestError::Malformed { message, pointer: Some(pointer) });
                }
                None => {
                    // What follows is absent: the rest comes as one value.
                    for key in keys.iter().skip(depth).rev() {
                        value = Value::object([(*key, value)]);
                    }
                    break;
                }
            }
            pointer = Path::root("", &pointer).key(key).pointer();
            known = known.and_then(|object| object.get(key));
        }
        if known.is_some_and(|known| known.canonical(false) == value.canonical(false)) {
            return Ok(());
        }
        self.replace(rule, pointer, value, reason)
    }

    /// Sets the member or the entry at `pointer`, whose parent exists, and says why.
    pub fn replace(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let operation = PatchOperation::add(pointer.clone(), &value);
        let Some(op) = patch::set(&mut self.object, &pointer, value) else {
            return Err(no_place(pointer));
        };
        self.note(rule, PatchOperation { op, ..operation }, reason);
        Ok(())
    }

    /// Adds an entry to the end of the list under nested keys, and says why. A list that is absent comes with its
    /// entry.
    pub fn append(
        &mut self,
        rule: &'static Rule,
        keys: &[&'static str],
        entry: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let count = match self.object.at(keys) {
            None => return self.set(rule, keys, Value::Array(vec![entry]), reason),
            Some(list) => list.items().len(),
        };
        let list = keys.iter().fold(String::new(), |pointer, key| Path::root("", &pointer).key(key).pointer());
        self.append_at(rule, &list, count, entry, reason)
    }

    /// Adds an entry to the end of the list at `list`, which exists and has so many entries, and says why.
    pub fn append_at(
        &mut self,
        rule: &'static Rule,
        list: &str,
        count: usize,
        entry: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let operation = PatchOperation::add(format!("{list}/{count}"), &entry);
        if !patch::append(&mut self.object, list, entry) {
            return Err(no_place(list.to_owned()));
        }
        self.note(rule, operation, reason);
        Ok(())
    }

    fn note(&mut self, rule: &'static Rule, operation: PatchOperation, reason: impl Into<Cow<'static, str>>) {
        self.changes.push(DefaultChange {
            rule: rule.id,
            pointer: operation.path.clone(),
            reason: reason.into(),
            overrules: false,
        });
        self.patch.push(operation);
    }
}

fn no_place(pointer: String) -> RequestError {
    RequestError::Malformed { message: "the value must be a list".to_owned(), pointer: Some(pointer) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::report::Operation::Both;

    const RULE: Rule = Rule::default("X-1", &["A"], Both);

    fn patch_of(mutated: &Mutated<'_>) -> String {
        crate::document::write(&mutated.patch)
    }

    #[test]
    fn what_is_absent_on_the_way_comes_in_one_operation() {
        let object = parse(r#"{"a":{"b":null}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        mutated.set(&RULE, &["a", "b", "c", "d"], Value::Bool(true), "why").unwrap();
        assert_eq!(patch_of(&mutated), r#"[{"op":"replace","path":"/a/b","value":{"c":{"d":true}}}]"#);
        assert_eq!(mutated.object().to_string(), r#"{"a":{"b":{"c":{"d":true}}}}"#);
    }

    #[test]
    fn nothing_happens_where_the_value_is_there() {
        let object = parse(r#"{"a":{"b":[{"x":1,"y":2}]}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        let same = parse(r#"[{"y":2,"x":1}]"#).unwrap();
        mutated.set(&RULE, &["a", "b"], same, "why").unwrap();
        assert_eq!(patch_of(&mutated), "[]");
    }

    #[test]
    fn entries_go_to_the_end_of_their_list() {
        let object = parse(r#"{"a":{"b":[1]}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        mutated.append(&RULE, &["a", "b"], Value::Null, "why").unwrap();
        mutated.append(&RULE, &["a", "c"], Value::Null, "why").unwrap();
        assert_eq!(
            patch_of(&mutated),
            r#"[{"op":"add","path":"/a/b/1","value":null},{"op":"add","path":"/a/c","value":[null]}]"#
        );
    }

    #[test]
    fn a_place_of_another_type_is_malformed() {
        let object = parse(r#"{"a":5,"l":{}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        let error = mutated.set(&RULE, &["a", "b"], Value::Null, "why").unwrap_err();
        assert_eq!(error.to_string(), "the value must be an object, not a number");
        let error = mutated.append(&RULE, &["l"], Value::Null, "why").unwrap_err();
        assert_eq!(error.to_string(), "the value must be a list");
        assert_eq!(patch_of(&mutated), "[]");
    }
}
