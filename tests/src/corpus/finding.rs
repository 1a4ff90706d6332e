//! A finding in short: what follows from the request and from the rule is left out.
//!
//! | member | left out where it is |
//! |---|---|
//! | `pointer` | the field as a pointer, below the file's `fields` unless the field begins with `spec` or `metadata` |
//! | `badValue` | the scalar at the pointer, cut at 256 bytes; `null` where there is nothing; absent in a Secret, and in what `mutate` judges |
//! | `remedy` | the `fix` of the rule |

use serde_json::{Map, Value};
use trellis_core::report::Rule;

use super::error::Mistake;

/// Bytes of a bad value that are shown.
const MAX_BAD_VALUE: usize = 256;
/// Kinds of which findings show no value.
const WITHOUT_VALUES: [&str; 3] = ["Secret", "Deployment", "OperatingSystemConfig"];
/// Members of a finding that are written only where they do not follow from others, or where there are any.
const FURTHER: [&str; 10] =
    ["pointer", "atKey", "badValue", "summary", "remedy", "fix", "assume", "choices", "supported", "causedBy"];

/// Members of a finding behind its place, in their order.
const MEMBERS: [&str; 11] = [
    "pointer",
    "atKey",
    "badValue",
    "detail",
    "summary",
    "remedy",
    "fix",
    "assume",
    "choices",
    "supported",
    "causedBy",
];

/// What parts of an answer follow from, besides the answer itself.
#[derive(Debug)]
pub struct FindingContext<'c> {
    /// Provider type.
    pub provider: &'c str,
    /// The object that is judged.
    pub object: &'c Value,
    /// Where the fields of findings are that do not begin with `spec` or `metadata`: a pointer.
    pub fields: &'c str,
    /// The answer of the case that this one is like; null where the case names none.
    pub like: &'c Value,
}

impl FindingContext<'_> {
    /// A finding in short.
    pub fn shorten(&self, finding: &Value) -> Value {
        let text = |name: &str| finding[name].as_str().unwrap_or_default();
        let place = [text("rule"), text("type"), text("field")].join(" ");
        let mut short = Map::new();
        short.insert(text("severity").to_owned(), place.trim_end().into());
        short.insert("detail".to_owned(), finding["detail"].clone());
        for name in FURTHER {
            let found = finding.get(name);
            if found != self.derived(name, finding).as_ref() {
                short.extend(found.map(|value| (name.to_owned(), value.clone())));
            }
        }
        Value::Object(short)
    }

    /// The finding that is meant by one in short.
    pub fn whole(&self, short: &Value) -> Result<Value, Mistake> {
        let wrong = |what: &str| Mistake::Expectation(format!("{what} in the finding {short}"));
        let members = short.as_object().ok_or_else(|| wrong("members are missing"))?;
        let known = |name: &str| ["error", "warning", "detail"].contains(&name) || FURTHER.contains(&name);
        if let Some(unknown) = members.keys().find(|name| !known(name)) {
            return Err(wrong(&format!("the member `{unknown}` is unknown")));
        }
        let severity = ["error", "warning"].into_iter().find(|name| members.contains_key(*name));
        let severity = severity.ok_or_else(|| wrong("`error` or `warning` is missing"))?;
        let place = short[severity].as_str().unwrap_or_default();
        let mut words = place.splitn(3, ' ');
        let (Some(rule), Some(error_type)) = (words.next(), words.next()) else {
            return Err(wrong(&format!("`{severity}` lacks rule or type")));
        };
        let mut finding = Map::new();
        finding.insert("rule".to_owned(), rule.into());
        finding.insert("severity".to_owned(), severity.into());
        finding.insert("type".to_owned(), error_type.into());
        finding.insert("field".to_owned(), words.next().unwrap_or_default().into());
        let mut finding = Value::Object(finding);
        for name in MEMBERS {
            let value = short.get(name).cloned().or_else(|| self.derived(name, &finding));
            if let (Some(members), Some(value)) = (finding.as_object_mut(), value) {
                members.insert(name.to_owned(), value);
            }
        }
        Ok(finding)
    }

    /// A member as it follows from those before it.
    fn derived(&self, name: &str, finding: &Value) -> Option<Value> {
        let text = |name: &str| finding[name].as_str().unwrap_or_default();
        match name {
            "pointer" => Some(self.pointer(text("field")).into()),
            "badValue" => self.bad_value(text("pointer")),
            "remedy" => self.rule(text("rule")).map(|rule| rule.fix.into()),
            _ => None,
        }
    }

    /// The rule of that id.
    pub fn rule(&self, id: &str) -> Option<&'static Rule> {
        trellis_core::provider::policy(self.provider)?.rules().into_iter().find(|rule| rule.id == id)
    }

    /// What the verdict of the policy covers, without those parts of the object.
    pub fn scope(&self, left_out: &Value) -> Value {
        let mut scope = self.scope_of_kind();
        let not_checked = scope.get_mut("notChecked").and_then(Value::as_array_mut);
        if let (Some(not_checked), Some(left_out)) = (not_checked, left_out.as_array()) {
            not_checked.extend(left_out.iter().cloned());
        }
        scope
    }

    /// The parts of the object that no rule judges: what a scope lists behind what no verdict of the policy
    /// covers.
    pub fn left_out(&self, scope: &Value) -> Vec<Value> {
        let not_checked = |scope: &Value| scope["notChecked"].as_array().cloned().unwrap_or_default();
        let of_kind = not_checked(&self.scope_of_kind()).len();
        not_checked(scope).into_iter().skip(of_kind).collect()
    }

    /// What every verdict of the policy on an object of this kind covers.
    fn scope_of_kind(&self) -> Value {
        let policy = trellis_core::provider::policy(self.provider);
        let kind = self.object["kind"].as_str().unwrap_or_default();
        let scope = policy.map(|policy| policy.scope_of(Some(kind)));
        serde_json::to_value(scope).unwrap_or_default()
    }

    fn pointer(&self, field: &str) -> String {
        let parts = field.split(['.', '[']).map(|part| part.trim_end_matches(']'));
        let parts: Vec<String> =
            parts.filter(|part| !part.is_empty()).map(|part| part.replace('~', "~0").replace('/', "~1")).collect();
        let below = match parts.first().map(String::as_str) {
            None | Some("spec" | "metadata") => "",
            Some(_) => self.fields,
        };
        [below.to_owned()].into_iter().chain(parts).collect::<Vec<_>>().join("/")
    }

    fn bad_value(&self, pointer: &str) -> Option<Value> {
        match self.object.pointer(pointer) {
            _ if WITHOUT_VALUES.iter().any(|kind| self.object["kind"] == *kind) => None,
            None => Some(Value::Null),
            Some(Value::Object(_) | Value::Array(_)) => None,
            Some(Value::String(text)) if text.len() > MAX_BAD_VALUE => {
                let end = (0..=MAX_BAD_VALUE).rev().find(|end| text.is_char_boundary(*end));
                text.get(..end?).map(|start| format!("{start}…").into())
            }
            Some(scalar) => Some(scalar.clone()),
        }
    }
}
