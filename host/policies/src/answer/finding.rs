//! What is wrong with an object, and what is done about it.

use super::{Finding, FindingCause, PatchOperation, Severity};

impl Finding {
    /// The sort of the error, in the words of Kubernetes.
    pub fn sort(&self) -> &str {
        match self.type_.as_str() {
            "FieldValueNotFound" => "Not found",
            "FieldValueRequired" => "Required value",
            "FieldValueDuplicate" => "Duplicate value",
            "FieldValueInvalid" | "FieldValueTypeInvalid" => "Invalid value",
            "FieldValueNotSupported" => "Unsupported value",
            "FieldValueForbidden" => "Forbidden",
            "FieldValueTooLong" => "Too long",
            "FieldValueTooMany" => "Too many",
            "InternalError" => "Internal error",
            other => other,
        }
    }

    /// Whether the finding is about a value of which several other ones may be meant.
    pub fn is_guess(&self) -> bool {
        self.type_ == "FieldValueNotSupported"
    }

    /// Whether the finding is about the object as a whole, and not about a value.
    pub fn is_denial(&self) -> bool {
        self.type_ == "Denied"
    }

    /// What a finding that follows from this one calls it; none without a rule.
    pub fn as_cause(&self) -> Option<FindingCause> {
        Some(FindingCause { rule: self.rule.clone()?, pointer: self.pointer.clone() })
    }

    /// An error about a field that is missing, which is of no rule of a policy.
    pub fn required(source: &str, field: &str, pointer: &str, detail: String, remedy: &str) -> Self {
        Self {
            rule: None,
            source: source.to_owned(),
            severity: Severity::Error,
            type_: "FieldValueRequired".to_owned(),
            field: field.to_owned(),
            pointer: pointer.to_owned(),
            at_key: false,
            bad_value: None,
            detail,
            summary: String::new(),
            remedy: remedy.to_owned(),
            fix: None,
            assume: Vec::new(),
            choices: Vec::new(),
            supported: Vec::new(),
            caused_by: None,
            assumed: false,
            since: None,
        }
    }
}

impl PartialEq for PatchOperation {
    fn eq(&self, other: &Self) -> bool {
        let value = |one: &Self| one.value.as_ref().map(|value| value.get().to_owned());
        (&self.op, &self.from, &self.path) == (&other.op, &other.from, &other.path) && value(self) == value(other)
    }
}

impl Eq for PatchOperation {}

impl PatchOperation {
    /// Whether the operation removes the value at the pointer.
    pub fn is_removal(&self, pointer: &str) -> bool {
        self.op == "remove" && self.path == pointer
    }
}
