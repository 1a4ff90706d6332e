//! The page, over real sockets.

#![cfg(feature = "serve")]

mod answers;
#[cfg(all(feature = "apply", feature = "native", feature = "simulate"))]
mod apply;
mod connections;
mod program;
mod served;
