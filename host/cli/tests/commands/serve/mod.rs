//! The page, over real sockets.

mod answers;
#[cfg(feature = "native")]
mod apply;
mod connections;
mod program;
mod served;
