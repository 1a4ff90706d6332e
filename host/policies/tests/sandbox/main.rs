//! Policies from files, in the sandbox.

#![cfg(feature = "sandbox")]

mod cache;
mod calls;
mod loading;
