//! Runs, and the policies that they ask: versions, a second version in shadow, threads, breakdowns, allowed calls;
//! and whole runs against the simulator.

mod breakdown;
mod fake;
mod hostile;
mod killed;
mod objects;
mod reads;
mod reconcile;
mod shadow;
mod simulated;
mod threads;
mod versions;
