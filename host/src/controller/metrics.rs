//! Metrics, in the names of the ecosystem and in ours.
