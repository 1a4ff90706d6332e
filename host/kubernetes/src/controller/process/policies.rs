//! The policies of a process: loaded from files, loaded again when the files change, and a second version in
//! shadow.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::interval;

use crate::metrics::{Metrics, Shadowed};
use trellis_policies::digest::Digest;
use trellis_policies::engine::{Engine, Function, Shadow, Versions};
use trellis_policies::policy::Policy;
use trellis_policies::sandbox::{Expected, Limits, LoadError, Sandbox, StartError, default_cache};

/// How often the process looks whether the files have changed.
const INTERVAL: Duration = Duration::from_secs(10);

/// Where the policies come from.
#[derive(Clone, Debug)]
pub struct PolicyFiles {
    /// The provider whose policy must be among them.
    pub provider: String,
    /// What that policy must answer.
    pub function: Function,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The digests of the files to run; where there are none, those that `SHA256SUMS` next to the files lists.
    pub digests: BTreeSet<Digest>,
    /// A file or folder with a second version, which is asked the same and whose answers have no effect.
    pub shadow: Option<PathBuf>,
    /// The program `trellis`, which fills the cache of compiled policies in a process of its own. Without it, this
    /// process compiles what the cache lacks.
    pub program: Option<PathBuf>,
}

/// Why there are no policies.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The sandbox does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Files cannot be loaded, or are refused.
    #[error(
        "policies cannot be run: {0}; name others with `--policies PATH`, or build them: `make build` makes `target/release/policies`"
    )]
    Refused(String),
    /// No file has the policy of the provider.
    #[error("there is no policy of `{provider}` in {paths}; there are {known}")]
    Missing {
        /// Whose.
        provider: String,
        /// Where it should be.
        paths: String,
        /// What is there.
        known: String,
    },
    /// The policy of the provider lacks what the process is there for.
    #[error("the policy of `{provider}` does not answer `{}` yet: this process has nothing to do for this provider", function.name())]
    NoAnswer {
        /// Whose policy.
        provider: String,
        /// What it would have to answer.
        function: Function,
    },
    /// The second version cannot be asked.
    #[error("the second version cannot be asked: {0}")]
    Shadow(std::io::Error),
}

/// What shows whether files have changed, without reading them.
type Fingerprint = BTreeSet<(PathBuf, u64, Option<SystemTime>)>;

impl PolicyFiles {
    /// Loads the policies.
    pub fn load(&self, metrics: &Metrics) -> Result<Arc<dyn Engine>, PolicyError> {
        let expected =
            if self.digests.is_empty() { Expected::Listed } else { Expected::Named(self.digests.clone()) };
        let engine = self.sandbox(&self.paths, &expected)?;
        let function = self.function;
        let answers = Policy::load(&*engine, &self.provider).is_ok_and(|policy| policy.answers(function));
        if !answers {
            return Err(PolicyError::NoAnswer { provider: self.provider.clone(), function });
        }
        self.show(&*engine, metrics);
        let Some(shadow) = &self.shadow else { return Ok(engine) };
        let second = self.sandbox(std::slice::from_ref(shadow), &Expected::Listed)?;
        tracing::info!(provider = self.provider, file = %shadow.display(), "policy in shadow");
        let (metrics, provider) = (metrics.clone(), self.provider.clone());
        let show = move |difference: trellis_policies::engine::Difference| {
            metrics.shadowed(&provider, Shadowed::Differed, 1);
            tracing::warn!("shadow: {difference}");
        };
        Ok(Arc::new(Shadow::new(engine, second, show).map_err(PolicyError::Shadow)?))
    }

    /// Looks from time to time whether the files have changed, and takes the new policies into use. Where the new
    /// files are refused, the policies in use stay.
    pub async fn watch(self, versions: Arc<Versions>, metrics: Metrics) {
        let mut ticks = interval(INTERVAL);
        let (mut used, mut seen) = (self.fingerprint(), None);
        loop {
            ticks.tick().await;
            let found = self.fingerprint();
            // Somebody may still be writing the files, so that they have to stay the same from one look to the
            // next.
            let is_settled = seen.as_ref() == Some(&found);
            if found != used && is_settled {
                let (files, counted) = (self.clone(), metrics.clone());
                match tokio::task::spawn_blocking(move || files.load(&counted)).await {
                    Ok(Ok(engine)) => drop(versions.swap(engine)),
                    Ok(Err(error)) => tracing::error!(%error, "the policies in use stay"),
                    Err(error) => tracing::error!(%error, "the policies in use stay"),
                }
                used = found.clone();
            }
            seen = Some(found);
        }
    }

    fn sandbox(&self, paths: &[PathBuf], expected: &Expected) -> Result<Arc<dyn Engine>, PolicyError> {
        self.compile(paths, expected);
        let mut sandbox = Sandbox::new(Limits::default(), default_cache().as_deref())?;
        if let Err(errors) = sandbox.load_all(paths, expected) {
            return Err(PolicyError::Refused(
                errors.iter().map(LoadError::to_string).collect::<Vec<_>>().join("; "),
            ));
        }
        for error in sandbox.take_cache_errors() {
            tracing::warn!(%error, "a compiled policy is not kept");
        }
        let known = sandbox.providers();
        if known.contains(&self.provider) {
            return Ok(Arc::new(sandbox));
        }
        let shown = |paths: &[PathBuf]| {
            paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
        };
        Err(PolicyError::Missing {
            provider: self.provider.clone(),
            paths: shown(paths),
            known: known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        })
    }

    /// Compiles what the cache lacks, in another process, because a compiler leaves more memory behind than
    /// compiled policies need. What goes wrong there goes wrong again in this process, and is reported then.
    fn compile(&self, paths: &[PathBuf], expected: &Expected) {
        let (Some(program), Some(cache)) = (&self.program, default_cache()) else { return };
        let mut command = compiling(program, &cache, paths, expected);
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// Says which policy is in use.
    fn show(&self, engine: &dyn Engine, metrics: &Metrics) {
        let version = Policy::load(engine, &self.provider).map(|policy| policy.info().version.clone());
        let version = version.unwrap_or_default();
        if let Some(file) = engine.file(&self.provider) {
            let digest = file.digest;
            tracing::info!(provider = self.provider, version, %digest, file = %file.path.display(), "policy in use");
            metrics.policy(&self.provider, &version, &digest);
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut found = Fingerprint::new();
        for path in self.paths.iter().chain(&self.shadow) {
            note(path, &mut found);
            for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                note(&entry.path(), &mut found);
            }
        }
        found
    }
}

/// The command that compiles for a cache what the cache lacks. It gets nothing of the environment, which may hold
/// credentials.
fn compiling(program: &Path, cache: &Path, paths: &[PathBuf], expected: &Expected) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("TRELLIS_CACHE", cache).args(["policies", "list"]);
    for path in paths {
        command.arg("--policies").arg(path);
    }
    if let Expected::Named(digests) = expected {
        command.args(digests.iter().map(|digest| format!("--digest={digest}")));
    }
    command
}

fn note(path: &Path, found: &mut Fingerprint) {
    if let Ok(metadata) = std::fs::metadata(path)
        && metadata.is_file()
    {
        found.insert((path.to_owned(), metadata.len(), metadata.modified().ok()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_compiles_the_same_policies_for_the_same_cache() {
        let digest = "a".repeat(64);
        let named = Expected::Named([digest.parse().unwrap()].into());
        let paths = ["/policies".into(), "/other.wasm".into()];
        let command = compiling(Path::new("/trellis"), Path::new("/cache"), &paths, &named);
        let arguments: Vec<&str> = command.get_args().filter_map(|argument| argument.to_str()).collect();
        let digest = format!("--digest={digest}");
        assert_eq!(
            arguments,
            ["policies", "list", "--policies", "/policies", "--policies", "/other.wasm", &digest]
        );
        let environment: Vec<_> = command.get_envs().collect();
        assert_eq!(environment, [("TRELLIS_CACHE".as_ref(), Some("/cache".as_ref()))]);
    }
}
