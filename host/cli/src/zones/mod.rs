//! `trellis zones`

mod human;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::failures::Readers;
use super::notes::{show_errors, show_undecided};
use super::output::Error;
use super::session::{Assignment, Session, SessionArguments};
use super::{CommandError, Status, Streams};
use trellis_policies::answer::{AddedZones, Addresses, Failure, Undecided};
use trellis_policies::engine::{Engine, Function};
use trellis_policies::judge::{Case, Settings};
use trellis_policies::manifest::Document;
use trellis_policies::policy::{NewZone, Policy};
use trellis_policies::source::read_own;

const AFTER_HELP: &str = "\
Examples:
  trellis zones shoot.yaml
  trellis zones shoot.yaml --add eu-central-1c
  trellis zones shoot.yaml --add eu-central-1c --prefix 22 -o patch";

/// Show the address space of Shoots, or add zones: each gets the next free range.
///
/// Defaults are set first, as the API server does. Nothing is written to the files.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ZonesArguments {
    #[command(flatten)]
    session: SessionArguments,

    /// Choose a range for a zone of that name; may be given several times.
    #[arg(long, value_name = "NAME")]
    add: Vec<String>,

    /// Length of the prefix of each range that is chosen; by default that of the other zones.
    #[arg(long, value_name = "LENGTH", requires = "add")]
    prefix: Option<u8>,

    /// What to write.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Ranges, free gaps and conflicts; with `--add`, the lines to put into the manifest.
    Human,
    /// The answer of the policy; several as an array.
    Json,
    /// The same as YAML; several as one stream.
    Yaml,
    /// With `--add`: the change as an RFC 6902 patch; several as an array.
    Patch,
}

/// An object and what its policy answers.
struct Answered<'s, A> {
    document: &'s Document,
    provider: &'s str,
    answer: A,
}

/// The answers for all objects.
struct Answers<'s, A> {
    /// Whether there are several objects: then each answer for programs names its object.
    are_several: bool,
    answered: Vec<Answered<'s, A>>,
    /// Refusals to add a zone.
    refused: Vec<CommandError>,
    /// Objects about which no policy could be asked.
    errors: Vec<CommandError>,
}

impl ZonesArguments {
    /// Who reads the standard output.
    pub(super) fn readers(&self) -> Readers {
        if self.output == Format::Json { Readers::Programs } else { Readers::People }
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        if self.output == Format::Patch && self.add.is_empty() {
            return Err(CommandError::NothingToAdd);
        }
        let (session, unread) = match self.session.open(engine, streams) {
            Ok(opened) => opened,
            Err(errors) => return Ok(self.readers().show(&errors, streams)),
        };
        if self.add.is_empty() {
            self.show(&session, unread, streams)
        } else {
            self.add(&session, unread, streams)
        }
    }

    /// Shows address spaces.
    fn show(
        &self,
        session: &Session<'_>,
        unread: Vec<CommandError>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let now = self.session.now();
        let settings = Settings::at(&now, session.facts());
        let Answers { are_several, answered: asked, mut refused, mut errors } =
            ask_all(session, unread, Function::Addresses, streams, |case, policy| {
                Ok((case.addresses(policy, settings)?, further(case, policy, settings)))
            });
        if asked.is_empty() && refused.is_empty() && errors.is_empty() {
            errors.push(CommandError::NoAddresses);
        }
        let (mut answered, mut open) = (Vec::new(), Vec::new());
        for Answered { document, provider, answer: (answer, further) } in asked {
            answered.push(Answered { document, provider, answer });
            match further {
                Ok(undecided) => open.push((document, undecided)),
                Err(failure) if failure.code == Failure::IMPOSSIBLE => {
                    refused.push(CommandError::no_answer(document, failure));
                }
                Err(failure) => errors.push(CommandError::no_answer(document, failure)),
            }
        }
        let text = match self.output {
            Format::Human => human::spaces(&answered, streams.stdout_has_color),
            other => written(&answered, &[&refused, &errors], are_several, other)?,
        };
        streams.print(&text)?;
        for (document, undecided) in open {
            show_undecided(document, &undecided, streams);
        }
        let is_wrong = |one: &Answered<'_, Addresses>| {
            !one.answer.unreadable.is_empty() || one.answer.spaces.iter().any(|space| !space.conflicts.is_empty())
        };
        let is_accepted = refused.is_empty() && !answered.iter().any(is_wrong);
        let status = if is_accepted { Status::Success } else { Status::Rejected };
        show_errors(&refused, streams);
        Ok(show_errors(&errors, streams).max(status))
    }

    /// Prints the changes that add zones to manifests.
    fn add(
        &self,
        session: &Session<'_>,
        unread: Vec<CommandError>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let now = self.session.now();
        let settings = Settings::at(&now, session.facts());
        let zone = |name: &String| NewZone { name: name.clone(), prefix_length: self.prefix };
        let add: Vec<NewZone> = self.add.iter().map(zone).collect();
        let mut answers: Answers<'_, AddedZones> =
            ask_all(session, unread, Function::Zones, streams, |case, policy| case.zones(policy, settings, &add));
        if answers.answered.is_empty() && answers.refused.is_empty() && answers.errors.is_empty() {
            answers.errors.push(CommandError::NoZones);
        }
        let text = match self.output {
            Format::Human => human::additions(&answers.answered)?,
            Format::Patch => patches(&answers.answered, answers.are_several),
            other => {
                let failed = [answers.refused.as_slice(), &answers.errors];
                written(&answers.answered, &failed, answers.are_several, other)?
            }
        };
        streams.print(&text)?;
        for one in &answers.answered {
            show_undecided(one.document, &one.answer.undecided, streams);
        }
        let status = if answers.refused.is_empty() { Status::Success } else { Status::Rejected };
        show_errors(&answers.refused, streams);
        Ok(show_errors(&answers.errors, streams).max(status))
    }
}

/// What the policy does not know of the place for further zones; a failure where it cannot say that there is one.
fn further(case: &Case<'_>, policy: &Policy<'_>, settings: Settings<'_>) -> Result<Vec<Undecided>, Failure> {
    if !policy.answers(Function::Zones) {
        return Ok(Vec::new());
    }
    Ok(case.zones(policy, settings, &[])?.undecided)
}

/// Asks the policy of every Shoot.
fn ask_all<'s, A>(
    session: &'s Session<'_>,
    errors: Vec<CommandError>,
    function: Function,
    streams: &mut Streams<'_>,
    ask: impl Fn(&Case<'s>, &Policy<'_>) -> Result<A, Failure>,
) -> Answers<'s, A> {
    let mut answers = Answers { are_several: false, answered: Vec::new(), refused: Vec::new(), errors };
    let mut asked = 0;
    let (mut skipped, mut read) = (Vec::new(), Vec::new());
    for assignment in session.assignments(function) {
        match assignment {
            Assignment::Judge(case, policy) => {
                asked += 1;
                read.extend(session.documents().filter(|other| case.reads(other)));
                // Of an object that the API server cannot read, nobody knows the ranges.
                if let Some(failure) = session.unreadable(&case, policy) {
                    let message =
                        format!("cannot be read: {}; `trellis validate` says how to fix it", failure.message);
                    let failure = Failure { code: Failure::IMPOSSIBLE.to_owned(), message, ..failure };
                    answers.refused.push(CommandError::no_answer(case.document, failure));
                    continue;
                }
                match ask(&case, policy) {
                    Ok(answer) => answers.answered.push(Answered {
                        document: case.document,
                        provider: policy.provider(),
                        answer,
                    }),
                    Err(failure) if failure.code == Failure::IMPOSSIBLE => {
                        answers.refused.push(CommandError::no_answer(case.document, failure));
                    }
                    Err(failure) => answers.errors.push(CommandError::no_answer(case.document, failure)),
                }
            }
            Assignment::Refuse(document, _) => skipped.push((document, "it names no provider")),
            Assignment::Skip(document, why) => skipped.push((document, why)),
            Assignment::Fail(error) => answers.errors.push(error),
        }
    }
    for (document, why) in skipped {
        if !read.iter().any(|other| std::ptr::eq(*other, document)) {
            streams.say(&format!("skipped {}: {why}\n", document.identity()));
        }
    }
    answers.are_several = asked > 1;
    answers
}

/// An answer, which names its object where there are several.
#[derive(Serialize)]
struct Entry<'a, T> {
    #[serde(flatten)]
    object: Option<Object>,
    #[serde(flatten)]
    answer: &'a T,
}

#[derive(Serialize)]
struct Object {
    kind: String,
    namespace: String,
    name: String,
}

impl<'a, T> Entry<'a, T> {
    fn of(document: &Document, answer: &'a T, are_several: bool) -> Self {
        let identity = document.identity();
        let object = Object { kind: identity.kind, namespace: identity.namespace, name: identity.name };
        Self { object: are_several.then_some(object), answer }
    }
}

/// An answer for programs, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a, A> {
    Answer(Entry<'a, A>),
    Failure { error: Error },
}

/// The answers for programs, and behind them the errors.
fn written<A: Serialize>(
    answered: &[Answered<'_, A>],
    failed: &[&[CommandError]],
    are_several: bool,
    format: Format,
) -> Result<String, CommandError> {
    let answers = answered.iter().map(|one| Outcome::Answer(Entry::of(one.document, &one.answer, are_several)));
    // A single answer is no list, so that an error next to the answer is on standard error alone.
    let has_failures = are_several || answered.is_empty();
    let failures = failed
        .iter()
        .copied()
        .flatten()
        .filter(|_| has_failures)
        .map(|error| Outcome::Failure { error: Error::of(error) });
    let all: Vec<_> = answers.chain(failures).collect();
    if format == Format::Yaml {
        let mut documents = Vec::new();
        for node in all.iter().flat_map(|entry| read_own(&pretty(entry))) {
            documents.push(node.to_yaml()?);
        }
        return Ok(documents.join("---\n"));
    }
    Ok(match all.as_slice() {
        [] => String::new(),
        [one] if !are_several => pretty(one) + "\n",
        several => pretty(several) + "\n",
    })
}

/// Never fails, because all keys are texts.
fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// The patches, as `trellis default` writes them.
fn patches(answered: &[Answered<'_, AddedZones>], are_several: bool) -> String {
    #[derive(Serialize)]
    struct Patch<'a> {
        patch: &'a [trellis_policies::answer::PatchOperation],
    }
    let text = match answered {
        [] => return String::new(),
        [one] if !are_several => serde_json::to_string(&one.answer.patch),
        several => {
            let patches: Vec<_> = several.iter().map(|one| Patch { patch: &one.answer.patch }).collect();
            let of = |(one, patch)| Entry::of(one, patch, true);
            let documents = several.iter().map(|one| one.document);
            serde_json::to_string(&documents.zip(&patches).map(of).collect::<Vec<_>>())
        }
    };
    text.unwrap_or_default() + "\n"
}
