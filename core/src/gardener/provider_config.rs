//! The configuration kinds that a provider adds to Gardener's objects: how they are read, and how mistakes in
//! reading are reported and mended.

use super::finding::complain;
use crate::document::decode::{DecodeError, Mode, Target, Typed, check_kind, decode_into};
use crate::document::{PatchOperation, Path, Value};
use crate::policy::Defaulted;
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

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

    /// Decodes a value at `place`, and reports a mistake as `words` says: the rule, the type and the detail of the finding,
    /// which points at the cause. A value with unknown or duplicate fields is read all the same, so that other rules can
    /// judge the rest; `None` where nobody can read it.
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

    /// The same for a place where an existing extension judges nothing more of a value with a mistake: `None` also for one with
    /// unknown or duplicate fields.
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

/// What a policy has to know of a kind to read it. The methods are not generic, so that a policy holds one copy of each and not
/// one for each kind.
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

    /// Decodes a value into a configuration of this kind. With [`DecodeError::Strict`], the configuration has all but the fields
    /// that the error lists.
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
        let cause = format!("{pointer}{}", error.pointer());
        let entry = complain(rule, &Path::root(&field, &cause), error_type, detail, report);
        let entry = if is_whole { entry.hides_others() } else { entry };
        self.mend(entry, &error, value, mode, &pointer);
        let is_read = matches!(error, DecodeError::Strict(_)) && !is_whole;
        if !is_read {
            report.leaves_out(join(&["the ", self.name, ", as long as nobody can read it"], ""));
        }
        is_read.then_some(())
    }

    fn mend(self, entry: Reported<'_>, error: &DecodeError, config: &'v Value<'v>, mode: Mode, pointer: &str) {
        let entry = entry.remedy(remedy(error, self.api_version));
        match error {
            // Only the author knows whether an unknown field is one too many or misspelt.
            DecodeError::Strict(_) => {
                entry.at_key();
            }
            DecodeError::KindMissing | DecodeError::ApiVersionMissing => {
                let entry = entry.hides_others();
                let mut operations = Vec::new();
                for &(key, wanted) in &[("apiVersion", self.api_version), ("kind", self.name)] {
                    match config.get(key).and_then(Value::as_str).unwrap_or_default() {
                        "" => operations
                            .push(PatchOperation::add(format!("{pointer}/{key}"), &Value::string(wanted))),
                        found if found == wanted => {}
                        _ => return,
                    }
                }
                if (self.can_read)(config, mode) {
                    entry.fix(operations);
                }
            }
            _ => {
                entry.hides_others();
            }
        }
    }
}

/// Says how to mend a configuration `C` at `pointer` that nobody can read in that mode, in a finding that points at the cause.
pub fn mend<'v, C: Config<'v>>(
    entry: Reported<'_>,
    error: &DecodeError,
    config: &'v Value<'v>,
    mode: Mode,
    pointer: &str,
) {
    Kind::of::<C>().mend(entry, error, config, mode, pointer);
}

/// Makes a configuration `C` at `pointer` where there is none, and sets `apiVersion` and `kind`, which `validate` asks for.
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
        DecodeError::Mismatch { .. } => format!("Mend the value: {error}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::{record, rules};

    record! {
        #[derive(Debug, Default, PartialEq)]
        struct Toy<'a> {
            api_version: &'a str,
            kind: &'a str,
            storage: Option<bool>,
        }
    }

    impl<'v> Config<'v> for Toy<'v> {
        const API_VERSION: &'static str = "toy/v1";
        const KINDS: &'static [&'static str] = &["Toy"];
        const KIND: &'static str = "Toy";

        fn complete(&mut self) {
            self.storage.get_or_insert(true);
        }
    }

    rules! {
        TOY = Rule::error("TOY-001", &["Toy"], crate::report::Operation::Both);
    }

    #[test]
    fn a_kind_sets_its_defaults_after_each_decoding() {
        for (text, storage) in [("", true), (r#","storage":null"#, true), (r#","storage":false"#, false)] {
            let text = format!(r#"{{"apiVersion":"toy/v1","kind":"Toy"{text}}}"#);
            let value = parse(&text).unwrap();
            for mode in [Mode::Strict, Mode::Lenient] {
                assert_eq!(Toy::read(&value, mode).unwrap().storage, Some(storage));
            }
        }
    }

    #[test]
    fn a_missing_kind_is_mended_only_where_the_value_can_be_read_then() {
        for (text, fixed) in [
            (r#"{"storage":true}"#, 2),
            (r#"{"kind":"Toy"}"#, 1),
            (r#"{"kind":"Game"}"#, 0),
            (r#"{"apiVersion":"game/v1"}"#, 0),
            (r#"{"kind":"Toy","storage":1}"#, 0),
            (r#"{"kind":"Toy","extra":1}"#, 0),
        ] {
            let object = parse(text).unwrap();
            let mut report = Report::new(&object);
            Toy::read_reporting(&object, Mode::Strict, &Path::root("", ""), &mut report, |error| {
                (ALL[0], ErrorType::Invalid, error.to_string())
            });
            let (findings, _) = report.into_parts();
            assert_eq!(findings[0].fix.as_ref().map_or(0, Vec::len), fixed, "{text}");
        }
    }

    #[test]
    fn a_value_with_an_unknown_field_is_reported_and_read_all_the_same() {
        let text = r#"{"spec":{"apiVersion":"toy/v1","kind":"Toy","storage":false,"extra":1}}"#;
        let object = parse(text).unwrap();
        let mut report = Report::new(&object);
        let place = Path::root("spec", "/spec");
        let value = object.get("spec").unwrap();
        let toy = Toy::read_reporting(value, Mode::Strict, &place, &mut report, |error| {
            (ALL[0], ErrorType::Invalid, error.to_string())
        });
        assert_eq!(toy.unwrap().storage, Some(false));
        let (findings, _) = report.into_parts();
        assert_eq!((findings[0].field.as_str(), findings[0].pointer.as_str()), ("spec", "/spec/extra"));
    }

    #[test]
    fn a_value_that_must_be_whole_is_not_read_with_an_unknown_field() {
        let object = parse(r#"{"apiVersion":"toy/v1","kind":"Toy","extra":1}"#).unwrap();
        for (mode, is_read) in [(Mode::Strict, false), (Mode::Lenient, true)] {
            let mut report = Report::new(&object);
            let toy = Toy::read_wholly(&object, mode, &Path::root("", ""), &mut report, |error| {
                (ALL[0], ErrorType::Invalid, error.to_string())
            });
            assert_eq!(toy.is_some(), is_read);
            let (findings, _) = report.into_parts();
            assert!(findings.iter().all(|finding| finding.hides_others));
            assert_eq!(findings.len(), usize::from(!is_read));
        }
    }
}
