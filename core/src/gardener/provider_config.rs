//! The configuration kinds that a provider adds to Gardener's objects: how they are read, and how mistakes in
//! reading are reported and fixed.

use super::finding::complain;
use crate::document::decode::{DecodeError, Meant, Mode, StrictError, Target, Typed, check_kind, decode_into};
use crate::document::{PatchOperation, Path, Value, meant};
use crate::policy::{Defaulted, Refusal, RequestError};
use crate::report::{Correction, ErrorType, Report, Reported, Rule};
use crate::text::join;
use crate::text::nearest::nearest;

/// A configuration kind.
pub trait Config<'v>: Target<'v> + Default {
    /// Group and version of the provider's API.
    const API_VERSION: &'static str;
    /// The kinds that the group registers.
    const KINDS: &'static [&'static str];
    /// Name of the kind.
    const KIND: &'static str;
    /// Which of `apiVersion` and `kind` a value must have, unless the place asks for something else.
    const TYPED: Typed = Typed::Fully;

    /// Sets what a person left out, after each decoding. A kind without such defaults has nothing to do here.
    fn complete(&mut self) {}

    /// Decodes a value that has `apiVersion` and `kind` as the kind asks for.
    fn read(value: &'v Value<'v>, mode: Mode) -> Result<Self, DecodeError> {
        Self::read_typed(value, mode, Self::TYPED)
    }

    /// Decodes a value with other demands on `apiVersion` and `kind`.
    fn read_typed(value: &'v Value<'v>, mode: Mode, typed: Typed) -> Result<Self, DecodeError> {
        let mut config = Self::default();
        Kind::of::<Self>().read_into(&mut config, value, mode, typed)?;
        config.complete();
        Ok(config)
    }

    /// Decodes a value at `place`, and reports a mistake as `words` says: the rule, the type and the detail of the
    /// finding, which points at the cause. A value with unknown or duplicate fields is read all the same, so that
    /// other rules can judge the rest; `None` where nobody can read it.
    fn read_reporting(
        value: &'v Value<'v>,
        mode: Mode,
        place: &Path<'_>,
        report: &mut Report<'_>,
        mut words: impl FnMut(&DecodeError) -> (&'static Rule, ErrorType, String),
    ) -> Option<Self> {
        let mut config = Self::default();
        let kind = Kind::of::<Self>();
        kind.read_reporting(&mut config, value, (mode, Self::TYPED, false), place, report, &mut words)?;
        config.complete();
        Some(config)
    }

    /// The same for a place where an existing extension judges nothing more of a value with a mistake: `None` also
    /// for one with unknown or duplicate fields.
    fn read_wholly(
        value: &'v Value<'v>,
        mode: Mode,
        place: &Path<'_>,
        report: &mut Report<'_>,
        mut words: impl FnMut(&DecodeError) -> (&'static Rule, ErrorType, String),
    ) -> Option<Self> {
        let mut config = Self::default();
        let kind = Kind::of::<Self>();
        kind.read_reporting(&mut config, value, (mode, Self::TYPED, true), place, report, &mut words)?;
        config.complete();
        Some(config)
    }
}

/// Declares the configuration kinds of a provider, each with which of `apiVersion` and `kind` a value must have.
/// `API_VERSION` and `KINDS` are those of the provider's group. Writes `schemas` as well, which makes the JSON
/// Schemas of what a person writes; what stands behind `also` only the extension writes.
macro_rules! configs {
    ($($kind:ident: $typed:ident),+ $(; also $own:ident: $typed_own:ident)?) => {
        $crate::gardener::provider_config::configs!(@read $($kind: $typed,)+ $($own: $typed_own)?);

        /// JSON Schemas of the configuration kinds, by kind.
        #[cfg(feature = "schema")]
        pub fn schemas(
            form: $crate::schema::Form,
        ) -> std::collections::BTreeMap<String, serde_json::Value> {
            $crate::schema::by_kind([$((stringify!($kind), form.of::<$kind<'_>>())),+])
        }
    };
    (@read $($kind:ident: $typed:ident),+ $(,)?) => { $(
        impl<'v> $crate::gardener::provider_config::Config<'v> for $kind<'v> {
            const API_VERSION: &'static str = API_VERSION;
            const KINDS: &'static [&'static str] = KINDS;
            const KIND: &'static str = stringify!($kind);
            const TYPED: $crate::document::decode::Typed = $crate::document::decode::Typed::$typed;
        }
    )+ };
}
pub(crate) use configs;

/// What a policy has to know of a kind to read it. The methods are not generic, so that a policy holds one copy of
/// each and not one for each kind.
#[derive(Clone, Copy)]
struct Kind<'v> {
    api_version: &'static str,
    name: &'static str,
    /// The kinds of the version.
    all: &'static [&'static str],
    /// Whether a value can be read as this kind, whatever the value says of its kind.
    can_read: fn(&'v Value<'v>, Mode) -> bool,
}

impl<'v> Kind<'v> {
    fn of<C: Config<'v>>() -> Self {
        let can_read = |value, mode| decode_into(&mut C::default(), value, mode).is_ok();
        Self { api_version: C::API_VERSION, name: C::KIND, all: C::KINDS, can_read }
    }

    /// Decodes a value into a configuration of this kind. With [`DecodeError::Strict`], the configuration has all
    /// but the fields that the error lists.
    fn read_into(
        self,
        config: &mut dyn Target<'v>,
        value: &'v Value<'v>,
        mode: Mode,
        typed: Typed,
    ) -> Result<(), DecodeError> {
        check_kind(value, self.api_version, self.name, self.all, typed)?;
        decode_into(config, value, mode)
    }

    /// The same as [`Config::read_reporting`], or as [`Config::read_wholly`]; `None` where the value is not read.
    fn read_reporting(
        self,
        config: &mut dyn Target<'v>,
        value: &'v Value<'v>,
        (mode, typed, is_whole): (Mode, Typed, bool),
        place: &Path<'_>,
        report: &mut Report<'_>,
        words: &mut dyn FnMut(&DecodeError) -> (&'static Rule, ErrorType, String),
    ) -> Option<()> {
        let Err(error) = self.read_into(config, value, mode, typed) else { return Some(()) };
        let (rule, error_type, detail) = words(&error);
        let (field, pointer) = (place.field(), place.pointer());
        let cause = format!("{pointer}{}", place_of(value, &error));
        let entry = complain(rule, &Path::root(&field, &cause), error_type, detail, report);
        let entry = if is_whole { entry.hides_others() } else { entry };
        self.correct(entry, &error, value, mode, &pointer);
        let is_read = matches!(error, DecodeError::Strict(_)) && !is_whole;
        if !is_read {
            report.leaves_out(join(&["the ", self.name, ", as long as nobody can read it"], ""));
        }
        is_read.then_some(())
    }

    fn correct(self, entry: Reported<'_>, error: &DecodeError, config: &'v Value<'v>, mode: Mode, pointer: &str) {
        let entry = if matches!(error, DecodeError::Strict(_)) { entry } else { entry.hides_others() };
        self.correction(error, config, mode, pointer).write_into(entry);
    }

    /// How to go on with a configuration at `pointer` that has such a mistake.
    fn correction(self, error: &DecodeError, config: &'v Value<'v>, mode: Mode, pointer: &str) -> Correction {
        let mut correction = match error {
            DecodeError::Strict(errors) => unknown(errors, pointer),
            DecodeError::Mismatch { pointer: place, expected, found, .. } => {
                let is_type = matches!(place.as_str(), "/apiVersion" | "/kind");
                let value = match place.as_str() {
                    "/apiVersion" => Value::string(self.api_version),
                    "/kind" => Value::string(self.name),
                    _ => config.pointer(place).map_or(Value::Null, |found| meant(expected, found)),
                };
                let replace = vec![PatchOperation::replace(format!("{pointer}{place}"), &value)];
                // Whether the other one of the two is right shows only then.
                let fix = (value != Value::Null && !is_type).then(|| replace.clone());
                let summary = format!("expected {expected}, found {found}").into();
                Correction { summary, assume: replace, fix, ..Correction::default() }
            }
            DecodeError::KindMissing | DecodeError::ApiVersionMissing => {
                self.without_type(error, config, mode, pointer)
            }
            DecodeError::NotRegistered { .. } | DecodeError::OtherKind { .. } => {
                let set = |(key, text): (&str, &'static str)| {
                    PatchOperation::add(format!("{pointer}/{key}"), &Value::string(text))
                };
                let assume = [("apiVersion", self.api_version), ("kind", self.name)].map(set).into();
                Correction { assume, ..Correction::default() }
            }
        };
        correction.remedy.get_or_insert_with(|| remedy(error, self.api_version).into());
        correction
    }

    /// How to go on with a configuration that does not say what it is.
    fn without_type(self, error: &DecodeError, config: &'v Value<'v>, mode: Mode, pointer: &str) -> Correction {
        if let (Some(key), Some(name)) = (misspelt_type(config, error), error.missing()) {
            return misspelt(PatchOperation::rename(Path::root("", pointer).key(key).pointer(), name), name, true);
        }
        let mut operations = Vec::new();
        for &(key, wanted) in &[("apiVersion", self.api_version), ("kind", self.name)] {
            match config.get(key).and_then(Value::as_str).unwrap_or_default() {
                "" => operations.push(PatchOperation::add(format!("{pointer}/{key}"), &Value::string(wanted))),
                found if found == wanted => {}
                _ => return Correction::default(),
            }
        }
        let fix = (self.can_read)(config, mode).then(|| operations.clone());
        Correction { assume: operations, fix, ..Correction::default() }
    }
}

/// How to go on with fields that there are not, or that stand there twice.
fn unknown(errors: &[StrictError], pointer: &str) -> Correction {
    let Some(first) = errors.first() else { return Correction::default() };
    let place = format!("{pointer}{}", first.pointer);
    let correction = match &first.meant {
        _ if first.duplicate => Correction { summary: "duplicate field".into(), ..Correction::default() },
        // The others are reported once this one is right.
        Some(Meant { name, is_certain }) => misspelt(PatchOperation::rename(place, name), name, *is_certain),
        None => Correction {
            summary: "unknown field".into(),
            assume: vec![PatchOperation::remove(place)],
            ..Correction::default()
        },
    };
    Correction { at_key: true, ..correction }
}

/// How to go on with a misspelt key.
pub fn misspelt(rename: PatchOperation, name: &str, is_certain: bool) -> Correction {
    Correction {
        at_key: true,
        summary: "unknown field".into(),
        remedy: Some(join(&["Did you mean `", name, "`?"], "").into()),
        fix: is_certain.then(|| vec![rename.clone()]),
        assume: vec![rename],
    }
}

/// The refusal to set a default in an object that has a configuration `C` at `pointer` which nobody can read.
pub fn refuse<'v, C: Config<'v>>(
    rule: &'static Rule,
    message: String,
    error: &DecodeError,
    config: &'v Value<'v>,
    pointer: &str,
) -> RequestError {
    let mut correction = Kind::of::<C>().correction(error, config, Mode::Strict, pointer);
    // Nothing else reads such a field.
    if let (DecodeError::Strict(errors), None) = (error, &correction.fix)
        && matches!(errors.as_slice(), [StrictError { duplicate: false, meant: None, .. }])
    {
        correction.fix = Some(correction.assume.clone());
    }
    let at = format!("{pointer}{}", place_of(config, error));
    RequestError::Denied(Box::new(Refusal { rule: rule.id, message, pointer: at, correction }))
}

/// The place of a mistake in a configuration: a misspelt key instead of the one that is missing.
fn place_of(config: &Value<'_>, error: &DecodeError) -> String {
    match misspelt_type(config, error) {
        Some(key) => Path::root("", "").key(key).pointer(),
        None => error.pointer().to_owned(),
    }
}

/// Says how to fix a configuration `C` at `pointer` that nobody can read in that mode, in a finding that points at
/// the cause.
pub fn correct<'v, C: Config<'v>>(
    entry: Reported<'_>,
    error: &DecodeError,
    config: &'v Value<'v>,
    mode: Mode,
    pointer: &str,
) {
    Kind::of::<C>().correct(entry, error, config, mode, pointer);
}

/// Makes a configuration `C` at `pointer` where there is none, and sets `apiVersion` and `kind`, which `validate`
/// asks for.
pub fn set_type<'r, C: Config<'r>>(
    pointer: &str,
    config: Option<&'r Value<'r>>,
    rule: &'static Rule,
    defaulted: &mut Defaulted<'r>,
) {
    set_members(pointer, config, [C::API_VERSION, C::KIND], rule, defaulted);
}

/// Not generic, so that a policy holds it once.
fn set_members<'r>(
    pointer: &str,
    config: Option<&'r Value<'r>>,
    [api_version, kind]: [&'static str; 2],
    rule: &'static Rule,
    defaulted: &mut Defaulted<'r>,
) {
    let members = [("apiVersion", api_version), ("kind", kind)];
    let Some(config) = config else {
        let config = Value::object(members.map(|(key, text)| (key, Value::string(text))));
        defaulted.set(rule, pointer.to_owned(), config, "the default needs a configuration to stand in");
        return;
    };
    for (key, text) in members {
        if config.get(key).and_then(Value::as_str).is_none_or(str::is_empty) {
            let reason = "a configuration must say what it is";
            defaulted.set(rule, format!("{pointer}/{key}"), Value::string(text), reason);
        }
    }
}

/// The key of a configuration that means `apiVersion` or `kind`, where that is missing.
fn misspelt_type<'v>(config: &'v Value<'_>, error: &DecodeError) -> Option<&'v str> {
    let (missing, Value::Object(members)) = (error.missing()?, config) else { return None };
    members
        .iter()
        .map(|(key, _)| key.as_ref())
        .find(|key| nearest(key, [missing].into_iter()).is_some() && *key != missing)
}

fn remedy(error: &DecodeError, api_version: &str) -> String {
    match error {
        DecodeError::Strict(errors) => {
            let all_duplicates = errors.iter().all(|error| error.duplicate);
            let mut text = String::from(if all_duplicates { "Remove " } else { "Remove or correct " });
            for (index, error) in errors.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                text.push_str(if error.duplicate { "the duplicate of `" } else { "the unknown field `" });
                text.push_str(&error.field);
                text.push('`');
            }
            text.push('.');
            text
        }
        DecodeError::KindMissing | DecodeError::ApiVersionMissing => {
            format!("Say what it is with `apiVersion: {api_version}` and `kind`.")
        }
        DecodeError::NotRegistered { .. } => {
            format!("{error}; use `apiVersion: {api_version}` and the right `kind`.")
        }
        DecodeError::OtherKind { found, wanted } => {
            format!("Write a configuration of `kind: {wanted}` here; `{found}` belongs elsewhere.")
        }
        DecodeError::Mismatch { .. } => format!("Fix the value: {error}."),
    }
}

#[cfg(test)]
mod tests;
