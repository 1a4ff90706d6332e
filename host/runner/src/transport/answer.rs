//! Answers of the cloud.

use std::time::Duration;

use hyper::HeaderMap;
use hyper::body::Bytes;

/// An HTTP answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The content.
    pub body: Bytes,
}

/// The longest time that the host waits because the cloud asks for it.
pub(super) const LONGEST: Duration = Duration::from_mins(10);
/// How many characters a message shows of what it cannot trust.
const SHOWN: usize = 200;

impl Answer {
    /// Whether the status says that the call succeeded.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// How long to wait by the header of HTTP, in seconds. A busy server sends it too.
    pub fn retry_after(&self) -> Option<Duration> {
        bounded(self.header("retry-after")?.trim().parse().ok().map(Duration::from_secs))
    }

    /// The beginning of the content, on one line.
    pub fn shown(&self) -> String {
        shown(&String::from_utf8_lossy(self.body.get(..SHOWN * 4).unwrap_or(&self.body)))
    }
}

/// The beginning of a text of an answer, on one line.
pub(super) fn shown(text: &str) -> String {
    let line = text.split(|each: char| each.is_whitespace() || each.is_control());
    let line = line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(SHOWN).collect()
}

/// A wait that a cloud asks for, within limits.
pub(super) fn bounded(time: Option<Duration>) -> Option<Duration> {
    time.filter(|time| !time.is_zero()).map(|time| time.min(LONGEST))
}
