//! The page, served to browsers on this machine.
//!
//! ```no_run
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! use trellis_cli::page::{Limits, Page, Server};
//!
//! let page = Page::open("target/release/page".as_ref())?;
//! let server = Server::bind("127.0.0.1:0".parse()?, &page, Limits::default()).await?;
//! println!("http://{}/", server.address());
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

mod address;
mod answer;
mod files;
mod folder;
mod server;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

pub use address::{AddressError, Loopback};
pub use files::Page;
pub use server::{Limits, Server};

/// Why the page is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folder of the page is not there.
    #[error("there is no page: there is no folder `{}`", .0.display())]
    NoPage(PathBuf),
    /// The folder has something else in it.
    #[error("`{}` is not a page: it has no file `index.html`", .0.display())]
    NotAPage(PathBuf),
    /// The folder cannot be read.
    #[error("cannot read the page in `{}`: {error}", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another program listens at the address.
    #[error("another program already listens at `{0}`")]
    InUse(SocketAddr),
    /// The address cannot be listened at for another reason.
    #[error("cannot listen at `{address}`: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// The system does not give what a server needs.
    #[error("cannot start to serve: {0}")]
    Start(io::Error),
}
