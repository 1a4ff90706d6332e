//! Being asked to stop: once, and again.

use std::io;

/// Tells each time that this process is asked to stop. From then on, that alone does not end it.
#[cfg(unix)]
pub(super) struct Interrupts {
    interrupted: tokio::signal::unix::Signal,
    terminated: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self { interrupted: signal(SignalKind::interrupt())?, terminated: signal(SignalKind::terminate())? })
    }

    /// Ends at the next time.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
    }
}

/// Tells each time that this process is asked to stop. From then on, that alone does not end it.
#[cfg(windows)]
pub(super) struct Interrupts(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Ends at the next time.
    pub(super) async fn next(&mut self) {
        let _ = self.0.recv().await;
    }
}
