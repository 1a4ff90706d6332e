//! `trellis render`

mod asked;
mod diff;
mod error;
mod folder;
mod images;
mod mask;
mod notes;
mod output;
mod renderer;
mod what;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::facts::facts;
use super::failures::Readers;
use super::files::FileArguments;
use super::input::Input;
use super::judged_at::JudgedAt;
use super::notes::show_errors;
use super::output::Error;
use super::output::{Skipped, Style};
use super::{CommandError, Status, Streams};
use trellis_policies::engine::Engine;
use trellis_policies::manifest::{Document, Manifests};

use diff::Change;
pub(super) use error::RenderError;
use mask::Mask;
use renderer::{RenderSource, Rendered, Renderer, Unrendered};
pub(super) use what::What;

const AFTER_HELP: &str = "\
Standard output has the manifests alone, standard error what is not known of
them.

Exit codes: 0 rendered, also where --diff shows changes; 1 findings forbid it;
2 an object that the policy asks for is missing, or the command line or a file
cannot be used.

Examples:
  trellis render shoot.yaml cloudprofile.yaml
  trellis render shoot.yaml --diff old.yaml                   # what an edit changes, and whose pods restart
  trellis render shoot.yaml -o dir --to manifests
  trellis render controlplane.yaml cluster.yaml secret.yaml   # of a seed, with its ids and names
  trellis render shoot.yaml --what workers                    # machine classes and machine deployments
  trellis render shoot.yaml --values";

/// Render the Kubernetes objects that make the control plane of a Shoot run, or its machines. Calls no cluster and
/// no cloud.
///
/// From a Shoot alone, with its CloudProfile and its Seed where they are given, Trellis renders a preview:
/// placeholders stand for what only the cloud and the seed know. From a ControlPlane and its Cluster, Trellis
/// renders what the extension applies; the files have to have the Secret with the credentials too. With
/// `--what workers`, a Worker takes the place of the ControlPlane, and the Secrets with user data take that of the
/// credentials.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct RenderArguments {
    #[command(flatten)]
    files: FileArguments,

    /// Take the policy of this provider, whatever the object says.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    #[command(flatten)]
    time: JudgedAt,

    /// What to render.
    #[arg(long, value_name = "WHAT", default_value = "control-plane")]
    what: What,

    /// Show what changes from these files to FILES, and whose pods restart; a folder is read as FILES are.
    ///
    /// What these files lack next to the Shoot or the ControlPlane, Trellis takes from FILES.
    #[arg(long, value_name = "OLD")]
    diff: Vec<PathBuf>,

    /// A file with answers to the queries of the policies: a list of facts, YAML or JSON.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// An image vector of Gardener, whose images replace those of the policy.
    #[arg(long, value_name = "FILE")]
    images: Option<PathBuf>,

    /// Print the values that the templates are filled with, by bundle, instead of the objects.
    #[arg(long, conflicts_with = "diff")]
    values: bool,

    /// Print the values of Secrets, which are hidden otherwise.
    #[arg(long)]
    show_secrets: bool,

    /// What to write.
    #[arg(short, long, value_name = "FORMAT", default_value = "yaml")]
    output: Format,

    /// The folder for `-o dir`, which must be empty or not be there.
    #[arg(long, value_name = "PATH")]
    to: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The objects as a stream; of --diff, a unified diff of each object.
    Yaml,
    /// The answer of the policy, several as an array; of --diff, a list of changes.
    Json,
    /// The objects as files in the folder of `--to`, a folder a `ManagedResource`.
    Dir,
}

/// What changes of machines do not show.
const NO_NODES: &str = "note: how many nodes there are, and hashes, are not in these objects; \
    `trellis plan NEW --baseline OLD` shows what becomes of the nodes\n";

/// The control planes of the files, rendered.
#[derive(Default)]
struct Outcome<'m> {
    rendered: Vec<Rendered<'m>>,
    skipped: Vec<Skipped>,
    errors: Vec<CommandError>,
}

impl RenderArguments {
    /// Who reads the standard output.
    fn readers(&self) -> Readers {
        if self.output == Format::Json { Readers::Programs } else { Readers::People }
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let folder = self.folder()?;
        self.check_what()?;
        let mask = Mask { shows_secrets: self.show_secrets };
        let mut input = Input::new(streams);
        let images = self.images.as_deref().map(|file| images::read(file, &mut input)).transpose()?.flatten();
        let facts = self.facts.as_deref().map(|file| facts(&mut input, file)).transpose()?.unwrap_or_default();
        let (manifests, old) = match self.read(&mut input) {
            Ok(read) => read,
            Err(errors) => return Ok(self.readers().show(&errors, streams)),
        };
        let renderer =
            Renderer::new(engine, self.provider.clone(), images, self.values, self.what, facts, self.time.text())?;
        let (mut after, mut before) = match &old {
            None => (render_all(&renderer, &manifests, &[], self.what), None),
            Some(old) => {
                let (old, _) = RenderSource::all_of(old, self.what);
                let before = render_old(&renderer, &manifests, &old, self.what);
                (render_all(&renderer, &manifests, &old, self.what), Some(before))
            }
        };
        if after.rendered.is_empty() && after.errors.is_empty() {
            after.errors.push(RenderError::Nothing(self.what).into());
        }
        let waits: Vec<CommandError> = after.rendered.iter().flat_map(Rendered::open).collect();
        after.errors.extend(waits);
        let is_rejected = after.rendered.iter().any(Rendered::is_rejected);
        let is_complete = after.errors.is_empty() && !is_rejected;
        match &mut before {
            Some(before) => {
                let waits: Vec<CommandError> = before.rendered.iter().flat_map(Rendered::open).collect();
                before.errors.extend(waits);
                let is_rejected = is_rejected || before.rendered.iter().any(Rendered::is_rejected);
                self.print_changes(before, &after, is_rejected, mask, streams)?;
            }
            None => match folder {
                Some(folder) if is_complete => {
                    let count = folder::write(folder, &after.rendered, mask)?;
                    streams.say(&format!("wrote {count} files into {}\n", folder.display()));
                }
                Some(_) => {}
                None => streams.print(&self.text(&after, mask)?)?,
            },
        }
        Ok(self.finish(before, after, streams))
    }

    /// Refuses what only control planes have.
    fn check_what(&self) -> Result<(), RenderError> {
        let option = if self.values { "--values" } else { "--images" };
        let is_asked = self.values || self.images.is_some();
        if self.what != What::ControlPlane && is_asked {
            Err(RenderError::OnlyControlPlanes(option))
        } else {
            Ok(())
        }
    }

    /// The folder to write.
    fn folder(&self) -> Result<Option<&PathBuf>, RenderError> {
        match (self.output == Format::Dir, &self.to) {
            (false, None) => Ok(None),
            (false, Some(_)) => Err(RenderError::NotAFolder),
            (true, _) if self.values => Err(RenderError::OnlyManifests("--values")),
            (true, _) if !self.diff.is_empty() => Err(RenderError::OnlyManifests("--diff")),
            (true, None) => Err(RenderError::NoFolder),
            (true, Some(folder)) => folder::check(folder).map(|()| Some(folder)),
        }
    }

    /// Reads the files, and those of `--diff` with what they lack.
    fn read(&self, input: &mut Input<'_, '_>) -> Result<(Manifests, Option<Manifests>), Vec<CommandError>> {
        let manifests = Manifests::new(documents(&self.files, input)?).map_err(|error| vec![error.into()])?;
        if self.diff.is_empty() {
            return Ok((manifests, None));
        }
        let mut old = documents(&FileArguments::of(&self.diff, self.files.is_recursive()), input)?;
        if !old.iter().any(|one| self.what.is_of(one)) {
            return Err(vec![RenderError::NothingOld(self.what).into()]);
        }
        let has = |document: &Document| old.iter().any(|one| one.identity() == document.identity());
        let lacking = manifests.documents().iter().filter(|one| !self.what.is_of(one) && !has(one));
        let copies = lacking.map(|one| Document::all_of(&one.input, vec![one.root.clone()]));
        let copies: Vec<Vec<Document>> =
            copies.collect::<Result<_, _>>().map_err(|error| vec![CommandError::from(error)])?;
        old.extend(copies.into_iter().flatten());
        Ok((manifests, Some(Manifests::new(old).map_err(|error| vec![error.into()])?)))
    }

    /// Manifests, values or answers.
    fn text(&self, outcome: &Outcome<'_>, mask: Mask) -> Result<String, CommandError> {
        let Outcome { rendered, errors, .. } = outcome;
        match (self.output, self.values) {
            (Format::Json, true) => Ok(output::values_json(rendered, errors, mask)),
            (Format::Json, false) => Ok(output::json(rendered, errors, mask)),
            (_, true) => output::values_yaml(rendered, mask),
            (_, false) => output::yaml(rendered, mask),
        }
    }

    /// Prints what changes, where all of it is known.
    fn print_changes(
        &self,
        before: &Outcome<'_>,
        after: &Outcome<'_>,
        is_rejected: bool,
        mask: Mask,
        streams: &mut Streams<'_>,
    ) -> Result<(), CommandError> {
        if let Some(first) = before.errors.first().or(after.errors.first()) {
            return self.readers().print(Error::of(first), streams);
        }
        if is_rejected {
            return self.readers().print(Error::of(&RenderError::Rejected.into()), streams);
        }
        let mut changes = Vec::new();
        for new in &after.rendered {
            let identity = new.document.identity();
            let old = before.rendered.iter().find(|old| old.document.identity() == identity);
            if old.is_none() {
                streams.say(&format!(
                    "note: {identity} is not in the files of `--diff`: all of its objects are new\n"
                ));
            }
            changes.extend(Change::all_of(old, new, mask));
        }
        if self.what == What::Workers {
            streams.say(NO_NODES);
        }
        let text = match self.output {
            Format::Json => diff::json(&changes),
            _ => diff::human(&changes, streams.stdout_has_color)?,
        };
        streams.print(&text)
    }

    /// Prints what is not known, and what went wrong.
    fn finish(&self, before: Option<Outcome<'_>>, after: Outcome<'_>, streams: &mut Streams<'_>) -> Status {
        let rendered = before.iter().chain([&after]).flat_map(|outcome| &outcome.rendered);
        let is_rejected = rendered.into_iter().any(Rendered::is_rejected);
        let status = if is_rejected { Status::Rejected } else { Status::Success };
        let mut errors = Vec::new();
        if let Some(Outcome { rendered, skipped, errors: of_older }) = before {
            say_skipped(&skipped, streams);
            for mut one in rendered {
                notes::say_of_older(&mut one, streams);
            }
            errors.extend(of_older);
        }
        say_skipped(&after.skipped, streams);
        for mut one in after.rendered {
            if self.what == What::Workers && one.answer.is_empty() {
                streams.say(&format!(
                    "note: {} has no worker pools, so there are no machines\n",
                    one.document.identity()
                ));
            }
            notes::say(&mut one, streams);
        }
        errors.extend(after.errors);
        if self.show_secrets {
            let warning = Style::new(streams.stderr_has_color).warning("the output has the values of Secrets");
            streams.say(&warning);
        }
        // What rules reject, and defaults that a policy refuses to set, are mistakes of the person.
        let is_denied = |error: &CommandError| {
            matches!(error, CommandError::Denied { .. } | CommandError::Render(RenderError::Inadmissible { .. }))
        };
        let are_denied = errors.iter().all(is_denied);
        let reported = show_errors(&errors, streams);
        let reported = if are_denied { reported.min(Status::Rejected) } else { reported };
        reported.max(status)
    }
}

fn say_skipped(skipped: &[Skipped], streams: &mut Streams<'_>) {
    for one in skipped {
        streams.say(&format!("{one}\n"));
    }
}

/// The objects of some files and folders.
fn documents(files: &FileArguments, input: &mut Input<'_, '_>) -> Result<Vec<Document>, Vec<CommandError>> {
    let (paths, errors) = files.paths();
    if errors.is_empty() { input.documents(&paths) } else { Err(errors) }
}

/// Renders all control planes of the files, some of which have an older version.
fn render_all<'m>(
    renderer: &Renderer<'_>,
    manifests: &'m Manifests,
    old: &[RenderSource<'m>],
    what: What,
) -> Outcome<'m> {
    let (sources, skipped) = RenderSource::all_of(manifests, what);
    let mut outcome = Outcome { skipped, ..Outcome::default() };
    for source in sources {
        let older = old.iter().map(|old| old.document).find(|old| is_same(old, source.document, what));
        let exists = source.document.is_from_cluster() || older.is_some_and(Document::is_from_cluster);
        outcome.add(renderer.render(source, exists.then(|| older.unwrap_or(source.document))));
    }
    outcome
}

/// Renders the older versions, each of which needs its new one.
fn render_old<'m>(
    renderer: &Renderer<'_>,
    manifests: &Manifests,
    old: &[RenderSource<'m>],
    what: What,
) -> Outcome<'m> {
    let mut outcome = Outcome::default();
    for source in old {
        let document = source.document;
        match manifests.documents().iter().find(|new| is_same(new, document, what)) {
            Some(new) => {
                let exists = document.is_from_cluster() || new.is_from_cluster();
                outcome.add(renderer.render(*source, exists.then_some(document)));
            }
            None => outcome.errors.push(RenderError::without_new(document)),
        }
    }
    outcome
}

fn is_same(one: &Document, other: &Document, what: What) -> bool {
    what.is_of(one) && one.identity() == other.identity()
}

impl<'m> Outcome<'m> {
    fn add(&mut self, rendered: Result<Rendered<'m>, Unrendered>) {
        match rendered {
            Ok(rendered) => self.rendered.push(rendered),
            Err(Unrendered::Skipped(skipped)) => self.skipped.push(skipped),
            Err(Unrendered::Failed(error)) => self.errors.push(error),
        }
    }
}
