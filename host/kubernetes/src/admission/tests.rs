//! Reviews through a server over TLS, with a garden and a cloud on loopback.

mod answers;
mod hostile;
mod recorded;
mod world;
