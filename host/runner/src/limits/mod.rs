//! What holds a run back: a stop, the lease of the process, and waits between attempts.

pub mod backoff;
pub mod lease;
pub mod permit;
pub mod stop;
