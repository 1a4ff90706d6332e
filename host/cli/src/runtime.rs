//! The runtime of commands that plan or run.

use tokio::runtime::{Builder, Runtime};

/// The operating system gives a run no runtime.
#[derive(Debug, thiserror::Error)]
#[error("cannot start: {0}")]
pub(super) struct StartError(std::io::Error);

/// A runtime with one thread, which is enough, because a run waits for the cloud most of the time.
pub(super) fn runtime() -> Result<Runtime, StartError> {
    Builder::new_current_thread().enable_all().build().map_err(StartError)
}
