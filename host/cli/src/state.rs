//! `trellis state`

mod rebind;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::failures::{self, Readers};
use super::output::clean;
use super::{CommandError, Status, Streams};
use trellis_policies::file;
use trellis_runner::state::{DocumentError, StateDirectory, StateDocument, StateError, UnfinishedRun};

/// Names the state directory where no option does.
const VARIABLE: &str = "TRELLIS_STATE_DIR";
/// The state directory where nothing names one.
const FOLDER: &str = ".trellis";

#[derive(Args, Debug)]
pub(super) struct StateDirectoryArguments {
    /// The directory that states are recorded in, a folder for each object; also in `TRELLIS_STATE_DIR`. By default
    /// `.trellis` in the working directory.
    #[arg(long, global = true, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

impl StateDirectoryArguments {
    /// The directory, which may not exist yet.
    pub(super) fn root(&self) -> PathBuf {
        let variable = || std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        self.state_dir.clone().or_else(variable).unwrap_or_else(|| PathBuf::from(FOLDER))
    }

    /// The states in it.
    pub(super) fn directory(&self) -> StateDirectory {
        StateDirectory::new(self.root())
    }
}

const AFTER_HELP: &str = "\
Examples:
  trellis state show
  trellis state export shoot--dev--crazy > state.json
  trellis state import state.json --state-dir elsewhere";

/// Show recorded states, export and import them, and clear the locks of runs that ended.
///
/// A state has the ids of resources in the cloud, and no secrets.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct StateArguments {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    states: StateDirectoryArguments,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the recorded states, or show one; say whether a run goes on, or was interrupted.
    Show {
        /// The name of the state: of a Shoot its technical id, such as `shoot--dev--crazy`.
        name: Option<String>,
    },
    /// Print a state as JSON, for `import`.
    Export {
        /// The name of the state; may be left out where only one is recorded.
        name: Option<String>,
    },
    /// Record a state that was exported elsewhere.
    Import {
        /// The file; `-` for standard input.
        file: PathBuf,

        /// Replace the recorded state, which is kept as `state.json.bak`.
        #[arg(long)]
        force: bool,
    },
    /// Say that what is recorded is in another cloud or account than its state names, after it was moved there on
    /// purpose, or that somebody made its object again.
    ///
    /// Only the record changes; the former one is kept as `state.json.bak`. To see what the cloud has, run
    /// `trellis plan`.
    Rebind(rebind::RebindArguments),
    /// Clear the lock of a run that did not end as it should. The lock of a run that goes on stays.
    Unlock {
        /// The name of the state; may be left out where only one is recorded.
        name: Option<String>,
    },
}

/// Why a state is not shown, or not imported.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateCommandError {
    #[error("nothing is recorded in `{0}`")]
    Nothing(String),
    #[error("nothing is recorded of `{0}`")]
    Unknown(String),
    #[error("several states are recorded: {0}")]
    Several(String),
    #[error("cannot read `{file}`: {error}")]
    File { file: String, error: io::Error },
    #[error("`{file}` is no state: {error}")]
    Import { file: String, error: DocumentError },
}

impl StateArguments {
    /// Who reads the standard output.
    pub(super) fn readers(&self) -> Readers {
        if matches!(self.action, Action::Export { .. }) { Readers::Programs } else { Readers::People }
    }

    pub(super) fn run(&self, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let directory = self.states.directory();
        match &self.action {
            Action::Show { name: None } => return self.list(&directory, streams),
            Action::Show { name: Some(name) } => {
                let run = directory.unfinished_run(name)?;
                let document = directory.read(name)?;
                if document.is_none() && run.is_none() {
                    return Err(StateCommandError::Unknown(name.clone()).into());
                }
                streams.print(&shown(name, document.as_ref(), run.as_ref()))
            }
            Action::Export { name } => streams.print(&self.recorded(&directory, name.as_ref())?.text()),
            Action::Import { file, force } => import(&directory, file, *force, streams),
            Action::Rebind(arguments) => arguments.run(&directory, streams),
            Action::Unlock { name } => {
                let name = self.name(&directory, name.as_ref())?;
                let reported = match directory.unlock(&name)? {
                    Some(holder) => format!("cleared {holder}\n"),
                    None => format!("`{name}` is free already\n"),
                };
                streams.print(&reported)
            }
        }?;
        Ok(Status::Success)
    }

    /// A line for each state. One that cannot be read does not hide the others.
    fn list(&self, directory: &StateDirectory, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let (mut text, mut errors) = (String::new(), Vec::new());
        for name in directory.begun()? {
            let (document, run) = (directory.read(&name), directory.unfinished_run(&name));
            if matches!((&document, &run), (Ok(None), Ok(None))) {
                continue;
            }
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", row(&name, &document, &run));
            errors.extend([document.err(), run.err()].into_iter().flatten().map(CommandError::from));
        }
        if text.is_empty() {
            return Err(StateCommandError::Nothing(self.root()).into());
        }
        streams.print(&text)?;
        Ok(failures::failed(&errors, Readers::People, streams))
    }

    fn root(&self) -> String {
        self.states.root().display().to_string()
    }

    /// The name given, or the only one that there is.
    fn name(&self, directory: &StateDirectory, name: Option<&String>) -> Result<String, CommandError> {
        if let Some(name) = name {
            return Ok(name.clone());
        }
        let mut names = directory.names()?;
        match names.len() {
            0 => Err(StateCommandError::Nothing(self.root()).into()),
            1 => Ok(names.pop().unwrap_or_default()),
            _ => Err(StateCommandError::Several(names.join(", ")).into()),
        }
    }

    fn recorded(&self, directory: &StateDirectory, name: Option<&String>) -> Result<StateDocument, CommandError> {
        let name = self.name(directory, name)?;
        directory.read(&name)?.ok_or_else(|| StateCommandError::Unknown(name).into())
    }
}

/// `shoot--dev--crazy  alicloud  eu-central-1  serial 20  2026-01-01T00:00:00Z reconcile: everything is ...`
fn row(
    name: &str,
    document: &Result<Option<StateDocument>, StateError>,
    run: &Result<Option<UnfinishedRun>, StateError>,
) -> String {
    let mut row = match document {
        Ok(Some(StateDocument { identity, serial, last, .. })) => {
            let kind = identity.kind.as_ref().map(|kind| format!("  {kind}")).unwrap_or_default();
            let mut row = format!("{name}{kind}  {}  {}  serial {serial}", identity.provider, identity.region);
            if let Some(last) = last {
                // Writing to a string does not fail.
                let _ = write!(row, "  {} {}: {}", last.at, last.operation, last.ending);
            }
            row
        }
        Ok(None) => format!("{name}  nothing recorded"),
        Err(_) => format!("{name}  unreadable"),
    };
    if let Ok(Some(run)) = run {
        let _ = write!(row, "  {run}");
    }
    clean(&row)
}

/// A state, for people.
fn shown(name: &str, document: Option<&StateDocument>, run: Option<&UnfinishedRun>) -> String {
    let mut lines = Vec::new();
    match document {
        Some(StateDocument { identity, serial, last, .. }) => {
            lines.extend([format!("{identity}"), format!("serial {serial}")]);
            lines.extend(last.as_ref().map(|last| format!("{} {}: {}", last.at, last.operation, last.ending)));
        }
        None => lines.push(format!("nothing is recorded of `{name}`")),
    }
    lines.extend(run.map(ToString::to_string));
    if matches!(run, Some(UnfinishedRun::Interrupted(_))) {
        lines.push("run the same command again: it goes on from what is recorded".to_owned());
    }
    if let Some(StateDocument { state, .. }) = document {
        lines.push(String::new());
        let wide = state.keys().map(|key| key.chars().count()).max().unwrap_or_default();
        lines.extend(state.iter().map(|(key, value)| format!("{key:wide$}  {value}")));
    }
    lines.iter().map(|line| clean(line) + "\n").collect()
}

fn import(
    directory: &StateDirectory,
    file: &Path,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<(), CommandError> {
    let name = file.display().to_string();
    let bytes = if file.as_os_str() == "-" {
        file::limited(&mut streams.stdin, file::MAX_OWN)
    } else {
        file::read(file, file::MAX_OWN)
    };
    let text =
        bytes.and_then(file::text).map_err(|error| StateCommandError::File { file: name.clone(), error })?;
    let document =
        StateDocument::read(&text).map_err(|error| StateCommandError::Import { file: name.clone(), error })?;
    let id = &document.identity.name;
    directory.lock(id, "trellis state import")?.import(&document, force)?;
    streams.print(&format!("recorded the state of {}\n", clean(&document.identity.to_string())))
}

impl StateCommandError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Nothing(_) => "name another directory with `--state-dir DIR`",
            Self::Unknown(_) => "`trellis state show` lists what is recorded",
            Self::Several(_) => "name one of them",
            Self::File { .. } => return None,
            Self::Import { .. } => "give what `trellis state export` printed",
        };
        Some(text.to_owned())
    }
}
