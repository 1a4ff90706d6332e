//! The parts of a Shoot that are the provider's own.

use crate::document::decode::{DecodeError, Mode};
use crate::document::{Path, Value};
use crate::gardener::finding::complain;
use crate::gardener::provider_config::Config;
use crate::report::{ErrorType, Report, Rule};

/// A part of a Shoot, and the findings where it is missing or nobody can read it.
pub struct ShootPart {
    /// Place.
    pub path: Path<'static>,
    /// How the object of a request is decoded. The old object is always decoded leniently.
    pub mode: Mode,
    /// The finding where a Shoot lacks the part; none where a Shoot may lack it.
    pub missing: Option<(&'static Rule, ErrorType, &'static str)>,
    /// What to do where the part is missing; none for the words of the rule.
    pub add: Option<&'static str>,
    /// The finding where nobody can read the part.
    pub unreadable: fn(&DecodeError) -> (&'static Rule, ErrorType, String),
}

/// What to do where the old Shoot lacks a part.
const OLD: &str = "Create the Shoot again: the old one has none, and the change cannot be judged.";

impl ShootPart {
    /// Reads the part of the object of a request. A finding points at the cause.
    pub fn read<'v, C: Config<'v>>(&self, value: Option<&'v Value<'v>>, report: &mut Report<'_>) -> Option<C> {
        let value = self.present(value, self.add, report)?;
        C::read_reporting(value, self.mode, &self.path, report, self.unreadable)
    }

    /// Reads the part of the old object of a request. A finding points at the whole part, for the cause has no
    /// place in the new object.
    pub fn read_old<'v, C: Config<'v>>(&self, value: Option<&'v Value<'v>>, report: &mut Report<'_>) -> Option<C> {
        match C::read(self.present(value, self.add.and(Some(OLD)), report)?, Mode::Lenient) {
            Ok(config) => Some(config),
            Err(error) => {
                let (rule, error_type, detail) = (self.unreadable)(&error);
                complain(rule, &self.path, error_type, detail, report).hides_others();
                None
            }
        }
    }

    /// The part, or the finding that there is none, with what to do.
    fn present<'v>(
        &self,
        value: Option<&'v Value<'v>>,
        remedy: Option<&'static str>,
        report: &mut Report<'_>,
    ) -> Option<&'v Value<'v>> {
        if let (None, Some((rule, error_type, detail))) = (value, self.missing) {
            let entry = complain(rule, &self.path, error_type, detail, report).hides_others();
            if let Some(remedy) = remedy {
                entry.remedy(remedy);
            }
        }
        value
    }
}
