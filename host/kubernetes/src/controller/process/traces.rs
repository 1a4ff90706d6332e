//! Traces: the spans of reconciles, sent to a receiver of OpenTelemetry's protocol OTLP over HTTP.
//!
//! Spans are sent in batches by a thread of their own, out of a queue that is bounded, so that a receiver that is
//! slow or down costs spans, and nothing else.

mod client;
mod export;

use std::fmt;
use std::str::FromStr;

use hyper::Uri;

pub use export::Traces;

/// Names the address of a receiver of all signals, such as `http://collector:4318`.
const ALL: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// Names the address for traces, with its path.
const OWN: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
/// Turns everything of OpenTelemetry off.
const DISABLED: &str = "OTEL_SDK_DISABLED";
/// Where receivers take traces.
const PATH: &str = "/v1/traces";

/// Where traces are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver(Uri);

/// Why there are no traces.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The address is none.
    #[error(
        "the address of the receiver of traces must have the form `http://HOST:PORT` or `https://HOST:PORT`, without credentials"
    )]
    Address,
    /// The receiver cannot be called.
    #[error("traces cannot be sent: {0}")]
    Setup(String),
}

impl Receiver {
    /// The receiver that the variables of OpenTelemetry name, where they name one.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, TracesError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if set(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        match (set(OWN), set(ALL)) {
            (Some(own), _) => Self::at(&own).map(Some),
            (None, Some(all)) => all.parse().map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The receiver at an address with its path.
    fn at(address: &str) -> Result<Self, TracesError> {
        let uri: Uri = address.parse().map_err(|_| TracesError::Address)?;
        let is_known = matches!(uri.scheme_str(), Some("http" | "https"));
        // Credentials belong into OTEL_EXPORTER_OTLP_HEADERS: addresses are logged.
        let is_plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        if is_known && is_plain { Ok(Self(uri)) } else { Err(TracesError::Address) }
    }
}

impl FromStr for Receiver {
    type Err = TracesError;

    /// The receiver at an address, to which the path of traces is added.
    fn from_str(address: &str) -> Result<Self, TracesError> {
        Self::at(&format!("{}{PATH}", address.trim_end_matches('/')))
    }
}

impl fmt::Display for Receiver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_the_path_of_traces() {
        for address in ["http://a:4318", "http://a:4318/"] {
            assert_eq!(address.parse::<Receiver>().unwrap().to_string(), "http://a:4318/v1/traces");
        }
        assert_eq!("https://a/otlp".parse::<Receiver>().unwrap().to_string(), "https://a/otlp/v1/traces");
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for address in ["", "a:4318", "grpc://a:4317", "http://user:CANARY@a", "http:// a"] {
            let error = address.parse::<Receiver>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("CANARY"), "{error}");
        }
    }

    #[test]
    fn the_variables_of_opentelemetry_count() {
        for (variables, receiver) in [
            ([None, None, None], None),
            ([Some("http://all"), None, None], Some("http://all/v1/traces")),
            ([Some("http://all"), Some("http://own/t"), None], Some("http://own/t")),
            ([Some("http://all"), Some(""), Some("false")], Some("http://all/v1/traces")),
            ([Some("http://all"), Some("http://own/t"), Some("True")], None),
        ] {
            let value = |name: &str| {
                let place = [ALL, OWN, DISABLED].iter().position(|known| *known == name)?;
                variables.get(place).copied().flatten().map(str::to_owned)
            };
            let found = Receiver::of_environment(value).unwrap();
            assert_eq!(found.map(|found| found.to_string()).as_deref(), receiver, "{variables:?}");
        }
    }
}
