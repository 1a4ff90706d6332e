//! What the processes in a cluster share, `trellis run` and `trellis admission`: flags, policies, signals.

pub(super) mod election;
pub(super) mod forms;
pub(super) mod webhooks;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use tokio::runtime::Runtime;

use super::Status;
use super::engine::{PolicyFiles, Selection};
use super::stop::Interrupts;
use trellis_kubernetes::controller::process::logging::{Format, InvalidFlag, Level, StartedBefore};
use trellis_kubernetes::controller::process::options::Election;
use trellis_kubernetes::controller::process::policies;
use trellis_kubernetes::controller::runtime::client::GARDEN;
use trellis_kubernetes::health;
use trellis_policies::engine::Function;
use trellis_policies::file;
use trellis_policies::source::MAX_BYTES;
use trellis_runner::limits::stop::{Stop, StopSignal, Stopper, stop};
use trellis_runner::transport::{Endpoint, Options as WireOptions, Url};

/// The folder with policies next to the program.
const POLICIES: &str = "policies";

/// The kubeconfig of the garden, where the environment names it.
pub(super) fn garden() -> Option<PathBuf> {
    std::env::var_os(GARDEN).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The flags of each such process.
#[derive(Args, Debug)]
pub(super) struct Flags {
    /// The provider type whose objects the process is for.
    #[arg(long, value_name = "NAME")]
    pub(super) provider: String,

    /// Which cloud: `real`, or the address of a `trellis simulate`.
    #[arg(long, value_name = "CLOUD")]
    pub(super) cloud: Cloud,

    /// A file with certificates of further authorities of the cloud to trust, in PEM: for a
    /// `trellis simulate --tls`.
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,

    /// A policy file, or a folder with policies: a second version that is asked the same. Its answers have no
    /// effect, and the log has where they differ.
    #[arg(long, value_name = "PATH")]
    shadow: Option<PathBuf>,

    /// The address of the API server, in place of that of the kubeconfig.
    #[arg(long, value_name = "URL")]
    master: Option<String>,

    #[command(flatten)]
    election: election::Flags,

    #[command(flatten)]
    pub(super) webhooks: webhooks::Flags,

    /// Where to serve `/metrics`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8080", value_parser = health::address)]
    pub(super) metrics_bind_address: Bind,

    /// Where to serve `/healthz` and `/readyz`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8081", value_parser = health::address)]
    pub(super) health_bind_address: Bind,

    /// The least grave lines of the log: `info`, `debug` or `error`. `debug` has a line for each review of a
    /// webhook.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log_level: String,

    /// The form of the log: `json` or `text`.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    log_format: String,
}

/// An address to listen at, where there is one.
pub(super) type Bind = Option<SocketAddr>;

/// Where the cloud is.
#[derive(Clone, Debug)]
pub(super) struct Cloud(pub(super) Endpoint);

impl FromStr for Cloud {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "real" => Ok(Self(Endpoint::Cloud)),
            url => url
                .parse::<Url>()
                .map(|url| Self(Endpoint::Url(url)))
                .map_err(|_| "write `real`, or an address such as `http://127.0.0.1:8751`".to_owned()),
        }
    }
}

/// Why no such process runs.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProcessError {
    #[error(transparent)]
    Flag(#[from] InvalidFlag),
    #[error(transparent)]
    Logging(#[from] StartedBefore),
    #[error(transparent)]
    NoLeaseNamespace(#[from] election::NoNamespace),
    #[error("cannot read the authorities in `{}`: {error}", file.display())]
    Authority { file: PathBuf, error: std::io::Error },
    #[error("the process cannot start: {0}")]
    Start(std::io::Error),
}

impl ProcessError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Flag(_) => {
                Some("--log-level is `info`, `debug` or `error`; --log-format is `json` or `text`".to_owned())
            }
            Self::NoLeaseNamespace(_) => Some(election::NoNamespace::help()),
            Self::Logging(_) | Self::Authority { .. } | Self::Start(_) => None,
        }
    }
}

impl Flags {
    /// How much the log has, and its form.
    pub(super) fn log(&self) -> Result<(Level, Format), ProcessError> {
        Ok((self.log_level.parse()?, self.log_format.parse()?))
    }

    /// The Lease, whose name is this one where no flag names it; none where there is one process alone.
    pub(super) fn election(&self, name: String) -> Result<Option<Election>, ProcessError> {
        Ok(self.election.election(name)?)
    }

    /// The address of the API server, where a flag names it.
    pub(super) fn master(&self) -> Option<String> {
        named(self.master.as_ref())
    }

    /// The way to the cloud.
    pub(super) fn wire(&self) -> Result<WireOptions, ProcessError> {
        let read = |file: &PathBuf| {
            let text = file::read(file, MAX_BYTES as u64).and_then(file::text);
            text.map_err(|error| ProcessError::Authority { file: file.clone(), error })
        };
        let authority = self.authority.as_ref().map(read).transpose()?;
        Ok(WireOptions { authority, ..WireOptions::default() })
    }

    /// The files with the policies that the process runs in a sandbox: those that the command line selects, else
    /// those next to the program.
    pub(super) fn policies(
        &self,
        selection: &Selection,
        function: Function,
    ) -> Result<policies::PolicyFiles, ProcessError> {
        let (mut paths, digests) = match selection {
            Selection::Sandbox(PolicyFiles { paths, digests }) => (paths.clone(), digests.clone()),
            Selection::Native => Default::default(),
        };
        let program = std::env::current_exe().map_err(ProcessError::Start)?;
        if paths.is_empty() {
            paths.push(program.parent().unwrap_or_else(|| Path::new("")).join(POLICIES));
        }
        let (provider, shadow) = (self.provider.clone(), self.shadow.clone());
        Ok(policies::PolicyFiles { provider, function, paths, digests, shadow, program: Some(program) })
    }
}

/// A runtime of a process in a cluster: as many threads as it has processors, and few.
pub(super) fn runtime() -> Result<Runtime, ProcessError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4)))
        .enable_all()
        .build()
        .map_err(ProcessError::Start)
}

/// Stops at the first signal that asks this process to stop, and at once at the second.
pub(super) fn stopped_by_signals() -> Result<(Stopper, StopSignal), ProcessError> {
    let (stopper, signal) = stop();
    let mut interrupts = Interrupts::new().map_err(ProcessError::Start)?;
    let asked = stopper.clone();
    tokio::spawn(async move {
        interrupts.next().await;
        asked.stop(Stop::Gracefully);
        interrupts.next().await;
        asked.stop(Stop::AtOnce);
    });
    Ok((stopper, signal))
}

/// How the program ends after a process has ended: a failure is the last line of the log.
pub(super) fn status<E: std::fmt::Display>(ended: Result<(), E>) -> Status {
    match ended {
        Ok(()) => Status::Success,
        Err(error) => {
            tracing::error!("{error}");
            Status::Rejected
        }
    }
}

/// The value of a flag; Gardener's charts leave some empty.
pub(super) fn named(value: Option<&String>) -> Option<String> {
    value.filter(|value| !value.is_empty()).cloned()
}
