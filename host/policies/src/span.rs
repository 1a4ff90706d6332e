//! Spans of traces: what is done below a reconcile, how long that takes, and with which code it fails.
//!
//! A span has names, codes and numbers, and neither contents nor messages: nothing in it may be secret. No line of
//! the log has their fields.

use futures_util::FutureExt as _;
use tracing::{Instrument as _, Span};

/// The target of these spans, which the log leaves out.
pub const TARGET: &str = "trellis::span";
/// Why something failed, as a code; OpenTelemetry's name for that.
pub const ERROR: &str = "error.type";
/// Whether something failed. The bridge to OpenTelemetry reads this field.
pub const STATUS: &str = "otel.status_code";

/// A span of traces: its name, and fields as in `tracing::info_span!`. The bridge makes texts of unsigned numbers.
#[macro_export]
macro_rules! span {
    ($name:literal, $($fields:tt)*) => {
        tracing::info_span!(
            target: $crate::span::TARGET,
            $name,
            "error.type" = tracing::field::Empty,
            otel.status_code = tracing::field::Empty,
            $($fields)*
        )
    };
}
pub use span;

/// An error with a code, which says what went wrong and nothing else.
pub trait Coded {
    /// The code.
    fn code(&self) -> &str;
}

/// What a span is about, in the span. Where that fails, the span has the code of the error.
pub fn within<T, E: Coded>(
    span: Span,
    work: impl Future<Output = Result<T, E>>,
) -> impl Future<Output = Result<T, E>> {
    // No async block, which would have room for the work twice.
    work.instrument(span.clone()).inspect(move |result| {
        if let Err(error) = result {
            failed(&span, error.code());
        }
    })
}

/// Marks a span as that of something that failed.
pub fn failed(span: &Span, code: &str) {
    span.record(ERROR, code).record(STATUS, "ERROR");
}
