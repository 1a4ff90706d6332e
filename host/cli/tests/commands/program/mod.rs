//! The program `trellis` as a process, with the policies that are linked into it, and with those of files.

mod examples;
mod gardener;
mod machines;
mod native;
mod policies;
mod render;
mod scalars;
mod scan;
mod sent;
mod simulate;
mod zones;
