//! `trellis serve`

mod apply;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use clap::Args;

use super::output::clean;
use super::stop::stop;
use super::{CommandError, Status, Streams};
use crate::page::{Limits, Loopback, Page, ServeError, Server};
use trellis_policies::engine::Engine;

/// Names the folder of the page where no option does.
const VARIABLE: &str = "TRELLIS_PAGE";
/// The folder with the page next to the program.
const FOLDER: &str = "page";

const AFTER_HELP: &str = "\
Examples:
  trellis serve                         # the page next to the program, at http://127.0.0.1:8750/
  trellis serve --listen 127.0.0.1:0    # at a port that is free
  trellis serve --page page/dist        # the page of this folder";

/// Serve the page to browsers on this machine, until Ctrl-C.
///
/// Writes the page's address to standard output as soon as it can be opened. Only this machine reaches it.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ServeArguments {
    /// Where to listen: a loopback address with a port, 0 for one that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8750")]
    listen: Loopback,

    /// The folder with the page; also in `TRELLIS_PAGE`. Without this, `page` next to the program.
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

impl ServeArguments {
    /// Serves the page, which cannot apply without an engine.
    pub(super) fn run(
        &self,
        engine: Option<Arc<dyn Engine>>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let folder = self.folder()?;
        let page = Page::open(&folder)?;
        // One thread is enough for one person; reading files takes another.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(4)
            .build()
            .map_err(ServeError::Start)?;
        let served = runtime.block_on(async {
            let server = Server::bind_with(self.listen, &page, Limits::default(), routes(engine)).await?;
            // This stands before the address is printed, because a program that reads the address may stop the
            // server.
            let stop = stop().map_err(ServeError::Start)?;
            let folder = clean(&folder.display().to_string());
            streams.say(&format!("serving the page in `{folder}` until Ctrl-C; open\n"));
            streams.print(&format!("http://{}/\n", server.address()))?;
            server.run(stop).await;
            Ok(Status::Success)
        });
        // A file that is still being read does not delay the end of the program.
        runtime.shutdown_background();
        served
    }

    fn folder(&self) -> Result<PathBuf, ServeError> {
        let variable = || std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        if let Some(folder) = self.page.clone().or_else(variable) {
            return Ok(folder);
        }
        let program = std::env::current_exe().map_err(ServeError::Start)?;
        Ok(program.parent().unwrap_or_else(|| Path::new("")).join(FOLDER))
    }
}

/// Routes in addition to the page.
fn routes(engine: Option<Arc<dyn Engine>>) -> Router {
    engine.map(apply::routes).unwrap_or_default()
}

impl ServeError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::NoPage(_) | Self::NotAPage(_) => Some(format!(
                "name the page's folder with `--page DIR` or in `{VARIABLE}`; `make build` makes `target/release/{FOLDER}`"
            )),
            Self::InUse(_) => Some(
                "stop it, or listen at another port: `--listen 127.0.0.1:0` takes one that is free".to_owned(),
            ),
            Self::Unreadable { .. } | Self::Listen { .. } | Self::Start(_) => None,
        }
    }
}
