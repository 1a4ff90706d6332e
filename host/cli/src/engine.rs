//! What runs the policies: what the command line and the environment ask for, and getting it.

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};

use super::{CommandError, EVERYWHERE};
use trellis_policies::digest::Digest;
use trellis_policies::engine::Engine;

/// Names policies where no option does: paths, separated as in `PATH`.
pub(super) const VARIABLE: &str = "TRELLIS_POLICIES";
/// The folder with policies next to the program.
const FOLDER: &str = "policies";

#[derive(Args, Debug)]
pub(super) struct EngineArguments {
    /// What runs the policies; without this, the sandbox wherever policies are named, else the program itself.
    #[arg(long, global = true, value_name = "ENGINE", help_heading = EVERYWHERE)]
    engine: Option<EngineName>,

    /// A policy file, or a folder with policies, for the sandbox; also in `TRELLIS_POLICIES`.
    #[arg(long, global = true, value_name = "PATH", help_heading = EVERYWHERE)]
    policies: Vec<PathBuf>,

    /// Run only policy files with this SHA-256 digest, for the sandbox; may be repeated.
    ///
    /// Without this, a file is run where `SHA256SUMS` next to it lists its digest, which shows damage, and not
    /// who made the file.
    #[arg(long, global = true, value_name = "SHA256", help_heading = EVERYWHERE)]
    digest: Vec<Digest>,
}

/// The engines that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The policies linked into this program.
    Native,
    /// Policies from files, as WebAssembly.
    Sandbox,
}

/// What is to run the policies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The policies linked into this program.
    Native,
    /// The sandbox.
    Sandbox(PolicyFiles),
}

/// The files with the policies of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFiles {
    /// Files and folders; where there are none, the folder next to the program.
    pub paths: Vec<PathBuf>,
    /// The digests of the files to run; where there are none, those that `SHA256SUMS` next to the files lists.
    pub digests: BTreeSet<Digest>,
}

/// An engine, and what there is to say about it.
pub struct Opened {
    /// The engine.
    pub engine: Arc<dyn Engine>,
    /// Policy files that it does not run, and why.
    pub refused: Vec<String>,
    /// What went wrong without being in the way.
    pub warnings: Vec<String>,
}

impl Opened {
    /// An engine about which there is nothing to say.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self { engine: Arc::new(engine), refused: Vec::new(), warnings: Vec::new() }
    }

    /// Whether the engine runs everything that was named.
    pub(super) fn all_run(&self) -> Result<(), CommandError> {
        if self.refused.is_empty() { Ok(()) } else { Err(CommandError::Refused(self.refused.join("\n"))) }
    }
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It was left out when this program was built.
    #[error("this program was built without the engine `{0}`")]
    NotBuiltIn(&'static str),
    /// It was asked for, and nobody says where its policies are.
    #[error("the sandbox has no policies: there is no folder `{}`", .0.display())]
    NoPolicies(PathBuf),
    /// It does not start.
    #[error(transparent)]
    Failed(Box<dyn Error + Send + Sync>),
}

impl OpenError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::NotBuiltIn(name) => Some(format!(
                "`make build` builds the program with all that belongs to it; with cargo alone, add the feature `{name}`"
            )),
            Self::NoPolicies(_) => Some(format!(
                "name a policy file or a folder with `--policies PATH` or in `{VARIABLE}`; `make build` makes `target/release/{FOLDER}`"
            )),
            Self::Failed(_) => None,
        }
    }
}

impl EngineArguments {
    /// What is asked for, given the value of the [variable](VARIABLE). An error lacks the usage of the command line.
    pub(super) fn select(&self, variable: Option<&OsStr>) -> Result<Selection, clap::Error> {
        let named = if self.policies.is_empty() {
            let paths = variable.map(|paths| std::env::split_paths(paths).collect::<Vec<_>>()).unwrap_or_default();
            paths.into_iter().filter(|path| !path.as_os_str().is_empty()).collect()
        } else {
            self.policies.clone()
        };
        let digests: BTreeSet<Digest> = self.digest.iter().copied().collect();
        let contradicts = |option| {
            let words = format!(
                "`--engine native` runs the policies of this program, and `{option}` names others; leave one of them out"
            );
            Err(clap::Error::raw(ErrorKind::ArgumentConflict, words))
        };
        match self.engine {
            Some(EngineName::Native) if !self.policies.is_empty() => contradicts("--policies"),
            Some(EngineName::Native) if !digests.is_empty() => contradicts("--digest"),
            Some(EngineName::Native) => Ok(Selection::Native),
            None if named.is_empty() && digests.is_empty() && cfg!(feature = "native") => Ok(Selection::Native),
            _ => Ok(Selection::Sandbox(PolicyFiles { paths: named, digests })),
        }
    }
}

/// Gets the engine that is asked for.
pub(super) fn open(selection: &Selection) -> Result<Opened, OpenError> {
    match selection {
        #[cfg(feature = "native")]
        Selection::Native => Ok(Opened::new(trellis_policies::engine::Native)),
        #[cfg(not(feature = "native"))]
        Selection::Native => Err(OpenError::NotBuiltIn("native")),
        Selection::Sandbox(files) => sandbox(files),
    }
}

#[cfg(feature = "sandbox")]
fn sandbox(PolicyFiles { paths, digests }: &PolicyFiles) -> Result<Opened, OpenError> {
    use trellis_policies::sandbox::{Expected, Limits, LoadError, Sandbox, default_cache};

    let paths = if paths.is_empty() { &[next_to_program()?] } else { paths.as_slice() };
    let failed = |error: Box<dyn Error + Send + Sync>| OpenError::Failed(error);
    let mut sandbox =
        Sandbox::new(Limits::default(), default_cache().as_deref()).map_err(|error| failed(error.into()))?;
    let expected = if digests.is_empty() { Expected::Listed } else { Expected::Named(digests.clone()) };
    let mut refused = Vec::new();
    for error in sandbox.load_all(paths, &expected).err().unwrap_or_default() {
        match error {
            LoadError::Refused(refusals) => refused.extend(refusals.iter().map(ToString::to_string)),
            LoadError::Absent(_) => refused.push(error.to_string()),
            LoadError::Unreadable { .. } | LoadError::Empty(_) => return Err(failed(error.into())),
        }
    }
    let warnings = sandbox.take_cache_errors().iter().map(ToString::to_string).collect();
    Ok(Opened { engine: Arc::new(sandbox), refused, warnings })
}

/// The folder with policies next to the program.
#[cfg(feature = "sandbox")]
fn next_to_program() -> Result<PathBuf, OpenError> {
    let program = std::env::current_exe().map_err(|error| OpenError::Failed(error.into()))?;
    let folder = program.parent().unwrap_or_else(|| std::path::Path::new("")).join(FOLDER);
    if folder.is_dir() { Ok(folder) } else { Err(OpenError::NoPolicies(folder)) }
}

#[cfg(not(feature = "sandbox"))]
fn sandbox(_: &PolicyFiles) -> Result<Opened, OpenError> {
    Err(OpenError::NotBuiltIn("sandbox"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::Cli;

    fn selected(arguments: &[&str], variable: &str) -> Result<Selection, ErrorKind> {
        let arguments = ["trellis", "rules"].iter().chain(arguments);
        let cli = Cli::try_parse_from(arguments).map_err(|error| error.kind())?;
        cli.engine.select(Some(variable.as_ref())).map_err(|error| error.kind())
    }

    fn sandbox(paths: &[&str]) -> Selection {
        trusting(paths, &[])
    }

    fn trusting(paths: &[&str], digests: &[&str]) -> Selection {
        Selection::Sandbox(PolicyFiles {
            paths: paths.iter().map(PathBuf::from).collect(),
            digests: digests.iter().map(|digest| digest.parse().unwrap()).collect(),
        })
    }

    #[cfg(feature = "native")]
    #[test]
    fn policies_of_this_program_are_the_default() {
        assert_eq!(selected(&[], ""), Ok(Selection::Native));
    }

    #[test]
    fn the_sandbox_runs_what_is_named() {
        assert_eq!(selected(&["--policies", "a"], "b"), Ok(sandbox(&["a"])));
        assert_eq!(selected(&["--policies", "a", "--policies", "b"], ""), Ok(sandbox(&["a", "b"])));
        assert_eq!(selected(&[], "b"), Ok(sandbox(&["b"])));
        assert_eq!(selected(&["--engine", "sandbox"], "b"), Ok(sandbox(&["b"])));
        assert_eq!(selected(&["--engine", "sandbox"], ""), Ok(sandbox(&[])));
    }

    #[test]
    fn an_option_counts_more_than_the_environment() {
        assert_eq!(selected(&["--engine", "native"], "b"), Ok(Selection::Native));
        assert_eq!(selected(&["--engine", "native", "--policies", "a"], ""), Err(ErrorKind::ArgumentConflict));
    }

    #[test]
    fn digests_are_never_passed_over() {
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        let named = ["--policies", "p", "--digest", &a, "--digest", &b];
        assert_eq!(selected(&named, ""), Ok(trusting(&["p"], &[&a, &b])));
        assert_eq!(selected(&["--digest", &a], "p"), Ok(trusting(&["p"], &[&a])));
        assert_eq!(selected(&["--digest", &a], ""), Ok(trusting(&[], &[&a])));
        assert_eq!(selected(&["--engine", "native", "--digest", &a], "p"), Err(ErrorKind::ArgumentConflict));
        assert_eq!(selected(&["--digest", "abc"], ""), Err(ErrorKind::ValueValidation));
    }
}
