//! The signals that ask this process to stop.

use std::io;

/// Waits for the signals that ask this process to stop: Ctrl-C, SIGTERM, or SIGHUP as the terminal goes away. From
/// its creation on, such a signal alone does not end the process.
#[cfg(unix)]
pub(super) struct Interrupts {
    interrupted: tokio::signal::unix::Signal,
    terminated: tokio::signal::unix::Signal,
    /// Absent where the process was started to go on without a terminal, as `nohup` does.
    hung_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        let hung_up = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up,
        })
    }

    /// Ends at the next signal.
    pub(super) async fn next(&mut self) {
        let Self { interrupted, terminated, hung_up } = self;
        let hung_up = async {
            match hung_up {
                Some(hung_up) => hung_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
            _ = hung_up => {}
        }
    }
}

/// Whether SIGHUP is ignored; `false` where the system does not say.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGHUP is the first of all signals.
    ignored.is_some_and(|mask| mask & 1 == 1)
}

/// Waits for the signals that ask this process to stop. From its creation on, such a signal alone does not end the
/// process.
#[cfg(windows)]
pub(super) struct Interrupts(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Ends at the next signal.
    pub(super) async fn next(&mut self) {
        let _ = self.0.recv().await;
    }
}

/// Ends at the first signal that asks this process to stop.
pub(super) fn stop() -> io::Result<impl Future<Output = ()>> {
    let mut interrupts = Interrupts::new()?;
    Ok(async move { interrupts.next().await })
}
