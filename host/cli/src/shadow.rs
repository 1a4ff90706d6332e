//! A second version of the policies, asked in addition to the one in use.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::engine::{OpenError, Opened, PolicyFiles, Selection};
use super::{CommandError, Status, Streams};
use trellis_policies::engine::Engine;

#[derive(Args, Clone, Debug)]
pub(super) struct ShadowArguments {
    /// A policy file, or a folder with policies: a second version that is asked the same in a sandbox. Its answers
    /// have no effect.
    ///
    /// At the end, standard error has how many answers were compared, and where they differ, without values.
    #[arg(long, value_name = "PATH")]
    shadow: Option<PathBuf>,
}

impl ShadowArguments {
    /// Runs a command with the engine in use, and with the second version where one is named.
    pub(super) fn run(
        &self,
        used: Arc<dyn Engine>,
        open: impl Fn(&Selection) -> Result<Opened, OpenError>,
        streams: &mut Streams<'_>,
        run: impl FnOnce(&Arc<dyn Engine>, &mut Streams<'_>) -> Result<Status, CommandError>,
    ) -> Result<Status, CommandError> {
        let Some(path) = &self.shadow else { return run(&used, streams) };
        let files = PolicyFiles { paths: vec![path.clone()], ..PolicyFiles::default() };
        let second = super::opened(&Selection::Sandbox(files), open, streams)?;
        second.all_run()?;
        in_shadow(used, second.engine, streams, run)
    }
}

#[cfg(feature = "sandbox")]
fn in_shadow(
    used: Arc<dyn Engine>,
    second: Arc<dyn Engine>,
    streams: &mut Streams<'_>,
    run: impl FnOnce(&Arc<dyn Engine>, &mut Streams<'_>) -> Result<Status, CommandError>,
) -> Result<Status, CommandError> {
    use std::fmt::Write as _;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::output::clean;
    use trellis_policies::engine::Shadow;

    /// How long a command waits for the last answers of the second version.
    const PATIENCE: Duration = Duration::from_secs(30);
    /// The most differences that are reported one by one.
    const MOST: usize = 50;

    let (sender, reported) = mpsc::sync_channel(MOST);
    // What does not fit is counted all the same.
    let show = move |difference| drop(sender.try_send(difference));
    let shadow = Shadow::new(used, second, show).map_err(|error| OpenError::Failed(error.into()))?;
    let shadow = Arc::new(shadow);
    let engine: Arc<dyn Engine> = Arc::<Shadow>::clone(&shadow);
    let status = run(&engine, streams);
    let counts = shadow.settle(PATIENCE);
    let mut text = String::new();
    if counts.is_empty() {
        text.push_str("shadow: the second version was asked nothing\n");
    }
    for (function, count) in counts {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "shadow: {function}: {} compared, {} differ, {} skipped",
            count.compared, count.differed, count.skipped
        );
    }
    for difference in reported.try_iter() {
        let _ = writeln!(text, "shadow: {}", clean(&difference.to_string()));
    }
    streams.say(&text);
    status
}

#[cfg(not(feature = "sandbox"))]
fn in_shadow(
    _: Arc<dyn Engine>,
    _: Arc<dyn Engine>,
    _: &mut Streams<'_>,
    _: impl FnOnce(&Arc<dyn Engine>, &mut Streams<'_>) -> Result<Status, CommandError>,
) -> Result<Status, CommandError> {
    Err(OpenError::NotBuiltIn("sandbox").into())
}
