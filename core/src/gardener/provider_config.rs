//! The configuration kinds that a provider adds to Gardener's objects: how they are read, and how mistakes in
//! reading are mended.

use serde::Deserialize;

use crate::document::decode::{DecodeError, Mode, StrictError, Typed, check_kind, decode};
use crate::document::{PatchOperation, Value};
use crate::report::Reported;

/// A configuration kind.
pub trait Config<'v>: Deserialize<'v> {
    /// Group and version of the provider's API.
    const API_VERSION: &'static str;
    /// The kinds that the group registers.
    const KINDS: &'static [&'static str];
    /// Name of the kind.
    const KIND: &'static str;
    /// What a value must say of what it is, unless the place asks for something else.
    const TYPED: Typed = Typed::Fully;

    /// Decodes a value that says of what it is what the kind asks for.
    fn read(value: &'v Value<'v>, mode: Mode) -> Result<Self, DecodeError> {
        Self::read_typed(value, mode, Self::TYPED)
    }

    /// Decodes strictly. Unknown and duplicate fields are told to `complain`, and the rest is read all the same,
    /// so that its own mistakes can be found; `None` where it cannot be read at all.
    fn read_complaining(value: &'v Value<'v>, complain: impl FnOnce(&DecodeError)) -> Option<Self> {
        match Self::read(value, Mode::Strict) {
            Ok(config) => Some(config),
            Err(error) => {
                complain(&error);
                Self::read(value, Mode::Lenient).ok()
            }
        }
    }

    /// Decodes a value that need not say everything of what it is.
    fn read_typed(value: &'v Value<'v>, mode: Mode, typed: Typed) -> Result<Self, DecodeError> {
        check_kind(value, Self::API_VERSION, Self::KIND, Self::KINDS, typed)?;
        decode(value, mode)
    }
}

/// Says how to mend a configuration `C` that cannot be read and is at `pointer`, in a finding that points at the cause.
pub fn mend<'v, C: Config<'v>>(entry: Reported<'_>, error: &DecodeError, config: &Value<'_>, pointer: &str) {
    let entry = entry.remedy(remedy(error, C::API_VERSION));
    match error {
        // Whether an unknown field is one too many or misspelt, only its author knows.
        DecodeError::Strict(_) => {}
        DecodeError::KindMissing | DecodeError::ApiVersionMissing => {
            let operations = [("apiVersion", C::API_VERSION), ("kind", C::KIND)].map(|(key, text)| {
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
        other => format!("Mend the value: {other}."),
    }
}
