//! `trellis run`

mod unserved;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clap::{ArgAction, Args};

use super::Status;
use super::engine::Selection;
use super::process::forms::{List, ListError, boolean, count, path, per_second, reconciles, time};
use super::process::{self, Flags, ProcessError, election, named, webhooks};
use trellis_kubernetes::controller::health_check;
use trellis_kubernetes::controller::process::logging;
use trellis_kubernetes::controller::process::traces::{Receiver, Traces, TracesError};
use trellis_kubernetes::controller::process::{
    options::{Controllers, Options},
    seed,
};
use trellis_kubernetes::controller::runtime::client::Access;
use trellis_kubernetes::controller::runtime::configuration::{Configuration, ConfigurationError};
use trellis_kubernetes::controller::runtime::extension::SHOOT;
use trellis_kubernetes::controller::runtime::image_vector::{self, ImageVectorError};
use trellis_kubernetes::controller::runtime::kind::{
    BACKUP_BUCKET, BACKUP_ENTRY, BASTION, CONTROL_PLANE, DNS_RECORD, INFRASTRUCTURE, KINDS, WORKER,
};
use trellis_kubernetes::controller::runtime::safeguards::Safeguards;
use trellis_kubernetes::controller::runtime::trigger::Trigger;
use trellis_policies::engine::Function;
use trellis_runner::transport::{AllowedCalls, Limit, NoFamily, Options as WireOptions, Rate, family_of};

/// The controller that reports to gardenlet that the extension is alive.
const HEARTBEAT: &str = "heartbeat";

/// The classes of objects.
const CLASSES: [&str; 3] = ["garden", "seed", SHOOT];

/// The names of the controllers that there are, in their order.
fn known() -> Vec<&'static str> {
    let mut names: Vec<_> = KINDS.iter().map(|kind| kind.controller).collect();
    names.extend([health_check::NAME, HEARTBEAT]);
    names.sort_unstable();
    names
}

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
/// This is an extension of Gardener: it reconciles Infrastructures, ControlPlanes, Workers, Bastions, BackupBuckets,
/// BackupEntries and DNSRecords. Policies run in the sandbox alone: those that `--policies` names, else the folder
/// `policies` next to the program. Standard error has the log.
#[derive(Args, Debug)]
#[command(version, display_name = "trellis", args_override_self = true, after_help = AFTER_HELP)]
pub(super) struct RunArguments {
    #[command(flatten)]
    process: process::Flags,

    /// Let plans make this call too, such as `vpc:CreateVpc`.
    #[arg(long, value_name = "SERVICE:ACTION", value_parser = super::cloud::call)]
    allow_call: Vec<String>,

    /// Let plans make calls for other regions at this host too, or at all hosts of a domain, such as
    /// `*.aliyuncs.com`.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,

    /// The kubeconfig of the seed; else `clientConnection.kubeconfig` of the configuration, `$KUBECONFIG`, the
    /// pod's own, or the home folder's.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<OsString>,

    /// The address of a receiver of traces by OpenTelemetry's protocol over HTTP, such as `http://collector:4318`;
    /// also in `OTEL_EXPORTER_OTLP_ENDPOINT`. Without it no traces are sent.
    #[arg(long, value_name = "URL")]
    traces_endpoint: Option<String>,

    /// The controllers that run; without this, all: `backupbucket`, `backupentry`, `bastion`, `controlplane`,
    /// `dnsrecord`, `healthcheck`, `heartbeat`, `infrastructure`, `worker`.
    #[arg(long, value_name = "NAMES")]
    controllers: Vec<List>,

    /// Controllers that do not run.
    #[arg(long, value_name = "NAMES")]
    disable_controllers: Vec<List>,

    /// The most Infrastructures that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    infrastructure_max_concurrent_reconciles: u16,

    /// The most ControlPlanes that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    controlplane_max_concurrent_reconciles: u16,

    /// The most Workers that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    worker_max_concurrent_reconciles: u16,

    /// The most Bastions that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    bastion_max_concurrent_reconciles: u16,

    /// The most BackupBuckets that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    backupbucket_max_concurrent_reconciles: u16,

    /// The most BackupEntries that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    backupentry_max_concurrent_reconciles: u16,

    /// The most DNSRecords that are reconciled at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    dnsrecord_max_concurrent_reconciles: u16,

    /// The most calls for DNSRecords in a second with one access key; a part of one does not count.
    #[arg(long, value_name = "COUNT", default_value = "25", value_parser = per_second)]
    dnsrecord_provider_client_qps: u32,

    /// How many of them may follow each other at once.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = count::<u32>)]
    dnsrecord_provider_client_burst: u32,

    /// The longest time that one of them waits for its turn; a DNSRecord whose call waits longer is tried again
    /// after 30 s.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time)]
    dnsrecord_provider_client_wait_timeout: Duration,

    /// The most objects of a kind whose health is checked at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = reconciles)]
    healthcheck_max_concurrent_reconciles: u16,

    /// Reconcile at each change of a spec or a Cluster, and not when gardenlet asks by its annotation.
    #[arg(long, value_name = "BOOL", default_value_t = false, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = boolean, action = ArgAction::Set)]
    ignore_operation_annotation: bool,

    /// The namespace of the Lease by which gardenlet sees that the extension is alive.
    #[arg(long, value_name = "NAMESPACE")]
    heartbeat_namespace: Option<String>,

    /// How often that Lease is renewed, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = count::<u32>)]
    heartbeat_renew_interval_seconds: u32,

    /// The classes of the objects that are reconciled: `garden`, `seed`, `shoot`.
    #[arg(long, value_name = "CLASSES", default_value = SHOOT, value_parser = classes)]
    extension_classes: Vec<List>,

    /// Whether the process runs in a self-hosted Shoot: then all webhooks are registered there, and machines are
    /// watched only where its API server has them.
    #[arg(long, value_name = "BOOL", default_value_t = false, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = boolean, action = ArgAction::Set)]
    self_hosted_shoot_cluster: bool,

    /// A file with a ControllerConfiguration.
    #[arg(long, value_name = "FILE")]
    config_file: Option<OsString>,

    /// Change nothing in the cloud: plans are logged and written as events, and the status says what is held back.
    #[arg(long, value_name = "BOOL", default_value_t = false, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = boolean, action = ArgAction::Set)]
    read_only: bool,

    /// The most resources that a reconcile may delete or replace, deletions of whole Infrastructures, Bastions and DNSRecords apart.
    ///
    /// To empty a bucket, or what it holds of one control plane, is one such change, also when the object is deleted.
    /// The annotation `trellis.gardener.cloud/max-destructive-changes` of an object or its Shoot is another number
    /// for it alone.
    #[arg(long, value_name = "COUNT")]
    max_destructive_changes: Option<usize>,

    #[command(flatten)]
    unserved: unserved::Flags,
}

/// Why the process does not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunCommandError {
    #[error("cannot enable unknown controller {0:?}")]
    Enable(String),
    #[error("cannot disable unknown controller {0:?}")]
    Disable(String),
    #[error("nothing names the namespace of the heartbeat")]
    NoHeartbeatNamespace,
    #[error("{error}")]
    Webhooks { error: webhooks::FlagsError, help: Option<String> },
    #[error(transparent)]
    Traces(#[from] TracesError),
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    #[error(transparent)]
    Images(#[from] ImageVectorError),
    #[error(transparent)]
    NoFamily(#[from] NoFamily),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl RunCommandError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Enable(_) | Self::Disable(_) => Some(format!("there are {}", known().join(", "))),
            Self::NoHeartbeatNamespace => Some(
                "set --heartbeat-namespace, or leave the heartbeat out: --disable-controllers=heartbeat"
                    .to_owned(),
            ),
            Self::Webhooks { help, .. } => help.clone(),
            Self::Process(error) => error.help(),
            _ => None,
        }
    }
}

impl RunArguments {
    /// Runs until the process is asked to stop.
    pub(super) fn run(&self, selection: &Selection) -> Result<Status, RunCommandError> {
        let (level, format) = self.process.log()?;
        let options = self.options(selection)?;
        let receiver = self.receiver()?;
        let runtime = process::runtime()?;
        let service = format!("provider-{}", self.process.provider);
        let start = |receiver| Traces::start(&receiver, &service, runtime.handle().clone());
        let traces = receiver.map(start).transpose()?;
        let layer = traces.as_ref().map(Traces::layer);
        logging::start(level, format, layer).map_err(ProcessError::from)?;
        if self.read_only {
            tracing::info!("read-only: nothing is changed in the cloud");
        }
        let ended = runtime.block_on(async {
            let (stopper, signal) = process::stopped_by_signals()?;
            Ok::<_, RunCommandError>(Box::pin(seed::run(options, signal, stopper)).await)
        });
        let ended = ended?;
        if let (Ok(()), Some(traces)) = (&ended, traces) {
            runtime.block_on(traces.end());
        }
        // Calls of policies that still go on have no effect any more.
        runtime.shutdown_background();
        Ok(process::status(ended))
    }

    /// Where traces are sent.
    fn receiver(&self) -> Result<Option<Receiver>, TracesError> {
        match named(self.traces_endpoint.as_ref()) {
            Some(address) => address.parse().map(Some),
            None => Receiver::of_environment(|name| std::env::var(name).ok()),
        }
    }

    /// What the process is to do.
    pub(super) fn options(&self, selection: &Selection) -> Result<Options, RunCommandError> {
        let enabled = self.enabled()?;
        let configuration = match path(self.config_file.as_ref()) {
            Some(file) => Configuration::read(&file, &self.process.provider)?,
            None => Configuration::default(),
        };
        let overwrite = std::env::var_os(image_vector::VARIABLE).filter(|path| !path.is_empty());
        let images = overwrite.map(|path| image_vector::read(Path::new(&path))).transpose()?;
        let Flags { provider, cloud, webhooks, .. } = &self.process;
        let wire = WireOptions { limit: Some(self.limit()), ..self.process.wire()? };
        let election = self.process.election(format!("provider-{provider}-leader-election"))?;
        let webhooks = webhooks.options(provider, self.self_hosted_shoot_cluster);
        let webhooks = webhooks.map_err(|error| {
            let help = error.help(&webhooks::names(provider));
            RunCommandError::Webhooks { error, help }
        })?;
        let interval = Duration::from_secs(self.heartbeat_renew_interval_seconds.into());
        let namespace = named(self.heartbeat_namespace.as_ref()).or_else(election::namespace);
        let heartbeat = match (namespace, enabled.contains(&HEARTBEAT)) {
            (_, false) => None,
            (None, true) => return Err(RunCommandError::NoHeartbeatNamespace),
            (Some(namespace), true) => Some((namespace, interval)),
        };
        let calls = AllowedCalls::of(provider);
        let calls = self.allow_call.iter().fold(calls, |calls, call| calls.with_call(call));
        let calls = self.allow_host.iter().fold(calls, |calls, host| calls.with_host(host));
        let trigger = if self.ignore_operation_annotation { Trigger::Generation } else { Trigger::Annotation };
        Ok(Options {
            provider: provider.clone(),
            policies: self.process.policies(selection, Function::Plan)?,
            access: Access {
                kubeconfig: path(self.kubeconfig.as_ref()).or_else(|| configuration.kubeconfig.clone()),
                master: self.process.master(),
            },
            garden: process::garden().map(|file| Access { kubeconfig: Some(file), master: None }),
            election,
            heartbeat,
            metrics: self.process.metrics_bind_address,
            health: self.process.health_bind_address,
            webhooks,
            controllers: self.controllers(&enabled),
            trigger,
            classes: self.classes(),
            is_self_hosted: self.self_hosted_shoot_cluster,
            configuration,
            images,
            safeguards: Safeguards { read_only: self.read_only, most_destructive: self.max_destructive_changes },
            family: family_of(provider)?,
            endpoint: cloud.0.clone(),
            wire,
            allowed_calls: calls,
        })
    }

    /// How many calls for DNSRecords are made.
    fn limit(&self) -> Limit {
        let (burst, per_second) = (self.dnsrecord_provider_client_burst, self.dnsrecord_provider_client_qps);
        Limit { rate: Rate { burst, per_second }, wait: self.dnsrecord_provider_client_wait_timeout }
    }

    /// The classes of the objects; Gardener's charts name none by an empty text.
    fn classes(&self) -> Vec<String> {
        let named = List::all(&self.extension_classes);
        if named.is_empty() { vec![SHOOT.to_owned()] } else { named }
    }

    /// The most reconciles at a time of the controllers that run.
    fn controllers(&self, enabled: &[&str]) -> Controllers {
        let all = [
            (INFRASTRUCTURE.controller, self.infrastructure_max_concurrent_reconciles),
            (CONTROL_PLANE.controller, self.controlplane_max_concurrent_reconciles),
            (WORKER.controller, self.worker_max_concurrent_reconciles),
            (BASTION.controller, self.bastion_max_concurrent_reconciles),
            (BACKUP_BUCKET.controller, self.backupbucket_max_concurrent_reconciles),
            (BACKUP_ENTRY.controller, self.backupentry_max_concurrent_reconciles),
            (DNS_RECORD.controller, self.dnsrecord_max_concurrent_reconciles),
            (health_check::NAME, self.healthcheck_max_concurrent_reconciles),
        ];
        Controllers(all.into_iter().filter(|(name, _)| enabled.contains(name)).collect())
    }

    /// The controllers that run.
    fn enabled(&self) -> Result<Vec<&'static str>, RunCommandError> {
        let all = known();
        let (wanted, disabled) = (List::all(&self.controllers), List::all(&self.disable_controllers));
        if let Some(name) = wanted.iter().find(|name| !all.contains(&name.as_str())) {
            return Err(RunCommandError::Enable(name.clone()));
        }
        if let Some(name) = disabled.iter().find(|name| !all.contains(&name.as_str())) {
            return Err(RunCommandError::Disable(name.clone()));
        }
        let has = |list: &[String], name: &str| list.iter().any(|of| of == name);
        let is_enabled = |name: &&str| (wanted.is_empty() || has(&wanted, name)) && !has(&disabled, name);
        Ok(all.into_iter().filter(|name| is_enabled(name)).collect())
    }
}

/// The classes that a list names.
fn classes(text: &str) -> Result<List, String> {
    let list: List = text.parse().map_err(|error: ListError| error.to_string())?;
    match list.0.iter().find(|class| !CLASSES.contains(&class.as_str())) {
        Some(class) => Err(format!("there is no class `{class}`; there are {}", CLASSES.join(", "))),
        None => Ok(list),
    }
}

#[cfg(test)]
mod tests;
