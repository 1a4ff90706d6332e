//! A process that stands still.

use rustix::process::Signal;

use crate::process::kill;

/// A process that stands still until this is dropped.
pub struct Frozen(u32);

impl Frozen {
    pub fn new(process: u32) -> Self {
        kill(process, Signal::STOP);
        Self(process)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        kill(self.0, Signal::CONT);
    }
}
