//! `trellis simulate`

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use trellis_simulator::cloud::{self, Accounts, AccountsError, KeepError};
use trellis_simulator::server::{Certificate, CertificateError, Limits, Server, ServerError};
use trellis_simulator::settings::{PerAction, Rate, Seconds, Settings};
use trellis_simulator::{CLOUD, Options, StartError, Started};

use super::output::clean;
use super::stop::stop;
use super::{CommandError, Status, Streams};
use trellis_policies::file::{self, Expected, Output};
use trellis_policies::source::MAX_BYTES;

const AFTER_HELP: &str = "\
Examples:
  trellis simulate                                   # at http://127.0.0.1:8751
  trellis simulate --clock 60                        # a minute in a second
  trellis simulate --delays none --lag 5             # everything at once, seen five seconds later
  trellis simulate --state world.json                # goes on where it ended
  trellis simulate --tls --authority authority.pem   # at https://127.0.0.1:8751

Its own API is at /_simulator/; docs/simulator.md describes it.";

/// What the command does.
fn about() -> String {
    format!("Simulate {CLOUD} on this machine, until Ctrl-C")
}

/// How.
const MORE: &str = "Writes its address to standard output as soon as it answers. Every service and region is at that address: \
    set it as the endpoint of any SDK. Only this machine reaches it.";

#[derive(Args, Debug)]
#[command(about = about(), long_about = format!("{}.\n\n{MORE}", about()), after_help = AFTER_HELP)]
pub(super) struct SimulateArguments {
    /// Where to listen: a loopback address with a port, 0 for one that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8751")]
    listen: SocketAddr,

    /// Listen also where other machines reach the simulator. Everything that reaches it can read and change its
    /// whole world.
    #[arg(long)]
    allow_remote: bool,

    /// A JSON file with accounts and access keys. Without this there is one account with one key, which the
    /// simulator prints.
    #[arg(long, value_name = "FILE")]
    accounts: Option<PathBuf>,

    /// The region of requests that name none.
    #[arg(long, value_name = "REGION", default_value = "cn-shanghai")]
    region: String,

    /// How long creations, deletions and other transitions take.
    #[arg(long, value_name = "WHAT", default_value = "cloud")]
    delays: Delays,

    /// How many seconds of the simulator pass in a second; with 0, only its API moves its time.
    #[arg(long, value_name = "RATE", default_value_t = 1.0, allow_negative_numbers = true)]
    clock: f64,

    /// How many seconds reads are behind writes.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    lag: Option<Seconds>,

    /// How many calls an account may make of an action, such as `20/1`: calls, slash, seconds.
    #[arg(long, value_name = "CALLS/SECONDS", value_parser = rate)]
    throttle: Option<Rate>,

    /// Keep the world in this file, with which the simulator goes on when it starts again.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Record every change in this new file, so that `--replay` can make the same world of it.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// First carry out the changes that this file records.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,

    /// How many calls the simulator remembers; it counts all.
    #[arg(long, value_name = "COUNT", default_value_t = cloud::RECORDS)]
    calls: usize,

    /// Speak TLS, with a certificate that the simulator makes.
    #[arg(long)]
    tls: bool,

    /// Where to write the certificate of the authority that clients have to trust.
    #[arg(long, value_name = "FILE", requires = "tls")]
    authority: Option<PathBuf>,
}

/// How many open files there are in addition to connections: streams, the listener, those of the runtime, state
/// and session.
const OTHER_FILES: usize = 32;

/// What the file for the authority's certificate may hold before.
const CERTIFICATE: Expected =
    Expected { what: "a certificate", is_such: |content| content.starts_with(b"-----BEGIN CERTIFICATE-----") };

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Delays {
    /// As long as in the cloud.
    Cloud,
    /// No time.
    None,
}

/// Why the simulator does not start.
#[derive(Debug, thiserror::Error)]
pub(super) enum SimulateError {
    #[error("other machines reach `{0}`")]
    Remote(SocketAddr),
    #[error("cannot read the accounts in `{}`: {error}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    #[error("`{}` does not declare accounts: {error}", file.display())]
    Malformed { file: PathBuf, error: serde_json::Error },
    #[error("`{}` does not declare accounts: {error}", file.display())]
    Accounts { file: PathBuf, error: AccountsError },
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("cannot write the authority's certificate to `{}`: {error}", file.display())]
    Authority { file: PathBuf, error: io::Error },
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    Keep(#[from] KeepError),
    #[error("cannot start to serve: {0}")]
    Runtime(io::Error),
}

impl SimulateArguments {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        if !self.listen.ip().is_loopback() && !self.allow_remote {
            return Err(SimulateError::Remote(self.listen).into());
        }
        let options = self.options()?;
        let region = options.region.clone();
        let started = options.start().map_err(SimulateError::from)?;
        let certificate = self.certificate()?;
        self.show(&started, streams);
        let gateway = Arc::new(started.gateway);
        // One thread is enough: one call is done after the other.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build()
            .map_err(SimulateError::Runtime)?;
        runtime.block_on(async {
            let server = Server::bind(self.listen, Arc::clone(&gateway), certificate.as_ref(), limits())
                .await
                .map_err(SimulateError::from)?;
            // This stands before the address is printed, because a program that reads the address may stop the
            // simulator.
            let stop = stop().map_err(SimulateError::Runtime)?;
            streams.say(&format!("simulating {CLOUD} until Ctrl-C; without a region calls go to {region}\n"));
            if self.accounts.is_none() {
                let (account, key, secret) = (cloud::ACCOUNT, cloud::ACCESS_KEY, cloud::ACCESS_KEY_SECRET);
                streams.say(&format!("account {account}, access key {key}, secret {secret} (good here alone)\n"));
            }
            streams.print(&format!("{}\n", server.url()))?;
            server.run(stop).await;
            gateway.cloud().save().map_err(SimulateError::from)?;
            Ok(Status::Success)
        })
    }

    /// Prints what the simulator did with the files that it starts with.
    fn show(&self, started: &Started, streams: &mut Streams<'_>) {
        if let Some(count) = started.replayed {
            streams.say(&format!("replayed {count} changes\n"));
        }
        if let Some(line) = started.cut {
            streams.say(&format!("line {line} of the session is cut short, and was left out\n"));
        }
        if let Some(file) = &self.state {
            let what = if started.resumed { "going on with the world in" } else { "keeping the world in" };
            streams.say(&format!("{what} `{}`\n", clean(&file.display().to_string())));
        }
    }

    fn options(&self) -> Result<Options, SimulateError> {
        let accounts = match &self.accounts {
            Some(file) => accounts(file)?,
            None => Accounts::built_in(),
        };
        let settings = Settings {
            delays: match self.delays {
                Delays::Cloud => PerAction::default(),
                Delays::None => PerAction::all(Seconds::from(Duration::ZERO)),
            },
            lag: self.lag.map(PerAction::all).unwrap_or_default(),
            throttle: self.throttle.map(PerAction::all).unwrap_or_default(),
            ..Settings::default()
        };
        Ok(Options {
            accounts,
            region: self.region.clone(),
            settings,
            rate: self.clock,
            calls: self.calls,
            state: self.state.clone(),
            record: self.record.clone(),
            replay: self.replay.clone(),
            ..Options::default()
        })
    }

    fn certificate(&self) -> Result<Option<Certificate>, SimulateError> {
        if !self.tls {
            return Ok(None);
        }
        let certificate = Certificate::make()?;
        if let Some(file) = &self.authority {
            Output::new(file, CERTIFICATE)
                .and_then(|output| output.write(certificate.authority()))
                .map_err(|error| SimulateError::Authority { file: file.clone(), error })?;
        }
        Ok(Some(certificate))
    }
}

/// The limits of the server. It asks the system for as many open files as it needs, and takes no more connections
/// than the system lets it open.
fn limits() -> Limits {
    let mut limits = Limits::default();
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

        let wanted = limits.connections + OTHER_FILES;
        let files = getrlimit(Resource::Nofile);
        let wanted = u64::try_from(wanted).unwrap_or(u64::MAX).min(files.maximum.unwrap_or(u64::MAX));
        if files.current.is_some_and(|current| current < wanted) {
            // Where the system does not allow that, the number stays.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: files.maximum });
        }
        let files = getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok());
        let connections = files.map_or(limits.connections, |files| files.saturating_sub(OTHER_FILES).max(1));
        limits.connections = limits.connections.min(connections);
    }
    limits
}

fn accounts(file: &Path) -> Result<Accounts, SimulateError> {
    let named = || file.to_owned();
    let text =
        file::read(file, MAX_BYTES as u64).map_err(|error| SimulateError::Unreadable { file: named(), error })?;
    let accounts: Accounts =
        serde_json::from_slice(&text).map_err(|error| SimulateError::Malformed { file: named(), error })?;
    accounts.check().map_err(|error| SimulateError::Accounts { file: named(), error })
}

fn seconds(text: &str) -> Result<Seconds, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds".to_owned())?;
    Seconds::try_from(seconds).map_err(|error| error.to_string())
}

fn rate(text: &str) -> Result<Rate, String> {
    let read = || {
        let (calls, seconds) = text.split_once('/')?;
        let rate = Rate { calls: u32::from_str(calls).ok()?, seconds: u32::from_str(seconds).ok()? };
        (rate.calls > 0 && rate.seconds > 0).then_some(rate)
    };
    read().ok_or_else(|| "write calls, a slash and seconds, such as `20/1`".to_owned())
}

impl SimulateError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Remote(_) => Some(
                "listen on `127.0.0.1`, or add `--allow-remote` where everybody who reaches it may do everything"
                    .to_owned(),
            ),
            Self::Malformed { .. } | Self::Accounts { .. } => Some(
                r#"write {"accounts": [{"id": "1000000000000001", "accessKeys": [{"id": "…", "secret": "…"}]}]}"#
                    .to_owned(),
            ),
            Self::Server(ServerError::InUse(_)) => Some(
                "stop it, or listen at another port: `--listen 127.0.0.1:0` takes one that is free".to_owned(),
            ),
            _ => None,
        }
    }
}
