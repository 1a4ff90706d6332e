//! What commands print on standard error about their objects: errors, what is ambiguous, and what is undecided.

use super::output::{Style, clean};
use super::{CommandError, Status, Streams};
use trellis_policies::answer::Undecided;
use trellis_policies::judge::Ambiguity;
use trellis_policies::manifest::Document;

/// Prints all errors on standard error.
pub(super) fn show_errors(errors: &[CommandError], streams: &mut Streams<'_>) -> Status {
    let style = Style::new(streams.stderr_has_color);
    for error in errors {
        streams.say(&style.error(error));
    }
    errors.iter().map(CommandError::status).max().unwrap_or(Status::Success)
}

/// Prints what an object refers to and different objects are, a line each.
pub(super) fn show_ambiguous(document: &Document, ambiguous: &[Ambiguity], streams: &mut Streams<'_>) {
    for Ambiguity { object, places } in ambiguous {
        let note = format!(
            "note: {} ({}) refers to {object}, and files have different ones ({}): Trellis takes none of them; write the one \
             that counts into the file of the object, or leave the others out",
            document.identity(),
            document.place(),
            places.join(", ")
        );
        streams.say(&(clean(&note) + "\n"));
    }
}

/// Prints what a policy could not take into account, a line each.
pub(super) fn show_undecided(document: &Document, undecided: &[Undecided], streams: &mut Streams<'_>) {
    for Undecided { rule, why, .. } in undecided {
        let note = format!("undecided[{rule}]: {} ({}): {why}", document.identity(), document.place());
        streams.say(&(clean(&note) + "\n"));
    }
}
