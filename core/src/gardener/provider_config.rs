//! The configuration kinds that a provider adds to Gardener's objects: how they are read, and how mistakes in
//! reading are reported and mended.

use super::finding::complain;
use crate::document::decode::{DecodeError, Mode, StrictError, Target, Typed, check_kind, decode};
use crate::document::{PatchOperation, Path, Value};
use crate::report::{ErrorType, Report, Reported, Rule};

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
        check_kind(value, Self::API_VERSION, Self::KIND, Self::KINDS, typed)?;
        let mut config: Self = decode(value, mode)?;
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
        words: impl FnOnce(&DecodeError) -> (&'static Rule, ErrorType, String),
    ) -> Option<Self> {
        match Self::read(value, mode) {
            Ok(config) => Some(config),
            Err(error) => {
                report_mistake(words(&error), &error, value, place, kind::<Self>(), report);
                Self::read(value, Mode::Lenient).ok()
            }
        }
    }
}

/// Members by which a configuration says what it is, with the texts that a kind asks for.
type Kind = [(&'static str, &'static str); 2];

fn kind<'v, C: Config<'v>>() -> Kind {
    [("apiVersion", C::API_VERSION), ("kind", C::KIND)]
}

/// Not generic, like all that follows, so that a policy holds one copy and not one for each kind.
fn report_mistake(
    (rule, error_type, detail): (&'static Rule, ErrorType, String),
    error: &DecodeError,
    config: &Value<'_>,
    place: &Path<'_>,
    kind: Kind,
    report: &mut Report<'_>,
) {
    let (field, pointer) = (place.field(), place.pointer());
    let cause = format!("{pointer}{}", error.pointer());
    let entry = complain(rule, &Path::root(&field, &cause), error_type, detail, report);
    mend_kind(entry, error, config, &pointer, kind);
}

/// Says how to mend a configuration `C` at `pointer` that cannot be read, in a finding that points at the cause.
pub fn mend<'v, C: Config<'v>>(entry: Reported<'_>, error: &DecodeError, config: &Value<'_>, pointer: &str) {
    mend_kind(entry, error, config, pointer, kind::<C>());
}

fn mend_kind(entry: Reported<'_>, error: &DecodeError, config: &Value<'_>, pointer: &str, wanted: Kind) {
    let entry = entry.remedy(remedy(error, wanted[0].1));
    match error {
        // Only the author knows whether an unknown field is one too many or misspelt.
        DecodeError::Strict(_) => {}
        DecodeError::KindMissing | DecodeError::ApiVersionMissing => {
            let operations = wanted.map(|(key, text)| {
                let missing = config.get(key).and_then(Value::as_str).is_none_or(str::is_empty);
                missing.then(|| PatchOperation::add(format!("{pointer}/{key}"), &Value::string(text)))
            });
            entry.hides_others().fix(operations.into_iter().flatten().collect());
        }
        _ => {
            entry.hides_others();
        }
    }
}

fn remedy(error: &DecodeError, api_version: &str) -> String {
    match error {
        DecodeError::Strict(errors) => {
            let name = |error: &StrictError| {
                let what = if error.duplicate { "the duplicate of" } else { "the unknown field" };
                format!("{what} `{}`", error.field)
            };
            let verb = if errors.iter().all(|error| error.duplicate) { "Remove" } else { "Remove or correct" };
            format!("{verb} {}.", errors.iter().map(name).collect::<Vec<_>>().join(", "))
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
}
