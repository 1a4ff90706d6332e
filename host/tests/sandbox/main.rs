//! Policies from files, in the sandbox and in the program.

#![cfg(feature = "sandbox")]

mod cache;
mod calls;
#[path = "../guests/mod.rs"]
mod guests;
mod program;
