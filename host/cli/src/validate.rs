//! `trellis validate`

mod named;

use clap::{Args, ValueEnum};
use named::Named;

use super::fail_on::FailOn;
use super::garden::GardenArguments;
use super::notes::{show_ambiguous, show_errors};
use super::output::{Judged, Remarks, Skipped, Style, Summary, documents, github, not_decided, sarif, scope};
use super::session::{Assignment, Session, SessionArguments};
use super::shadow::ShadowArguments;
use super::{CommandError, Status, Streams};
use trellis_policies::answer::{Effect, Severity, Verdict};
use trellis_policies::engine::Engine;
use trellis_policies::garden::Garden;
use trellis_policies::judge::{AdmissionOperation, Ruling, Settings, Target};
use trellis_policies::policy::GARDENER;

/// Judge manifests, and say where and how to fix them.
///
/// Defaults are set first, as the API server does; findings point into the files as they are.
#[derive(Args, Debug)]
pub(super) struct ValidateArguments {
    #[command(flatten)]
    session: SessionArguments,

    #[command(flatten)]
    garden: GardenArguments,

    /// How to show the results.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,

    /// Judge the objects as they are, without setting defaults first.
    #[arg(long)]
    no_defaults: bool,

    /// Say what must change before a Shoot goes to this version of Kubernetes: `1.35`, or `1.35.2`.
    ///
    /// Each Shoot is judged as an update of itself to the newest patch that its CloudProfile supports (without a
    /// profile, to the first one); versions of worker pools stay. Trellis reports also the minor versions between,
    /// what changes by default, and what happens to the nodes.
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["old", "create", "no_defaults"])]
    kubernetes: Option<Target>,

    /// On updates, report errors that the old version already had as warnings.
    #[arg(long, requires = "old")]
    ratchet: bool,

    #[command(flatten)]
    fail_on: FailOn,

    /// Leave warnings out of what is printed; the exit code stays what it is.
    #[arg(long)]
    errors: bool,

    #[command(flatten)]
    shadow: ShadowArguments,
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

/// What became of the objects.
struct Outcome<'s> {
    judged: Vec<Judged<'s>>,
    errors: Vec<CommandError>,
    skipped: Vec<Skipped>,
    status: Status,
    /// Warnings that are not printed.
    hidden_warnings: usize,
}

impl ValidateArguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.shadow
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let (session, unread, garden) = match self.open(engine, streams) {
            Ok(opened) => opened,
            Err(errors) => {
                let remarks = Remarks { scope: None, skipped: &[], errors: &errors };
                let text = match self.output {
                    Format::Github => github::github(&[], remarks),
                    Format::Sarif => sarif::sarif(&[], std::iter::empty(), remarks),
                    Format::Json => documents::json(&[], remarks),
                    Format::Yaml => documents::yaml(&[], remarks)?,
                    Format::Human => String::new(),
                };
                streams.print(&text)?;
                return Ok(show_errors(&errors, streams));
            }
        };
        let Outcome { judged, mut errors, skipped, status, hidden_warnings } =
            self.judge(&session, &garden, unread, streams)?;
        if judged.is_empty() && errors.is_empty() {
            errors.push(CommandError::NothingToJudge);
        } else if self.kubernetes.is_some() && errors.is_empty() && !judged.iter().any(Judged::is_shoot) {
            errors.push(CommandError::NothingToUpgrade);
        }
        let are_all_judged = errors.is_empty() && skipped.is_empty() && session.skipped().is_empty();
        let are_all_accepted = are_all_judged && judged.iter().all(|one| one.ruling.verdict == Verdict::Accept);
        let covered = scope(judged.iter().map(|one| (one.provider.as_str(), &one.ruling.scope)), are_all_accepted);
        let left_out: Vec<Skipped> = session.skipped().iter().chain(&skipped).cloned().collect();
        let remarks = Remarks { scope: covered.as_deref(), skipped: &left_out, errors: &errors };
        let text = match self.output {
            Format::Human if judged.is_empty() => String::new(),
            Format::Human => {
                let summary = Summary { judged: &judged, remarks, files: session.files(), hidden_warnings };
                let scope = covered.as_ref().map(|scope| format!("{scope}\n")).unwrap_or_default();
                summary.text() + &scope + &not_decided(&judged).unwrap_or_default()
            }
            Format::Json => documents::json(&judged, remarks),
            Format::Yaml => documents::yaml(&judged, remarks)?,
            Format::Sarif => sarif::sarif(&judged, session.policies(), remarks),
            Format::Github => github::github(&judged, remarks),
        };
        let style = Style::new(streams.stderr_has_color);
        for note in &skipped {
            streams.say(&format!("{note}\n"));
        }
        streams.print(&text)?;
        for one in &judged {
            show_ambiguous(one.document, &one.ruling.ambiguous, streams);
            for undecided in &one.ruling.undecided {
                streams.say(&style.undecided(one, undecided));
            }
        }
        Ok(show_errors(&errors, streams).max(status))
    }

    /// Reads the files, and what is known of the garden.
    fn open<'e>(
        &self,
        engine: &'e dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<(Session<'e>, Vec<CommandError>, Garden), Vec<CommandError>> {
        let garden = self.garden.read().map_err(|error| vec![error])?;
        let (session, unread) = self.session.open(engine, streams)?;
        Ok((session.toward(self.kubernetes.clone()), unread, garden))
    }

    /// Judges every object. People read of each as soon as it is judged, because there may be thousands.
    fn judge<'s>(
        &self,
        session: &'s Session<'_>,
        garden: &Garden,
        errors: Vec<CommandError>,
        streams: &mut Streams<'_>,
    ) -> Result<Outcome<'s>, CommandError> {
        let (now, facts) = (self.session.now(), session.facts());
        let settings = Settings {
            defaults: !self.no_defaults,
            ratchet: self.ratchet,
            facts,
            now: Some(&now),
            is_stored: false,
            garden,
        };
        let style = Style::new(streams.stdout_has_color);
        let (judged, skipped, status) = (Vec::new(), Vec::new(), Status::Success);
        let mut outcome = Outcome { judged, errors, skipped, status, hidden_warnings: 0 };
        let is_left = !matches!(self.output, Format::Json | Format::Yaml);
        let mut named = Named::new(session, settings, matches!(self.output, Format::Human));
        for assignment in session.panels(Effect::Validate) {
            let mut one = match assignment {
                Assignment::Judge(case, panel) => {
                    let (ruling, left_to) = match case.judge(&panel, settings) {
                        Ok(ruling) => (ruling, None),
                        Err(failure) => {
                            let Some((identity, ruling)) = named.hindrance(case.document) else {
                                outcome.errors.push(CommandError::no_answer(case.document, failure));
                                continue;
                            };
                            (ruling, Some(identity))
                        }
                    };
                    Judged {
                        document: case.document,
                        provider: panel.provider().to_owned(),
                        operation: case.operation(),
                        is_applied: case.is_applied(),
                        upgrade: case.upgraded(&panel, settings),
                        ruling,
                        left_to,
                    }
                }
                Assignment::Refuse(document, finding) => Judged {
                    document,
                    provider: GARDENER.to_owned(),
                    operation: AdmissionOperation::Create,
                    is_applied: false,
                    upgrade: None,
                    ruling: Ruling::refusal(document, *finding),
                    left_to: None,
                },
                Assignment::Skip(document, why) => {
                    outcome.skipped.push(Skipped::object(document, why));
                    continue;
                }
                Assignment::Fail(error) => {
                    outcome.errors.push(error);
                    continue;
                }
            };
            outcome.status = outcome.status.max(self.status(&one));
            if is_left {
                named.leave(&mut one);
            }
            if self.errors {
                outcome.hidden_warnings += one.hide_warnings();
            }
            if matches!(self.output, Format::Human) {
                streams.print(&style.report(&one))?;
            }
            outcome.judged.push(one);
        }
        for note in named.into_notes() {
            let style = Style::new(streams.stderr_has_color);
            streams.say(&style.note(&note));
        }
        Ok(outcome)
    }

    fn status(&self, one: &Judged<'_>) -> Status {
        let is_rejected = one.ruling.verdict == Verdict::Reject
            || self.fail_on.undecided() && !one.ruling.undecided.is_empty()
            || self.fail_on.warnings() && one.count(Severity::Warning) > 0;
        if is_rejected { Status::Rejected } else { Status::Success }
    }
}
