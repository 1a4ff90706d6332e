//! What a run prints while it goes on.

use super::Format;
use super::live::Live;
use super::progress::Progress;
use crate::{CommandError, Streams};
use trellis_runner::plan::event::Event;

/// The reader for whom a run prints its events.
pub(super) enum Display {
    /// A person who watches the run on a terminal.
    Live(Live),
    /// A person who reads the output later.
    Lines(Progress),
    /// A program.
    Json,
}

impl Display {
    pub(super) fn new(format: Format, streams: &Streams<'_>) -> Self {
        match format {
            Format::Json => Self::Json,
            Format::Human if streams.stdout_is_terminal && !is_dumb() => {
                Self::Live(Live::new(streams.stdout_has_color))
            }
            Format::Human => Self::Lines(Progress::default()),
        }
    }

    /// Whether the display shows how time passes.
    pub(super) fn is_live(&self) -> bool {
        matches!(self, Self::Live(_))
    }

    /// Shows an event.
    pub(super) fn show(&mut self, event: &Event, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let text = match self {
            // Never fails: there are only texts and numbers in it.
            Self::Json => serde_json::to_string(event).unwrap_or_default() + "\n",
            Self::Lines(progress) => progress.line(event).map(|line| line + "\n").unwrap_or_default(),
            Self::Live(live) => live.show(event, super::live::screen()),
        };
        if text.is_empty() { Ok(()) } else { streams.show(&text) }
    }

    /// Shows that time has passed.
    pub(super) fn tick(&mut self, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        match self {
            Self::Live(live) => {
                let text = live.redraw(super::live::screen());
                streams.show(&text)
            }
            Self::Lines(_) | Self::Json => Ok(()),
        }
    }

    /// Ends the display of the steps that are under way.
    pub(super) fn end(&mut self, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        match self {
            Self::Live(live) => {
                let text = live.end();
                streams.show(&text)
            }
            Self::Lines(_) | Self::Json => Ok(()),
        }
    }
}

/// Whether the terminal only types lines.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
