//! The structure of an object: which fields there are, and what their values are (DEC).

mod names;
pub mod nearest;
mod newer;
mod removed;
mod scalar;
mod types;

use std::borrow::Cow;

use super::garden::Garden;
use super::rules::structure as rules;
use crate::document::{PatchOperation, Path, Value, meant};
use crate::policy::{CORE, Request, RequestError, kind_of};
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::nearest::{is_certain, nearest, only_near};
use crate::text::quote;
use names::Names;
use removed::replacement;

/// The group that Gardener's kinds had before.
pub const OLD_GROUP: &str = "garden.sapcloud.io";

/// What the rules read of the context.
pub const READS: &[&str] = &["/gardenerVersion", "/openapi"];

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

/// What a Shoot is.
pub static SHOOT: Type = Type::Object(&types::SHOOT);
/// What a NamespacedCloudProfile is.
pub static NAMESPACED_PROFILE: Type = Type::Object(&types::NAMESPACED_CLOUD_PROFILE);

/// Whether rules can read an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readable {
    /// They can.
    Yes,
    /// Some value has a wrong type: Gardener judges nothing else of the object.
    No,
}

/// Reports whether what stands at a pointer into the object of a request is what the API server fills in there.
pub type IsFilledIn = fn(&Request<'_>, &str) -> bool;

/// Judges the structure of the object of a request.
pub fn judge(
    request: &Request<'_>,
    kind: &str,
    garden: Garden,
    is_filled_in: IsFilledIn,
    report: &mut Report<'_>,
) -> Result<Readable, RequestError> {
    let names = Names::read(request.context("openapi"), kind)?;
    let (_, api_version) = kind_of(request.object);
    if !api_version.is_empty() && api_version != CORE {
        let detail = format!("no kind {} is registered for version {}", quote(kind), quote(api_version));
        let is_old = api_version.split('/').next() == Some(OLD_GROUP);
        let entry = report.deny(&rules::DEC_013, "/apiVersion", detail).hides_others();
        let entry =
            if is_old { entry.summary("the API `garden.sapcloud.io` ended with Gardener 1.0") } else { entry };
        // No other version makes a Shoot of that API one of today.
        if is_old && request.object.at(&["spec", "cloud"]).is_some() {
            entry.remedy(
                "Write `spec.provider`, `spec.cloudProfile` and `spec.region` of `core.gardener.cloud/v1beta1`.",
            );
        } else {
            let right = PatchOperation::replace("/apiVersion".to_owned(), &Value::string(CORE));
            let entry = entry.remedy(format!("Write `apiVersion: {CORE}`."));
            entry.assume(vec![right.clone()]).fix(vec![right]);
        }
        return Ok(Readable::No);
    }
    if api_version.is_empty() && request.is_sent() {
        let detail = "the API server reads no object without `apiVersion`";
        let entry =
            report.error(&rules::DEC_013, &Path::root("apiVersion", "/apiVersion"), ErrorType::Required, detail);
        entry.fix_value(&Value::string(CORE));
    }
    let checks = if kind == "Shoot" { MOST_CHECKS } else { 0 };
    let mut walk = Walk {
        request,
        is_filled_in,
        report,
        kind,
        garden,
        knows_garden: names.is_some(),
        checks,
        readable: Readable::Yes,
    };
    walk.object(request.object, fields_of(kind), names, &Path::root("", ""));
    Ok(walk.readable)
}

/// The fields of a kind.
fn fields_of(kind: &str) -> Fields {
    match kind {
        "CloudProfile" => types::CLOUD_PROFILE,
        "NamespacedCloudProfile" => types::NAMESPACED_CLOUD_PROFILE,
        "Seed" => types::SEED,
        _ => types::SHOOT,
    }
}

/// The key of a Shoot's `spec.provider` that most likely means `workers`, where there are none.
pub fn misspelt_workers<'v>(shoot: &'v Value<'_>) -> Option<&'v str> {
    let Some(Value::Object(members)) = shoot.at(&["spec", "provider"]) else { return None };
    let fields =
        ["spec", "provider"].into_iter().try_fold(types::SHOOT, |fields, key| match field(fields, key) {
            Some(Type::Object(fields)) => Some(**fields),
            _ => None,
        })?;
    let is_written = |name: &str| members.iter().any(|(key, _)| key == name);
    let unknown = members.iter().map(|(key, _)| key.as_ref()).filter(|key| field(fields, key).is_none());
    let free = || fields.iter().map(|(name, _)| *name).filter(|name| !is_written(name));
    unknown.into_iter().find(|key| nearest(key, free()) == Some("workers"))
}

/// The type of a field.
fn field(fields: Fields, name: &str) -> Option<&'static Type> {
    let index = fields.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    fields.get(index).map(|(_, wanted)| wanted)
}

/// How many fields of an object are compared with what is filled in. They are few, because each time the whole
/// object gets its defaults.
const MOST_CHECKS: u8 = 8;

struct Walk<'w, 'd> {
    request: &'w Request<'w>,
    is_filled_in: IsFilledIn,
    report: &'w mut Report<'d>,
    kind: &'w str,
    garden: Garden,
    /// Whether the fields of the garden are known.
    knows_garden: bool,
    /// How many fields may still be compared with what is filled in.
    checks: u8,
    readable: Readable,
}

impl Walk<'_, '_> {
    fn value(&mut self, value: &Value<'_>, wanted: &Type, names: Option<Names<'_>>, path: &Path<'_>) {
        match (wanted, value) {
            // The table lacks the field, and the garden says which fields are below it.
            (Type::Any, Value::Array(items)) if names.is_some() => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, wanted, names, &path.index(index));
                }
            }
            (Type::Any, Value::Object(_)) if names.is_some() => self.object(value, &[], names, path),
            (Type::Any, _) | (_, Value::Null) => {}
            (Type::List(of), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, of, names, &path.index(index));
                }
            }
            (Type::Map(of), Value::Object(members)) => {
                for (key, member) in members {
                    let below = names.and_then(|names| names.below(key));
                    self.value(member, of, below, &path.key(key));
                }
            }
            (Type::Object(fields), Value::Object(_)) => self.object(value, fields, names, path),
            _ => {
                if let Err((rule, expected)) = scalar::check(value, wanted) {
                    self.mismatch(rule, value, expected, path);
                }
            }
        }
    }

    fn object(&mut self, value: &Value<'_>, fields: Fields, names: Option<Names<'_>>, path: &Path<'_>) {
        let Value::Object(members) = value else { return };
        let mut seen: Vec<&str> = Vec::with_capacity(members.len());
        for (key, member) in members {
            let path = path.key(key);
            if seen.contains(&key.as_ref()) {
                let remedy = format!("Keep one `{key}`, and remove the other.");
                self.strict("duplicate", true, &path, remedy);
            }
            seen.push(key);
            let brought = newer::brought_later(self.garden, self.kind, key, &path);
            let found = field(fields, key).filter(|_| brought.is_none());
            let is_known = match names {
                Some(names) => names.has(key),
                // A garden whose fields are known, and that lists none here, allows any.
                None => found.is_some() || self.knows_garden,
            };
            if is_known {
                let below = names.and_then(|names| names.below(key));
                self.value(member, found.unwrap_or(&Type::Any), below, &path);
                continue;
            }
            // What Trellis filled in, the garden's own API server would not.
            if found.is_some() && self.knows_garden && self.is_filled_in(&path.pointer()) {
                continue;
            }
            let known: Vec<&str> = match names {
                Some(names) => names.all().collect(),
                None => fields
                    .iter()
                    .map(|(name, _)| *name)
                    .filter(|name| found.is_some() || brought.is_none() || name != key)
                    .collect(),
            };
            let all = || known.iter().copied();
            let is_free = |name: &str| value.member(name).is_none();
            let is_once = || members.iter().filter(|(other, _)| other == key).count() == 1;
            // Of two keys that mean the same field, nobody knows which one counts.
            let is_only = |name: &str| {
                let mut others =
                    members.iter().filter(|(other, _)| other != key && !known.contains(&other.as_ref()));
                !others.any(|(other, _)| nearest(other, all()) == Some(name))
            };
            let meant =
                nearest(key, all()).filter(|name| is_once() && is_only(name) && is_certain(key, name, all()));
            let pointer = path.pointer();
            let fix = meant.and_then(|name| {
                let fix = PatchOperation::rename(pointer, name);
                (is_free(name) || self.is_filled_in(&fix.path)).then_some((name, fix))
            });
            let near = match &fix {
                Some((name, _)) => Some(*name),
                None => nearest(key, all().filter(|name| is_free(name))),
            };
            let replacement = replacement(&path.pointer()).filter(|_| names.is_none());
            let remedy = match near {
                _ if replacement.is_some() => replacement.unwrap_or_default().to_owned(),
                _ if brought.is_some() => {
                    let brought = brought.unwrap_or_default();
                    format!("Remove `{key}`: Gardener has this field from 1.{brought} on.")
                }
                Some(name) => format!("Did you mean `{name}`?"),
                None if self.knows_garden => format!("Remove `{key}`: the garden has no such field here."),
                None => format!("Remove `{key}`: Gardener {} has no such field here.", self.garden.name()),
            };
            let is_known_garden = self.knows_garden || self.garden.is_given && !self.garden.is_newer;
            let is_refused = is_known_garden
                || replacement.is_some()
                || !self.garden.is_newer && only_near(key, all()).is_some();
            // A taken name may be a default that a provider set: then the object that the person sent does not
            // have it.
            let assumed = near.or_else(|| nearest(key, all())).filter(|_| replacement.is_none());
            let assumed = assumed.map(|name| PatchOperation::rename(path.pointer(), name));
            let surplus = self.strict("unknown", is_refused, &path, remedy);
            let surplus = surplus.assume(assumed.into_iter().collect());
            if let Some((_, fix)) = fix {
                surplus.fix(vec![fix]);
            }
        }
    }

    /// Whether what stands at `pointer` is a default, which a person who misspelt the key did not write.
    fn is_filled_in(&mut self, pointer: &str) -> bool {
        let Some(left) = self.checks.checked_sub(1) else { return false };
        self.checks = left;
        (self.is_filled_in)(self.request, pointer)
    }

    /// Reports a field that the API server refuses, or drops.
    fn strict(&mut self, what: &str, is_refused: bool, path: &Path<'_>, remedy: String) -> Reported<'_> {
        let pointer = path.pointer();
        let detail = format!("{what} field {}", quote(&path.field()));
        let place = Path::root("", &pointer);
        let entry = if is_refused {
            self.report.error(&rules::DEC_002, &place, ErrorType::Denied, detail)
        } else {
            let newer = if self.garden.is_newer { "that of this garden is newer, and" } else { "a newer one" };
            let detail = format!("{detail} in Gardener {}; {newer} may have it", self.garden.name());
            self.report.warn(&rules::DEC_002, &place, detail)
        };
        entry.at_key().remedy(remedy)
    }

    fn mismatch(&mut self, rule: &'static Rule, value: &Value<'_>, expected: &'static str, path: &Path<'_>) {
        let meant = meant(expected, value);
        let replace = PatchOperation::replace(path.pointer(), &meant);
        self.readable = Readable::No;
        let found: Cow<'_, str> = match value {
            Value::Number(number) => format!("the number {number}").into(),
            Value::String(text) if matches!(rule.id, "DEC-7" | "DEC-8" | "DEC-10") => quote(text).into(),
            other => other.kind().into(),
        };
        let detail = format!("expected {expected}, found {found}");
        let reported: Reported<'_> = self.report.error(rule, path, ErrorType::Invalid, detail);
        // Without its workers, a Shoot is one of another sort.
        let is_whole = meant == Value::Null && "/spec/provider/workers".starts_with(&replace.path);
        let reported = reported.hides_others();
        let reported = if is_whole { reported } else { reported.assume(vec![replace.clone()]) };
        // Nobody knows here what the text is to be, because a boolean may have been written `yes` or `on`.
        let is_certain = !matches!((value, &meant), (Value::Bool(_), Value::String(_)));
        if meant != Value::Null && is_certain {
            reported.fix(vec![replace]);
        }
    }
}

#[cfg(test)]
mod tests;
