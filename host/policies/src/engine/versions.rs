//! The version of the policies that is in use. It can be swapped while runs go on.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Engine;

/// Holds the engine in use. A caller that begins something takes [`current`](Self::current), and keeps that engine
/// until the end: a run is planned and carried out by one version. An engine that was swapped is freed when the
/// last run that has it ends.
pub struct Versions(Mutex<Arc<dyn Engine>>);

impl Versions {
    /// Begins with an engine.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        Self(Mutex::new(engine))
    }

    /// The engine in use.
    pub fn current(&self) -> Arc<dyn Engine> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes another engine into use. Gives the engine that was in use before.
    pub fn swap(&self, engine: Arc<dyn Engine>) -> Arc<dyn Engine> {
        std::mem::replace(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), engine)
    }
}

impl fmt::Debug for Versions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Versions").field(&self.current().policies()).finish()
    }
}
