//! The program `trellis` as a process, with the policies that are linked into it, and with those of files.

mod examples;
#[cfg(feature = "cluster")]
#[path = "../support/garden.rs"]
mod garden;
mod gardener;
mod machines;
mod native;
mod policies;
mod render;
mod scalars;
mod scan;
mod simulate;
mod zones;
