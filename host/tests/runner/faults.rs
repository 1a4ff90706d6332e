//! Calls that fail, and runs that end early.
