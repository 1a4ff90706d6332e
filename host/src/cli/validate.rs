//! `trellis validate`

use clap::{Args, ValueEnum};

use super::output::{Judged, Style, clean, documents, github, sarif};
use super::session::{Assignment, Session, SessionArguments};
use super::{Status, Streams, Trouble};
use crate::answer::{Severity, Undecided, Verdict};
use crate::engine::{Engine, Function};
use crate::judge::Settings;
use crate::manifest::Document;

/// Judge manifests, and say where and how to mend them.
///
/// Defaults are set first, as the API server does; findings point into the files as they are.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,

    /// How to tell the results.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,

    /// Judge the objects as they are, without setting defaults first.
    #[arg(long)]
    no_defaults: bool,

    /// On updates, report errors that the old version already had as warnings.
    #[arg(long, requires = "old")]
    ratchet: bool,

    /// Exit with 1 for warnings and undecided rules too.
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Excerpts with what is wrong underlined.
    Human,
    /// An array with one entry an object.
    Json,
    /// The same as YAML.
    Yaml,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

impl Arguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let session = match self.session.open(engine, streams) {
            Ok(session) => session,
            Err(troubles) => {
                let text = match self.output {
                    Format::Github => github::github(&[], &troubles),
                    Format::Sarif => sarif::sarif(&[], std::iter::empty(), &troubles),
                    Format::Human | Format::Json | Format::Yaml => String::new(),
                };
                streams.print(&text)?;
                return Ok(tell(&troubles, streams));
            }
        };
        let (judged, mut troubles, skipped) = self.judge(&session);
        if judged.is_empty() && troubles.is_empty() {
            troubles.push(Trouble::NothingToJudge);
        }
        let text = match self.output {
            Format::Human if judged.is_empty() => String::new(),
            Format::Human => Style::new(streams.stdout_has_color).report(&judged, troubles.len()),
            Format::Json => documents::json(&judged),
            Format::Yaml => documents::yaml(&judged)?,
            Format::Sarif => sarif::sarif(&judged, session.policies(), &troubles),
            Format::Github => github::github(&judged, &troubles),
        };
        let style = Style::new(streams.stderr_has_color);
        for note in &skipped {
            streams.say(note);
        }
        streams.print(&text)?;
        for one in &judged {
            for undecided in &one.ruling.undecided {
                streams.say(&style.undecided(one, undecided));
            }
        }
        Ok(tell(&troubles, streams).max(self.status(&judged)))
    }

    fn judge<'s>(&self, session: &'s Session<'_>) -> (Vec<Judged<'s>>, Vec<Trouble>, Vec<String>) {
        let settings = Settings { defaults: !self.no_defaults, ratchet: self.ratchet, facts: session.facts() };
        let (mut judged, mut troubles, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for assignment in session.assignments(Function::Validate) {
            match assignment {
                Assignment::Judge(case, policy) => match case.judge(policy, settings) {
                    Ok(ruling) => judged.push(Judged {
                        document: case.document,
                        provider: policy.provider(),
                        operation: case.operation(),
                        ruling,
                    }),
                    Err(failure) => troubles.push(Trouble::no_answer(case.document, failure)),
                },
                Assignment::Skip(document, why) => {
                    skipped.push(format!("skipped {}: {why}\n", document.identity()));
                }
                Assignment::Fail(trouble) => troubles.push(trouble),
            }
        }
        (judged, troubles, skipped)
    }

    fn status(&self, judged: &[Judged<'_>]) -> Status {
        let rejected = |one: &Judged<'_>| {
            one.ruling.verdict == Verdict::Reject
                || self.strict && (!one.ruling.undecided.is_empty() || one.count(Severity::Warning) > 0)
        };
        if judged.iter().any(rejected) { Status::Rejected } else { Status::Success }
    }
}

/// Prints all errors on standard error.
pub(super) fn tell(troubles: &[Trouble], streams: &mut Streams<'_>) -> Status {
    let style = Style::new(streams.stderr_has_color);
    for trouble in troubles {
        streams.say(&style.trouble(trouble));
    }
    if troubles.is_empty() { Status::Success } else { Status::Failed }
}

/// Prints what a policy could not take into account, a line each.
pub(super) fn tell_undecided(document: &Document, undecided: &[Undecided], streams: &mut Streams<'_>) {
    for Undecided { rule, why, .. } in undecided {
        let note = format!("undecided[{rule}]: {}: {why}", document.identity());
        streams.say(&(clean(&note) + "\n"));
    }
}
