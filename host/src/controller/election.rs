//! Leader election: one process of several may change things.
