//! The page, over real sockets.

#![cfg(feature = "serve")]

mod answers;
mod connections;
mod program;
mod served;
