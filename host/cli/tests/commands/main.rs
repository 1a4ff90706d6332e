//! The commands of `trellis`: in this process, on policies of the tests' own; and as processes, on the policies
//! that are linked into the program, against clouds and gardens on loopback.

mod cli;
#[cfg(all(feature = "cluster", feature = "native", unix))]
mod documents;
#[cfg(unix)]
mod infrastructure;
mod outcome;
mod plan;
mod program;
mod serve;
#[path = "../support/mod.rs"]
mod support;
