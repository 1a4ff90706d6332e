//! The program `trellis` as a process, with the policies that are linked into it.

mod examples;
#[cfg(feature = "controller")]
#[path = "../support/garden.rs"]
mod garden;
mod gardener;
mod machines;
mod native;
mod render;
mod scalars;
mod scan;
mod simulate;
mod zones;
