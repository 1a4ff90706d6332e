//! `trellis default`

use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::failures::Readers;
use super::notes::{show_ambiguous, show_errors, show_undecided};
use super::output::Error;
use super::output::{clean, count, unified};
use super::session::{Assignment, Session, SessionArguments};
use super::{CommandError, Status, Streams};
use trellis_policies::answer::{Defaulting, Effect};
use trellis_policies::engine::Engine;
use trellis_policies::judge::{AdmissionOperation, Case, Settings};
use trellis_policies::manifest::Document;
use trellis_policies::source::read_own;

/// Set the defaults that Gardener and the extension's admission set, and say what changes and why.
#[derive(Args, Debug)]
pub(super) struct DefaultArguments {
    #[command(flatten)]
    session: SessionArguments,

    /// What to write.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each change with its reason, and a unified diff.
    Human,
    /// The objects with their defaults; several as one stream.
    Yaml,
    /// The object with its defaults; several as an array.
    Json,
    /// The changes as an RFC 6902 patch; several as an array with one entry an object.
    Patch,
}

/// An object and its defaults.
struct Defaulted<'s> {
    document: &'s Document,
    provider: String,
    /// Whether the object is taken for an update of itself.
    is_of_itself: bool,
    /// Whether it is completed as `kubectl apply` sends it.
    is_applied: bool,
    defaulting: Defaulting,
}

impl DefaultArguments {
    /// Who reads the standard output.
    fn readers(&self) -> Readers {
        if matches!(self.output, Format::Json) { Readers::Programs } else { Readers::People }
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let (session, unread) = match self.session.open(engine, streams) {
            Ok(opened) => opened,
            Err(errors) => return Ok(self.readers().show(&errors, streams)),
        };
        let (defaulted, mut errors, denied) = default_all(&session, &self.session.now(), unread, streams);
        if defaulted.is_empty() && denied.is_empty() && errors.is_empty() {
            errors.push(CommandError::NothingToDefault);
        }
        let text = match self.output {
            Format::Human => human(&defaulted, streams.stdout_has_color)?,
            Format::Yaml => yaml(&defaulted)?,
            Format::Json => json(&defaulted),
            Format::Patch => patch(&defaulted),
        };
        streams.print(&text)?;
        if defaulted.is_empty()
            && let Some(first) = denied.iter().chain(&errors).next()
        {
            self.readers().print(Error::of(first), streams)?;
        }
        for one in &defaulted {
            show_undecided(one.document, &one.defaulting.undecided, streams);
        }
        show_errors(&denied, streams);
        let status = if denied.is_empty() { Status::Success } else { Status::Rejected };
        Ok(show_errors(&errors, streams).max(status))
    }
}

/// The objects with their defaults; what could not be asked; and what the policies refuse.
fn default_all<'s>(
    session: &'s Session<'_>,
    now: &str,
    mut errors: Vec<CommandError>,
    streams: &mut Streams<'_>,
) -> (Vec<Defaulted<'s>>, Vec<CommandError>, Vec<CommandError>) {
    let settings = Settings::at(now, session.facts());
    let (mut defaulted, mut denied) = (Vec::new(), Vec::new());
    for assignment in session.panels(Effect::Default) {
        match assignment {
            Assignment::Judge(case, panel) => {
                let Case { document, .. } = case;
                let unreadable = case.unreadable(&panel, settings).map(Err);
                match unreadable.or_else(|| case.default(&panel, settings)) {
                    Some(Ok(defaulting)) => {
                        let profile = case.ambiguous_profile();
                        show_ambiguous(document, profile.as_slice(), streams);
                        let provider = panel.provider().to_owned();
                        let is_of_itself = case.operation() == AdmissionOperation::UpdateOfItself;
                        let is_applied = case.is_applied();
                        defaulted.push(Defaulted { document, provider, is_of_itself, is_applied, defaulting });
                    }
                    Some(Err(failure)) if failure.is_denied() => {
                        denied.push(CommandError::no_answer(document, failure));
                    }
                    Some(Err(failure)) => errors.push(CommandError::no_answer(document, failure)),
                    None => {}
                }
            }
            Assignment::Skip(document, why) => {
                streams.say(&format!("skipped {}: {why}\n", document.identity()));
            }
            Assignment::Refuse(document, finding) => {
                streams.say(&format!("skipped {}: {}: {}\n", document.identity(), finding.field, finding.detail));
            }
            Assignment::Fail(error) => errors.push(error),
        }
    }
    (defaulted, errors, denied)
}

fn human(defaulted: &[Defaulted<'_>], has_color: bool) -> Result<String, CommandError> {
    let mut text = String::new();
    for one in defaulted {
        let input = &one.document.input;
        let name = clean(input.name());
        let changes = &one.defaulting.changes;
        let sum = if changes.is_empty() { "no changes".to_owned() } else { count(changes.len(), "change") };
        let of_itself = match one {
            Defaulted { is_of_itself: true, .. } => ", as an update of itself",
            Defaulted { is_applied: true, .. } => ", as `kubectl apply` sends it",
            _ => "",
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} ({}, {name}:{}): {sum}{of_itself}",
            one.document.identity(),
            one.provider,
            one.document.position().line
        );
        for change in changes {
            let place = input.position(one.document.root.locate(&change.pointer).highlight(input).start);
            let _ = writeln!(text, "  {}  {}  by {}", change.rule, clean(&change.pointer), change.source);
            let _ = writeln!(text, "    --> {name}:{}:{}", place.line, place.column);
            let _ = writeln!(text, "    {}", change.reason);
        }
        if !changes.is_empty() || one.is_applied {
            text.push('\n');
            text.push_str(&diff(one, has_color)?);
            text.push('\n');
        }
    }
    Ok(text)
}

fn diff(one: &Defaulted<'_>, has_color: bool) -> Result<String, CommandError> {
    let (before, after) = (one.document.root.to_yaml()?, object_yaml(one)?);
    Ok(unified(&before, &after, Some(("as written", "with defaults")), has_color))
}

fn object_yaml(one: &Defaulted<'_>) -> Result<String, CommandError> {
    Ok(read_own(one.defaulting.object.get())
        .iter()
        .map(trellis_policies::source::Node::to_yaml)
        .collect::<Result<String, _>>()?)
}

fn yaml(defaulted: &[Defaulted<'_>]) -> Result<String, CommandError> {
    let documents: Result<Vec<String>, CommandError> = defaulted.iter().map(object_yaml).collect();
    Ok(documents?.join("---\n"))
}

fn json(defaulted: &[Defaulted<'_>]) -> String {
    let objects: Vec<_> = defaulted.iter().map(|one| &one.defaulting.object).collect();
    match objects.as_slice() {
        [] => String::new(),
        [one] => format!("{one}\n"),
        several => serde_json::to_string(several).unwrap_or_default() + "\n",
    }
}

fn patch(defaulted: &[Defaulted<'_>]) -> String {
    #[derive(serde::Serialize)]
    struct Entry<'d> {
        kind: String,
        namespace: String,
        name: String,
        patch: &'d serde_json::value::RawValue,
    }
    let entry = |one: &'_ Defaulted<'_>| {
        let identity = one.document.identity();
        (identity.kind, identity.namespace, identity.name)
    };
    match defaulted {
        [] => String::new(),
        [one] => format!("{}\n", one.defaulting.patch),
        several => {
            let entries: Vec<Entry<'_>> = several
                .iter()
                .map(|one| {
                    let (kind, namespace, name) = entry(one);
                    Entry { kind, namespace, name, patch: &one.defaulting.patch }
                })
                .collect();
            serde_json::to_string(&entries).unwrap_or_default() + "\n"
        }
    }
}
