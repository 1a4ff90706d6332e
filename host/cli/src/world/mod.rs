//! A simulated cloud in this process, whose world can outlive the process.

mod examples;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use trellis_simulator::cloud::Cloud;
use trellis_simulator::cloud::{KeepError, StateFileError};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server, ServerError};
use trellis_simulator::{Options, StartError};

use trellis_policies::file;
use trellis_runner::transport::Url;

pub(super) use examples::IDS as EXAMPLES;

/// Name of the file in the state directory.
const FILE: &str = "world.json";

/// A simulated cloud that runs.
pub(super) struct World {
    /// The file that keeps the world, where there is one.
    file: Option<PathBuf>,
    url: Url,
    gateway: Arc<Gateway>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

/// Why there is no simulated cloud.
#[derive(Debug, thiserror::Error)]
pub(super) enum WorldError {
    #[error("cannot make the state directory `{}`: {error}", folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("the simulator has no address: {0}")]
    Address(String),
    #[error("the world of the examples cannot be read: {0}")]
    Examples(#[source] serde_json::Error),
    #[error(transparent)]
    Keep(#[from] KeepError),
}

impl World {
    /// Starts a simulator that this machine alone reaches, and that goes on with the world in a folder. A new
    /// world has what the examples name.
    pub(super) async fn open(folder: &Path, clock: f64) -> Result<Self, WorldError> {
        file::make_folder(folder).map_err(|error| WorldError::Folder { folder: folder.to_owned(), error })?;
        Self::start(clock, Some(folder.join(FILE))).await
    }

    /// Starts a simulator that this machine alone reaches, with a copy of the world in a folder, which stays as it
    /// is. Returns the simulator, the file, and whether another command changes the world at the same time.
    pub(super) async fn copy(folder: &Path, clock: f64) -> Result<(Self, PathBuf, bool), WorldError> {
        let world = Self::start(clock, None).await?;
        let file = folder.join(FILE);
        let is_used = world.gateway.cloud().copy_state(&file).map_err(StartError::from)?;
        Ok((world, file, is_used))
    }

    /// Starts a simulator that this machine alone reaches, and whose world ends with the simulator.
    pub(super) async fn forgetful(clock: f64) -> Result<Self, WorldError> {
        Self::start(clock, None).await
    }

    async fn start(clock: f64, file: Option<PathBuf>) -> Result<Self, WorldError> {
        let world = examples::world().map_err(WorldError::Examples)?;
        let options = Options { rate: clock, state: file.clone(), world, ..Options::default() };
        let gateway = Arc::new(options.start()?.gateway);
        let address = ([127, 0, 0, 1], 0).into();
        let server = Server::bind(address, Arc::clone(&gateway), None, Limits::default()).await?;
        let url = server.url();
        let url = url.parse().map_err(|_| WorldError::Address(url))?;
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async {
            // The loss of the sender ends the server, too.
            let _ = stopped.await;
        }));
        Ok(Self { file, url, gateway, stop, server })
    }

    /// Where it is.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The file that keeps the world, where there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The cloud itself.
    pub(super) fn cloud(&self) -> &Cloud {
        self.gateway.cloud()
    }

    /// Ends the simulator, and saves its world with the time of the end. The file has all changes already.
    pub(super) async fn close(self) -> Result<(), WorldError> {
        let Self { gateway, stop, server, .. } = self;
        let _ = stop.send(());
        // The server ends, because it was asked to.
        let _ = server.await;
        Ok(gateway.cloud().save()?)
    }
}

impl WorldError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Start(StartError::State(StateFileError::InUse(_))) => Some(
                "wait for the other command; or start `trellis simulate` with this file as `--state`, and let all \
                 commands use its address with `--cloud`"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}
