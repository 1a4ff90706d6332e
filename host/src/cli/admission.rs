//! `trellis admission`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::Status;
use super::engine::Selection;
use super::run::{self, AuthorityError, Bind, named};
use crate::admission::cloud::Cloud;
use crate::admission::process::{self, Options};
use crate::admission::{Mode, published};
use crate::controller::client::Access;
use crate::controller::health::{AddressError, address};
use crate::controller::logging::{self, InvalidFlag, StartedBefore};
use crate::engine::Function;
use crate::transport::{Authority, Options as WireOptions, Rate, Wire};

/// Names the kubeconfig of the garden where Gardener sets it.
const GARDEN: &str = "GARDEN_KUBECONFIG";

const AFTER_HELP: &str = "\
Examples:
  trellis admission --provider alicloud --cloud real --webhook-config-cert-dir /etc/certificate
  trellis admission --provider alicloud --cloud real --webhook-config-cert-dir /etc/certificate --mode warn

Exit codes:
  0  Somebody stopped the process, and each review that had arrived was answered.
  1  The process cannot run.
  2  The command line cannot be used.";

/// Judge and complete the objects of a garden before its API server stores them, until SIGTERM.
///
/// These are the admission webhooks of an extension of Gardener. Policies run in the sandbox alone: those that `--policies` names,
/// else the folder `policies` beside the program. Standard error has the log.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The provider type whose objects are judged.
    #[arg(long, value_name = "NAME")]
    provider: String,

    /// What becomes of an object that a rule rejects: `enforce` refuses it, `warn` admits it with warnings, and `ratchet` refuses it
    /// but for errors that the stored object has already.
    #[arg(long, value_name = "MODE", default_value = "enforce")]
    mode: Mode,

    /// Which cloud: `real`, or the address of a `trellis simulate`.
    #[arg(long, value_name = "CLOUD")]
    cloud: run::Cloud,

    /// A file with certificates of further authorities of the cloud to trust, in PEM: for a `trellis simulate --tls`.
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,

    /// A policy file, or a folder with policies: a second version that is asked the same. Its answers have no effect, and the log has
    /// where they differ.
    #[arg(long, value_name = "PATH")]
    shadow: Option<PathBuf>,

    /// The kubeconfig of the garden; else `$GARDEN_KUBECONFIG`, `$KUBECONFIG`, the pod's own, or the home folder's.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// The address of the API server, in place of that of the kubeconfig.
    #[arg(long, value_name = "URL")]
    master: Option<String>,

    /// The address of this machine at which reviews are answered; without this, all.
    #[arg(long, value_name = "ADDRESS")]
    webhook_config_server_host: Option<String>,

    /// The port at which reviews are answered.
    #[arg(long, value_name = "PORT", default_value_t = 10250)]
    webhook_config_server_port: u16,

    /// A folder with the certificate and its key, `tls.crt` and `tls.key`. They are read again when they change.
    #[arg(long, value_name = "FOLDER")]
    webhook_config_cert_dir: PathBuf,

    /// How long reviews are answered after SIGTERM, in seconds: until API servers have heard that the process is not ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    shutdown_delay_seconds: u16,

    /// The namespace of the ConfigMap that tells every user of the garden which policy judges; an empty text leaves it out.
    #[arg(long, value_name = "NAMESPACE", default_value = published::NAMESPACE)]
    policy_config_map_namespace: String,

    /// Where to serve `/metrics`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8080", value_parser = address)]
    metrics_bind_address: Bind,

    /// Where to serve `/healthz` and `/readyz`; `0` nowhere.
    #[arg(long, value_name = "ADDRESS", default_value = ":8081", value_parser = address)]
    health_bind_address: Bind,

    /// The least grave lines of the log: `info`, `debug` or `error`. `debug` has a line for each review.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log_level: String,

    /// The form of the log: `json` or `text`.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    log_format: String,
}

/// Why the process does not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum AdmissionTrouble {
    #[error(transparent)]
    Flag(#[from] InvalidFlag),
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(transparent)]
    Logging(#[from] StartedBefore),
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    #[error("the process cannot start: {0}")]
    Start(std::io::Error),
}

impl AdmissionTrouble {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Flag(_) => Some(run::LOG_FLAGS.to_owned()),
            Self::Address(_) => Some("write an IP address, such as `127.0.0.1` or `::1`".to_owned()),
            _ => None,
        }
    }
}

impl Arguments {
    /// Runs until the process is asked to stop.
    pub(super) fn run(&self, selection: &Selection) -> Result<Status, AdmissionTrouble> {
        let (level, format) = (self.log_level.parse()?, self.log_format.parse()?);
        let options = self.options(selection)?;
        let runtime = run::runtime().map_err(AdmissionTrouble::Start)?;
        logging::start(level, format, None)?;
        let ended = runtime.block_on(async {
            let (_, signal) = run::stopped_by_signals().map_err(AdmissionTrouble::Start)?;
            Ok::<_, AdmissionTrouble>(Box::pin(process::run(options, signal)).await)
        });
        // Calls of policies that still go on have no effect any more.
        runtime.shutdown_background();
        match ended? {
            Ok(()) => Ok(Status::Success),
            Err(error) => {
                tracing::error!("{error}");
                Ok(Status::Rejected)
            }
        }
    }

    fn options(&self, selection: &Selection) -> Result<Options, AdmissionTrouble> {
        let authority = self.authority.as_deref().map(run::authority).transpose()?;
        let garden = || std::env::var_os(GARDEN).filter(|path| !path.is_empty()).map(PathBuf::from);
        Ok(Options {
            provider: self.provider.clone(),
            policies: run::policies(selection, &self.provider, Function::Validate, self.shadow.as_ref())
                .map_err(AdmissionTrouble::Start)?,
            mode: self.mode,
            access: Access { kubeconfig: self.kubeconfig.clone().or_else(garden), master: self.master.clone() },
            cloud: Cloud {
                wire: Wire::new(WireOptions { authority, rate: Rate::default() }),
                endpoint: self.cloud.0.clone(),
                authority: Authority::of_reads(&self.provider),
            },
            webhooks: self.webhooks()?,
            certificates: self.webhook_config_cert_dir.clone(),
            drain: Duration::from_secs(self.shutdown_delay_seconds.into()),
            metrics: self.metrics_bind_address,
            health: self.health_bind_address,
            published: named(Some(&self.policy_config_map_namespace)),
        })
    }

    fn webhooks(&self) -> Result<SocketAddr, AddressError> {
        let host = named(self.webhook_config_server_host.as_ref()).unwrap_or_default();
        let host = if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host };
        let text = format!("{host}:{}", self.webhook_config_server_port);
        address(&text)?.ok_or(AddressError::of(&text))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn read(more: &[&str]) -> Result<Arguments, clap::Error> {
        let least = ["trellis", "--provider", "p", "--cloud", "real", "--webhook-config-cert-dir", "d"];
        Line::try_parse_from(least.iter().chain(more)).map(|line| line.arguments)
    }

    #[test]
    fn an_address_is_made_of_host_and_port() {
        for (more, address) in [
            (&[][..], "[::]:10250"),
            (&["--webhook-config-server-host", ""], "[::]:10250"),
            (&["--webhook-config-server-host=127.0.0.1", "--webhook-config-server-port=1"], "127.0.0.1:1"),
            (&["--webhook-config-server-host=::1"], "[::1]:10250"),
        ] {
            assert_eq!(read(more).unwrap().webhooks().unwrap().to_string(), address);
        }
        assert!(read(&["--webhook-config-server-host=a.b"]).unwrap().webhooks().is_err());
    }

    #[test]
    fn it_enforces_unless_it_is_told_otherwise() {
        assert_eq!(read(&[]).unwrap().mode, Mode::Enforce);
        for mode in [Mode::Enforce, Mode::Warn, Mode::Ratchet] {
            assert_eq!(read(&["--mode", &mode.to_string()]).unwrap().mode, mode);
        }
        assert!(read(&["--mode", "off"]).is_err());
    }
}
