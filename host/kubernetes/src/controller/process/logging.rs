//! Structured logs: one line for each event, with the fields of the spans around it.
//!
//! What texts say cannot break out of a line, nor reach a terminal as a control: such characters are codes in the
//! log.

mod line;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::{LookupSpan, Registry, Scope};

use line::{Fields, Line};
use trellis_policies::span;

/// Which events are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// What the process does, and what goes wrong.
    #[default]
    Info,
    /// All that helps to find out why, of libraries too.
    Debug,
    /// What a person has to look at.
    Error,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A JSON object.
    #[default]
    Json,
    /// Text for people.
    Text,
}

/// A flag has a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {flag}: {value}")]
pub struct InvalidFlag {
    flag: &'static str,
    value: String,
}

/// Something else logs in this process already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log of this process was started before")]
pub struct StartedBefore;

impl FromStr for Level {
    type Err = InvalidFlag;

    fn from_str(text: &str) -> Result<Self, InvalidFlag> {
        match text {
            "info" => Ok(Self::Info),
            "debug" => Ok(Self::Debug),
            "error" => Ok(Self::Error),
            _ => Err(InvalidFlag { flag: "--log-level", value: text.to_owned() }),
        }
    }
}

impl FromStr for Format {
    type Err = InvalidFlag;

    fn from_str(text: &str) -> Result<Self, InvalidFlag> {
        match text {
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            _ => Err(InvalidFlag { flag: "--log-format", value: text.to_owned() }),
        }
    }
}

/// Libraries that log much. Below `debug`, their warnings and errors are enough.
const LIBRARIES: [&str; 7] = ["h2", "hyper", "hyper_util", "kube", "rustls", "tower", "tower_http"];

/// Libraries that are never heard, because they write whole answers of the API server, which may be Secrets. Their
/// errors reach the caller.
const TALKATIVE: [&str; 2] = ["kube_client", "kube_runtime"];

/// What sends spans as traces.
pub type TraceLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Logs to standard error from now on, and hands spans to traces where there are any.
pub fn start(level: Level, format: Format, traces: Option<TraceLayer>) -> Result<(), StartedBefore> {
    let subscriber = subscriber(level, format, io::stderr(), traces);
    tracing::subscriber::set_global_default(subscriber).map_err(|_| StartedBefore)
}

/// Logs to a writer, and hands spans to traces where there are any.
pub fn subscriber(
    level: Level,
    format: Format,
    writer: impl Write + Send + 'static,
    traces: Option<TraceLayer>,
) -> impl Subscriber {
    let (own, libraries) = match level {
        Level::Info => (LevelFilter::INFO, LevelFilter::WARN),
        Level::Debug => (LevelFilter::DEBUG, LevelFilter::DEBUG),
        Level::Error => (LevelFilter::ERROR, LevelFilter::ERROR),
    };
    let filter = Targets::new()
        .with_default(own)
        .with_targets(LIBRARIES.into_iter().map(|library| (library, libraries)))
        .with_targets(TALKATIVE.map(|library| (library, LevelFilter::OFF)))
        .with_target(span::TARGET, LevelFilter::OFF);
    Registry::default().with(traces).with(Log { format, writer: Mutex::new(writer) }.with_filter(filter))
}

/// Writes lines.
struct Log<W> {
    format: Format,
    writer: Mutex<W>,
}

impl<S, W> Layer<S> for Log<W>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: Write + Send + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<Fields>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        for span in context.event_scope(event).into_iter().flat_map(Scope::from_root) {
            if let Some(of_span) = span.extensions().get::<Fields>() {
                fields.extend(of_span);
            }
        }
        event.record(&mut fields);
        let metadata = event.metadata();
        let line = Line { level: metadata.level(), time: Timestamp::now(), target: metadata.target(), fields };
        let line = match self.format {
            Format::Json => line.json(),
            Format::Text => line.text(),
        };
        // A log that nobody takes stops nothing.
        let _ = self.writer.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}
