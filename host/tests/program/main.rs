//! The program `trellis` as a process, with the policies that are linked into it.

mod examples;
mod gardener;
mod machines;
mod native;
mod render;
mod scalars;
mod simulate;
mod zones;
