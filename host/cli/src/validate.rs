//! `trellis validate`

use clap::{Args, ValueEnum};

use super::fail_on::FailOn;
use super::garden::GardenArguments;
use super::notes::{tell, tell_ambiguous};
use super::output::{Judged, Remarks, Skipped, Style, Summary, documents, github, not_decided, sarif, scope};
use super::session::{Assignment, Session, SessionArguments};
use super::shadow::ShadowArguments;
use super::{Status, Streams, Trouble};
use trellis_policies::answer::{Effect, Severity, Verdict};
use trellis_policies::engine::Engine;
use trellis_policies::garden::Garden;
use trellis_policies::judge::{AdmissionOperation, Ruling, Settings};
use trellis_policies::policy::GARDENER;

/// Judge manifests, and say where and how to mend them.
///
/// Defaults are set first, as the API server does; findings point into the files as they are.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,

    #[command(flatten)]
    garden: GardenArguments,

    /// How to tell the results.
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,

    /// Judge the objects as they are, without setting defaults first.
    #[arg(long)]
    no_defaults: bool,

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

impl Arguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.shadow
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let (session, unread, garden) = match self.open(engine, streams) {
            Ok(opened) => opened,
            Err(troubles) => {
                let remarks = Remarks { scope: None, skipped: &[], troubles: &troubles };
                let text = match self.output {
                    Format::Github => github::github(&[], remarks),
                    Format::Sarif => sarif::sarif(&[], std::iter::empty(), remarks),
                    Format::Json => documents::json(&[], remarks),
                    Format::Yaml => documents::yaml(&[], remarks)?,
                    Format::Human => String::new(),
                };
                streams.print(&text)?;
                return Ok(tell(&troubles, streams));
            }
        };
        let (mut judged, mut troubles, skipped) = self.judge(&session, &garden, unread);
        if judged.is_empty() && troubles.is_empty() {
            troubles.push(Trouble::NothingToJudge);
        }
        let status = self.status(&judged);
        let hidden_warnings = if self.errors { judged.iter_mut().map(Judged::hide_warnings).sum() } else { 0 };
        let are_all_judged = troubles.is_empty() && skipped.is_empty() && session.skipped().is_empty();
        let are_all_accepted = are_all_judged && judged.iter().all(|one| one.ruling.verdict == Verdict::Accept);
        let covered = scope(judged.iter().map(|one| (one.provider.as_str(), &one.ruling.scope)), are_all_accepted);
        let left_out: Vec<Skipped> = session.skipped().iter().chain(&skipped).cloned().collect();
        let remarks = Remarks { scope: covered.as_deref(), skipped: &left_out, troubles: &troubles };
        let text = match self.output {
            Format::Human if judged.is_empty() => String::new(),
            Format::Human => {
                let report = Style::new(streams.stdout_has_color).report(&judged);
                let summary = Summary { judged: &judged, remarks, files: session.files(), hidden_warnings };
                let scope = covered.as_ref().map(|scope| format!("{scope}\n")).unwrap_or_default();
                report + &summary.text() + &scope + &not_decided(&judged).unwrap_or_default()
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
            tell_ambiguous(one.document, &one.ruling.ambiguous, streams);
            for undecided in &one.ruling.undecided {
                streams.say(&style.undecided(one, undecided));
            }
        }
        Ok(tell(&troubles, streams).max(status))
    }

    /// Reads the files, and what is known of the garden.
    fn open<'e>(
        &self,
        engine: &'e dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<(Session<'e>, Vec<Trouble>, Garden), Vec<Trouble>> {
        let garden = self.garden.read().map_err(|trouble| vec![trouble])?;
        let (session, unread) = self.session.open(engine, streams)?;
        Ok((session, unread, garden))
    }

    fn judge<'s>(
        &self,
        session: &'s Session<'_>,
        garden: &Garden,
        mut troubles: Vec<Trouble>,
    ) -> (Vec<Judged<'s>>, Vec<Trouble>, Vec<Skipped>) {
        let (now, facts) = (self.session.now(), session.facts());
        let settings = Settings {
            defaults: !self.no_defaults,
            ratchet: self.ratchet,
            facts,
            now: Some(&now),
            is_stored: false,
            garden,
        };
        let (mut judged, mut skipped) = (Vec::new(), Vec::new());
        for assignment in session.panels(Effect::Validate) {
            match assignment {
                Assignment::Judge(case, panel) => match case.judge(&panel, settings) {
                    Ok(ruling) => judged.push(Judged {
                        document: case.document,
                        provider: panel.provider().to_owned(),
                        operation: case.operation(),
                        is_applied: case.is_applied(),
                        ruling,
                    }),
                    Err(failure) => troubles.push(Trouble::no_answer(case.document, failure)),
                },
                Assignment::Refuse(document, finding) => judged.push(Judged {
                    document,
                    provider: GARDENER.to_owned(),
                    operation: AdmissionOperation::Create,
                    is_applied: false,
                    ruling: Ruling::refusal(document, *finding),
                }),
                Assignment::Skip(document, why) => {
                    skipped.push(Skipped::object(document, why));
                }
                Assignment::Fail(trouble) => troubles.push(trouble),
            }
        }
        (judged, troubles, skipped)
    }

    fn status(&self, judged: &[Judged<'_>]) -> Status {
        let rejected = |one: &Judged<'_>| {
            one.ruling.verdict == Verdict::Reject
                || self.fail_on.undecided() && !one.ruling.undecided.is_empty()
                || self.fail_on.warnings() && one.count(Severity::Warning) > 0
        };
        if judged.iter().any(rejected) { Status::Rejected } else { Status::Success }
    }
}
