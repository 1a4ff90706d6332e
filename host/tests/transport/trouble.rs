//! What goes wrong, and what is said of it.
