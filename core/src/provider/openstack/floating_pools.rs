//! The choice of a floating pool.
