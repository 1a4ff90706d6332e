//! The subject that the files of a command describe.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::files::FileArguments;
use super::input::Input;
use super::judged_at::JudgedAt;
use super::output::clean;
use super::session::unknown_provider;
use super::{CommandError, Streams};
use trellis_policies::engine::Engine;
use trellis_policies::manifest::{Document, Manifests};
use trellis_policies::source;
use trellis_runner::run::target::{RunTarget, TargetError};
use trellis_runner::state::StateDirectory;

#[derive(Args, Clone, Debug, Default)]
pub(super) struct TargetArguments {
    #[command(flatten)]
    files: FileArguments,

    /// Take the policy of this provider, whatever the object says.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    #[command(flatten)]
    time: JudgedAt,
}

impl TargetArguments {
    /// The time at which the objects are judged.
    pub(super) fn now(&self) -> String {
        self.time.text()
    }

    /// The files that the arguments name.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>, Vec<CommandError>> {
        let (paths, errors) = self.files.paths();
        if errors.is_empty() { Ok(paths) } else { Err(errors) }
    }

    /// Reads the files, and sets the defaults of a Shoot.
    pub(super) fn open(
        &self,
        engine: &dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<RunTarget, Vec<CommandError>> {
        self.open_files(&self.files()?, engine, streams)
    }

    /// Reads an older version of a target.
    pub(super) fn older(
        &self,
        file: &Path,
        target: &RunTarget,
        engine: &dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<RunTarget, Vec<CommandError>> {
        let older = self.open_files(&[file.to_owned()], engine, streams)?;
        if older.document().identity() == target.document().identity() {
            return Ok(older);
        }
        let document = older.document();
        Err(vec![
            TargetError::OtherOlder {
                object: target.document().identity().to_string(),
                older: document.identity().to_string(),
                input: Arc::clone(&document.input),
                span: document.root.locate("/metadata/name").highlight(&document.input),
            }
            .into(),
        ])
    }

    /// Reads these files, and sets the defaults of a Shoot.
    pub(super) fn open_files(
        &self,
        files: &[PathBuf],
        engine: &dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<RunTarget, Vec<CommandError>> {
        let known = engine.providers();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(vec![unknown_provider(name, &known)]);
        }
        let documents = Input::new(streams).documents(files)?;
        let manifests = Manifests::new(documents).map_err(|error| vec![error.into()])?;
        let target = RunTarget::of(manifests, self.provider.as_deref(), engine, self.now());
        let target = target.map_err(|errors| errors.into_iter().map(CommandError::from).collect::<Vec<_>>())?;
        say_remarks(&target, streams);
        Ok(target)
    }
}

/// Prints which objects the command is not about, and how to choose one of them, and what it passes over.
fn say_remarks(target: &RunTarget, streams: &mut Streams<'_>) {
    let planned = target.document().identity();
    for document in target.left_out() {
        let (object, place) = (document.identity(), document.place());
        let note = format!(
            "note: {object} ({place}) is left out, because this run is about {planned} alone; for a run about the {}, give it \
             without the {}",
            object.kind, planned.kind
        );
        streams.say(&(clean(&note) + "\n"));
    }
    if target.has_cleared_namespace() {
        let note = format!(
            "note: {planned} ({}) has `metadata.namespace`, which the API server clears, because the kind has no namespace: \
             leave it out",
            target.document().place()
        );
        streams.say(&(clean(&note) + "\n"));
    }
}

/// The manifest that was applied last, where the state directory has it.
pub(super) fn applied(target: &RunTarget, states: &StateDirectory) -> Result<Option<Document>, CommandError> {
    let id = target.name();
    let Some(text) = states.manifest(id)?.filter(|_| target.manifest().is_some()) else { return Ok(None) };
    let file = states.folder(id)?.join("applied.json");
    let (input, roots) = source::read(&file.display().to_string(), text.as_bytes())?;
    let identity = target.document().identity();
    Ok(Document::all_of(&input, roots)?.into_iter().find(|applied| applied.identity() == identity))
}
