//! `trellis run`

pub(super) mod election;
pub(super) mod webhooks;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgAction, Args};

use super::Status;
use super::engine::{PolicyFiles, Selection};
use super::stop::Interrupts;
use crate::controller::caution::Caution;
use crate::controller::client::Access;
use crate::controller::configuration::{Configuration, ConfigurationError};
use crate::controller::controllers::Controllers;
use crate::controller::extension::SHOOT;
use crate::controller::health;
use crate::controller::health_check;
use crate::controller::image_vector::{self, ImageVectorError};
use crate::controller::logging::{self, Format, InvalidFlag, Level, StartedBefore};
use crate::controller::policies;
use crate::controller::seed::{self, Options};
use crate::controller::traces::{self, Receiver, Traces, TracesError};
use crate::controller::trigger::Trigger;
use crate::engine::Function;
use crate::file;
use crate::plan::stop::{Stop, StopSignal, Stopper, stop};
use crate::source::MAX_BYTES;
use crate::transport::{Authority, Endpoint, Options as WireOptions, Url};

/// What the flags of the log can be.
pub(super) const LOG_FLAGS: &str = "--log-level is `info`, `debug` or `error`; --log-format is `json` or `text`";
/// The folder with policies beside the program.
const POLICIES: &str = "policies";
/// The controllers that there are.
const CONTROLLERS: [&str; 5] = ["controlplane", health_check::NAME, "heartbeat", "infrastructure", "worker"];

const AFTER_HELP: &str = "\
Examples:
  trellis run --provider alicloud --cloud real --leader-election-namespace garden --heartbeat-namespace garden --webhook-config-namespace garden
  trellis run --provider alicloud --cloud real --leader-election=false --disable-controllers=heartbeat --disable-webhooks='*' --read-only   # plans alone

Exit codes:
  0  Somebody stopped the process, and all that it began is recorded.
  1  The process cannot run, or has lost the Lease.
  2  The command line cannot be used.";

/// Reconcile the extension resources of a seed, until SIGTERM.
///
/// This is an extension of Gardener: it reconciles Infrastructures, ControlPlanes and Workers. Policies run in the sandbox alone: those that `--policies` names,
/// else the folder `policies` beside the program. Standard error has the log.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The provider type whose objects are reconciled.
    #[arg(long, value_name = "NAME")]
    provider: String,

    /// Which cloud: `real`, or the address of a `trellis simulate`.
    #[arg(long, value_name = "CLOUD")]
    cloud: Cloud,

    /// A file with certificates of further authorities of the cloud to trust, in PEM: for a `trellis simulate --tls`.
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,

    /// Let plans make this call too, such as `vpc:CreateVpc`.
    #[arg(long, value_name = "SERVICE:ACTION", value_parser = super::cloud::call)]
    allow_call: Vec<String>,

    /// Let plans make calls for other regions at this host too, or at all hosts of a domain, such as `*.aliyuncs.com`.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,

    /// A policy file, or a folder with policies: a second version that is asked the same. Its answers have no effect, and the log has
    /// where they differ.
    #[arg(long, value_name = "PATH")]
    shadow: Option<PathBuf>,

    /// The kubeconfig of the seed; else `clientConnection.kubeconfig` of the configuration, `$KUBECONFIG`, the pod's own, or the
    /// home folder's.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// The address of the API server, in place of that of the kubeconfig.
    #[arg(long, value_name = "URL")]
    master: Option<String>,

    #[command(flatten)]
    election: election::Flags,

    /// Where to serve `/metrics`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8080", value_parser = health::address)]
    metrics_bind_address: Bind,

    /// Where to serve `/healthz` and `/readyz`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8081", value_parser = health::address)]
    health_bind_address: Bind,

    /// The least grave lines of the log: `info`, `debug` or `error`.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log_level: String,

    /// The form of the log: `json` or `text`.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    log_format: String,

    /// The address of a receiver of traces by OpenTelemetry's protocol over HTTP, such as `http://collector:4318`; also in
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`. Without it no traces are sent.
    #[arg(long, value_name = "URL")]
    traces_endpoint: Option<String>,

    /// The controllers that run; without this, all: `controlplane`, `healthcheck`, `heartbeat`, `infrastructure`, `worker`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    controllers: Vec<String>,

    /// Controllers that do not run.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    disable_controllers: Vec<String>,

    /// The most Infrastructures that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    infrastructure_max_concurrent_reconciles: u16,

    /// The most ControlPlanes that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    controlplane_max_concurrent_reconciles: u16,

    /// The most Workers that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    worker_max_concurrent_reconciles: u16,

    /// The most objects of a kind whose health is checked at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    healthcheck_max_concurrent_reconciles: u16,

    /// Reconcile at each change of a spec or a Cluster, and not when gardenlet asks by its annotation.
    #[arg(long)]
    ignore_operation_annotation: bool,

    /// The namespace of the Lease by which gardenlet sees that the extension is alive.
    #[arg(long, value_name = "NAMESPACE")]
    heartbeat_namespace: Option<String>,

    /// How often that Lease is renewed, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    heartbeat_renew_interval_seconds: u32,

    /// The classes of the objects that are reconciled: `garden`, `seed`, `shoot`.
    #[arg(long, value_name = "CLASSES", value_delimiter = ',', default_value = "shoot", value_parser = ["garden", "seed", "shoot", ""])]
    extension_classes: Vec<String>,

    /// The version of Gardener. Gardener's charts set it; nothing depends on it yet.
    #[arg(long, value_name = "VERSION")]
    gardener_version: Option<String>,

    /// Whether the process runs in a self-hosted Shoot: then all webhooks are registered there.
    #[arg(long, value_name = "BOOL", default_value_t = false, num_args = 0..=1, require_equals = true, default_missing_value = "true", action = ArgAction::Set)]
    self_hosted_shoot_cluster: bool,

    #[command(flatten)]
    webhooks: webhooks::Flags,

    /// A file with a ControllerConfiguration.
    #[arg(long, value_name = "FILE")]
    config_file: Option<PathBuf>,

    /// Change nothing in the cloud: plans are logged and written as events, and the status says what is held back.
    #[arg(long)]
    read_only: bool,

    /// The most resources that a reconcile may delete or replace, deletions of whole Infrastructures apart.
    ///
    /// The annotation `trellis.gardener.cloud/max-destructive-changes` of an Infrastructure or its Shoot is another number for it alone.
    #[arg(long, value_name = "COUNT")]
    max_destructive_changes: Option<usize>,
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

/// Why the process does not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunTrouble {
    #[error("cannot enable unknown controller {0:?}")]
    Enable(String),
    #[error("cannot disable unknown controller {0:?}")]
    Disable(String),
    #[error(transparent)]
    NoLeaseNamespace(#[from] election::NoNamespace),
    #[error("nothing names the namespace of the heartbeat")]
    NoHeartbeatNamespace,
    #[error("{error}")]
    Webhooks { error: webhooks::FlagsError, help: Option<String> },
    #[error(transparent)]
    Flag(#[from] InvalidFlag),
    #[error(transparent)]
    Logging(#[from] StartedBefore),
    #[error(transparent)]
    Traces(#[from] TracesError),
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    #[error(transparent)]
    Images(#[from] ImageVectorError),
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    #[error("the process cannot start: {0}")]
    Start(std::io::Error),
}

impl RunTrouble {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Enable(_) | Self::Disable(_) => Some(format!("there are {}", CONTROLLERS.join(", "))),
            Self::NoLeaseNamespace(_) => Some(election::NoNamespace::help()),
            Self::NoHeartbeatNamespace => Some(
                "set --heartbeat-namespace, or leave the heartbeat out: --disable-controllers=heartbeat"
                    .to_owned(),
            ),
            Self::Webhooks { help, .. } => help.clone(),
            Self::Flag(_) => Some(LOG_FLAGS.to_owned()),
            _ => None,
        }
    }
}

impl Arguments {
    /// Runs until the process is asked to stop.
    pub(super) fn run(&self, selection: &Selection) -> Result<Status, RunTrouble> {
        let level: Level = self.log_level.parse()?;
        let format: Format = self.log_format.parse()?;
        let options = self.options(selection)?;
        let receiver = self.receiver()?;
        let runtime = runtime().map_err(RunTrouble::Start)?;
        let service = format!("provider-{}", self.provider);
        let start = |receiver| Traces::start(&receiver, &service, runtime.handle().clone());
        let traces = receiver.map(start).transpose()?;
        logging::start(level, format, traces.as_ref().map(Traces::layer))?;
        if self.read_only {
            tracing::info!("read-only: nothing is changed in the cloud");
        }
        let ended = runtime.block_on(async {
            let (stopper, signal) = stopped_by_signals().map_err(RunTrouble::Start)?;
            Ok::<_, RunTrouble>(Box::pin(seed::run(options, signal, stopper)).await)
        });
        let ended = ended?;
        if let (Ok(()), Some(traces)) = (&ended, traces) {
            runtime.block_on(traces.end());
        }
        // Calls of policies that still go on have no effect any more.
        runtime.shutdown_background();
        match ended {
            Ok(()) => Ok(Status::Success),
            Err(error) => {
                tracing::error!("{error}");
                Ok(Status::Rejected)
            }
        }
    }

    /// Where traces are sent. A program that has none leaves the variables of OpenTelemetry to others.
    fn receiver(&self) -> Result<Option<Receiver>, TracesError> {
        match named(self.traces_endpoint.as_ref()) {
            Some(_) if !traces::ARE_BUILT_IN => Err(TracesError::NotBuiltIn),
            Some(address) => address.parse().map(Some),
            None if traces::ARE_BUILT_IN => Receiver::of_environment(|name| std::env::var(name).ok()),
            None => Ok(None),
        }
    }

    fn options(&self, selection: &Selection) -> Result<Options, RunTrouble> {
        let enabled = self.enabled()?;
        let configuration = match &self.config_file {
            Some(file) => Configuration::read(file, &self.provider)?,
            None => Configuration::default(),
        };
        let overwrite = std::env::var_os(image_vector::VARIABLE).filter(|path| !path.is_empty());
        let images = overwrite.map(|path| image_vector::read(Path::new(&path))).transpose()?;
        let authority = self.authority.as_deref().map(authority).transpose()?;
        let election = self.election.election(format!("provider-{}-leader-election", self.provider))?;
        let webhooks = self.webhooks.options(&self.provider, self.self_hosted_shoot_cluster);
        let webhooks = webhooks.map_err(|error| {
            let help = error.help(&webhooks::names(&self.provider));
            RunTrouble::Webhooks { error, help }
        })?;
        let interval = Duration::from_secs(self.heartbeat_renew_interval_seconds.into());
        let heartbeat = match (named(self.heartbeat_namespace.as_ref()), enabled.contains(&"heartbeat")) {
            (_, false) => None,
            (None, true) => return Err(RunTrouble::NoHeartbeatNamespace),
            (Some(namespace), true) => Some((namespace, interval)),
        };
        let calls = Authority::of(&self.provider);
        let calls = self.allow_call.iter().fold(calls, |calls, call| calls.with_call(call));
        let calls = self.allow_host.iter().fold(calls, |calls, host| calls.with_host(host));
        let trigger = if self.ignore_operation_annotation { Trigger::Generation } else { Trigger::Annotation };
        let running = |name, most| enabled.contains(&name).then_some(most);
        Ok(Options {
            provider: self.provider.clone(),
            policies: policies(selection, &self.provider, Function::Plan, self.shadow.as_ref())
                .map_err(RunTrouble::Start)?,
            access: Access {
                kubeconfig: self.kubeconfig.clone().or_else(|| configuration.kubeconfig.clone()),
                master: self.master.clone(),
            },
            election,
            heartbeat,
            metrics: self.metrics_bind_address,
            health: self.health_bind_address,
            webhooks,
            controllers: Controllers {
                infrastructures: running("infrastructure", self.infrastructure_max_concurrent_reconciles),
                control_planes: running("controlplane", self.controlplane_max_concurrent_reconciles),
                workers: running("worker", self.worker_max_concurrent_reconciles),
                health_checks: running(health_check::NAME, self.healthcheck_max_concurrent_reconciles),
            },
            trigger,
            classes: self.classes(),
            configuration,
            images,
            caution: Caution { read_only: self.read_only, most_destructive: self.max_destructive_changes },
            endpoint: self.cloud.0.clone(),
            wire: WireOptions { authority, ..WireOptions::default() },
            authority: calls,
        })
    }

    /// The classes of the objects; Gardener's charts name none by an empty text.
    fn classes(&self) -> Vec<String> {
        let named: Vec<String> =
            self.extension_classes.iter().filter(|class| !class.is_empty()).cloned().collect();
        if named.is_empty() { vec![SHOOT.to_owned()] } else { named }
    }

    /// The controllers that run.
    fn enabled(&self) -> Result<Vec<&'static str>, RunTrouble> {
        let known = |name: &String| CONTROLLERS.contains(&name.as_str());
        if let Some(name) = self.controllers.iter().find(|name| !known(name)) {
            return Err(RunTrouble::Enable(name.clone()));
        }
        if let Some(name) = self.disable_controllers.iter().find(|name| !known(name)) {
            return Err(RunTrouble::Disable(name.clone()));
        }
        let has = |list: &[String], name: &str| list.iter().any(|of| of == name);
        let is_enabled = |name: &&str| {
            (self.controllers.is_empty() || has(&self.controllers, name)) && !has(&self.disable_controllers, name)
        };
        Ok(CONTROLLERS.into_iter().filter(|name| is_enabled(name)).collect())
    }
}

/// The file with further authorities of the cloud cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the authorities in `{}`: {error}", file.display())]
pub(super) struct AuthorityError {
    file: PathBuf,
    error: std::io::Error,
}

/// The certificates of further authorities of the cloud, in PEM.
pub(super) fn authority(path: &Path) -> Result<String, AuthorityError> {
    let text = file::read(path, MAX_BYTES as u64).and_then(file::text);
    text.map_err(|error| AuthorityError { file: path.to_owned(), error })
}

/// The files with the policies that a process runs in a sandbox: those that the command line selects, else those beside the program.
pub(super) fn policies(
    selection: &Selection,
    provider: &str,
    function: Function,
    shadow: Option<&PathBuf>,
) -> std::io::Result<policies::PolicyFiles> {
    let (mut paths, digests) = match selection {
        Selection::Sandbox(PolicyFiles { paths, digests }) => (paths.clone(), digests.clone()),
        Selection::Native => Default::default(),
    };
    if paths.is_empty() {
        let program = std::env::current_exe()?;
        paths.push(program.parent().unwrap_or_else(|| Path::new("")).join(POLICIES));
    }
    Ok(policies::PolicyFiles { provider: provider.to_owned(), function, paths, digests, shadow: shadow.cloned() })
}

/// A runtime of a process in a cluster: as many threads as it has processors, and few.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4)))
        .enable_all()
        .build()
}

/// Stops at the first signal that asks this process to stop, and at once at the second.
pub(super) fn stopped_by_signals() -> std::io::Result<(Stopper, StopSignal)> {
    let (stopper, signal) = stop();
    let mut interrupts = Interrupts::new()?;
    let asked = stopper.clone();
    tokio::spawn(async move {
        interrupts.next().await;
        asked.stop(Stop::Gracefully);
        interrupts.next().await;
        asked.stop(Stop::AtOnce);
    });
    Ok((stopper, signal))
}

/// The value of a flag; Gardener's charts leave some empty.
pub(super) fn named(value: Option<&String>) -> Option<String> {
    value.filter(|value| !value.is_empty()).cloned()
}

#[cfg(test)]
mod tests;
