//! From spans of `tracing` to batches of OTLP.

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{Key, KeyValue};
use opentelemetry_otlp::{Protocol, RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::filter_fn;

use super::client::Client;
use super::{Receiver, TracesError};
use crate::controller::process::logging::TraceLayer;

/// How long the end waits until the last spans are sent.
const CLOSING: Duration = Duration::from_secs(5);
/// How the targets of this program's own spans begin. Libraries have spans, too, with more in them than traces may
/// have.
const OWN: &str = "trellis";
/// The attribute with the name of the service, and how OpenTelemetry's library names what nobody has named.
const SERVICE: Key = Key::from_static_str("service.name");
const UNNAMED: &str = "unknown_service";

/// Sends the spans of this process. Variables of OpenTelemetry set what is not set here: `OTEL_SERVICE_NAME`,
/// `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_*`.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send, with connections that belong to a runtime. `service` is the name of the service where no
    /// variable has another one.
    pub fn start(receiver: &Receiver, service: &str, runtime: Handle) -> Result<Self, TracesError> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client::new(receiver, runtime)?)
            .with_endpoint(receiver.to_string())
            .with_protocol(Protocol::HttpBinary)
            // A retry bridges a connection that broke; more would hold up the end of the process.
            .with_retry_policy(RetryPolicy::recommended().with_max_retries(1))
            .build()
            .map_err(|error| TracesError::Setup(error.to_string()))?;
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource(service));
        Ok(Self(provider.build()))
    }

    /// The layer that gets the spans.
    pub fn layer(&self) -> TraceLayer {
        let own = filter_fn(|metadata| metadata.is_span() && metadata.target().starts_with(OWN));
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("trellis"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            .with_filter(own.with_max_level_hint(LevelFilter::INFO))
            .boxed()
    }

    /// Sends what is left, and waits 5 seconds at most. Spans that end later are lost.
    pub async fn end(self) {
        let closing = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(CLOSING));
        match closing.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last traces were not sent"),
            Err(error) => tracing::warn!(%error, "the last traces were not sent"),
        }
    }
}

/// What all spans of the process have in common.
fn resource(service: &str) -> Resource {
    let named = Resource::builder().build();
    let is_named = named.get(&SERVICE).is_some_and(|name| !name.as_str().starts_with(UNNAMED));
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_attribute(version);
    if is_named { resource.build() } else { resource.with_service_name(service.to_owned()).build() }
}
