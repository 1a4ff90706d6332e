//! What holds a run back: a stop, the lease of the process, and waits between attempts.

pub mod backoff;
pub mod leave;
pub mod stop;
pub mod tenure;
