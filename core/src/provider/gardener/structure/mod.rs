//! The structure of an object: which fields there are, and what their values are (DEC).

mod nearest;
mod scalar;
mod types;

use std::borrow::Cow;

use super::rules::structure as rules;
use crate::document::{Path, Value};
use crate::policy::{CORE, Request, kind_of};
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::quote;
use nearest::nearest;

/// The release whose fields the table has, without its `v`.
pub const RELEASE: &str = "1.143.1";

/// The fields of an object, sorted by name.
pub type Fields = &'static [(&'static str, Type)];

/// What a value is in JSON. `null` is any of these, and stands for no value.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A value that Gardener hands on as it is.
    Any,
    /// `true` or `false`.
    Boolean,
    /// A text such as `1h30m`.
    Duration,
    /// A number.
    Float,
    /// A text, or an integer of 32 bits.
    IntOrText,
    /// An integer of 32 bits.
    Integer32,
    /// An integer of 64 bits.
    Integer64,
    /// A list of such values.
    List(&'static Type),
    /// An object whose keys are data.
    Map(&'static Type),
    /// An object with these fields.
    Object(&'static Fields),
    /// A text or a number such as `50Gi`.
    Quantity,
    /// A text.
    Text,
    /// A text in the form of RFC 3339.
    Time,
}

/// Whether rules can read an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readable {
    /// They can.
    Yes,
    /// Some value has a wrong type: Gardener judges nothing else of the object.
    No,
}

/// Judges the structure of the object of a request.
pub fn judge(request: &Request<'_>, kind: &str, report: &mut Report<'_>) -> Readable {
    let (_, api_version) = kind_of(request.object);
    if !api_version.is_empty() && api_version != CORE {
        let detail = format!("no kind {} is registered for version {}", quote(kind), quote(api_version));
        let remedy = format!("Write `apiVersion: {CORE}`.");
        report
            .deny(&rules::DEC_013, "/apiVersion", detail)
            .remedy(remedy)
            .hides_others()
            .fix_value(&Value::string(CORE));
        return Readable::No;
    }
    let is_release = request.context("gardenerVersion").and_then(Value::as_str) == Some(RELEASE);
    let mut walk = Walk { report, is_release, readable: Readable::Yes };
    walk.object(request.object, fields_of(kind), &Path::root("", ""));
    walk.readable
}

/// The fields of a kind.
fn fields_of(kind: &str) -> Fields {
    match kind {
        "CloudProfile" => types::CLOUD_PROFILE,
        "NamespacedCloudProfile" => types::NAMESPACED_CLOUD_PROFILE,
        _ => types::SHOOT,
    }
}

struct Walk<'w, 'd> {
    report: &'w mut Report<'d>,
    /// Whether the garden has the release of the table: only then nobody knows an unknown field.
    is_release: bool,
    readable: Readable,
}

impl Walk<'_, '_> {
    fn value(&mut self, value: &Value<'_>, wanted: &Type, path: &Path<'_>) {
        match (wanted, value) {
            (Type::Any, _) | (_, Value::Null) => {}
            (Type::List(of), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, of, &path.index(index));
                }
            }
            (Type::Map(of), Value::Object(members)) => {
                for (key, member) in members {
                    self.value(member, of, &path.key(key));
                }
            }
            (Type::Object(fields), Value::Object(_)) => self.object(value, fields, path),
            _ => {
                if let Err((rule, expected)) = scalar::check(value, wanted) {
                    self.mismatch(rule, value, expected, path);
                }
            }
        }
    }

    fn object(&mut self, value: &Value<'_>, fields: Fields, path: &Path<'_>) {
        let Value::Object(members) = value else { return };
        let mut seen: Vec<&str> = Vec::with_capacity(members.len());
        for (key, member) in members {
            let path = path.key(key);
            if seen.contains(&key.as_ref()) {
                let remedy = format!("Keep one `{key}`, and remove the other.");
                self.strict("duplicate", &path, remedy);
            }
            seen.push(key);
            let found =
                fields.binary_search_by(|(name, _)| (*name).cmp(key)).ok().and_then(|index| fields.get(index));
            if let Some((_, wanted)) = found {
                self.value(member, wanted, &path);
                continue;
            }
            let free = fields.iter().map(|(name, _)| *name).filter(|name| value.member(name).is_none());
            let remedy = match nearest(key, free) {
                Some(name) => format!("Did you mean `{name}`?"),
                None => format!("Remove `{key}`: Gardener {RELEASE} has no such field here."),
            };
            self.strict("unknown", &path, remedy);
        }
    }

    /// Reports a field that the API server refuses, or drops.
    fn strict(&mut self, what: &str, path: &Path<'_>, remedy: String) {
        let pointer = path.pointer();
        let detail = format!("{what} field {}", quote(&path.field()));
        let place = Path::root("", &pointer);
        if self.is_release || what == "duplicate" {
            self.report.error(&rules::DEC_002, &place, ErrorType::Denied, detail).at_key().remedy(remedy);
        } else {
            let detail = format!("{detail} in Gardener {RELEASE}; a newer one may have it");
            self.report.warn(&rules::DEC_002, &place, detail).at_key().remedy(remedy);
        }
    }

    fn mismatch(&mut self, rule: &'static Rule, value: &Value<'_>, expected: &'static str, path: &Path<'_>) {
        self.readable = Readable::No;
        let found: Cow<'_, str> = match value {
            Value::Number(number) => format!("the number {number}").into(),
            Value::String(text) if matches!(rule.id, "DEC-7" | "DEC-8" | "DEC-10") => quote(text).into(),
            other => other.kind().into(),
        };
        let detail = format!("expected {expected}, found {found}");
        let reported: Reported<'_> = self.report.error(rule, path, ErrorType::Invalid, detail);
        reported.hides_others();
    }
}
