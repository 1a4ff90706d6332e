//! States, and how they are kept on an API server in memory.

mod form;
mod interleavings;
mod object_store;
