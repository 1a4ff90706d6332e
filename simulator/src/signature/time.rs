//! The three spellings of an instant that signed requests use.

use hyper::HeaderMap;
use jiff::{SignedDuration, Timestamp, fmt::rfc2822};

/// How far the time of a request may be from the server's, in either direction: 15 minutes.
pub const VALIDITY: SignedDuration = SignedDuration::from_mins(15);

/// Reads `YYYY-MM-DDTHH:MM:SSZ`, as the RPC generations spell it: UTC, whole seconds.
pub(super) fn extended(text: &str) -> Option<Timestamp> {
    matches(text, "0000-00-00T00:00:00Z").then(|| text.parse().ok())?
}

/// Reads `YYYYMMDDTHHMMSSZ`, as OSS V4 spells it.
pub(super) fn compact(text: &str) -> Option<Timestamp> {
    matches(text, "00000000T000000Z").then(|| text.parse().ok())?
}

/// Reads the fixed-length date of HTTP, `Tue, 20 Dec 2022 08:48:18 GMT`.
pub(super) fn http(text: &str) -> Option<Timestamp> {
    static PARSER: rfc2822::DateTimeParser = rfc2822::DateTimeParser::new();
    (text.len() == 29 && text.ends_with(" GMT")).then(|| PARSER.parse_timestamp(text).ok())?
}

/// The time of an OSS request as it was sent and as an instant: of `x-oss-date`, else of `Date`.
pub(super) fn of_headers(headers: &HeaderMap) -> Option<(&str, Timestamp)> {
    let text = headers.get("x-oss-date").or_else(|| headers.get("date"))?.to_str().ok()?;
    Some((text, compact(text).or_else(|| http(text))?))
}

/// Whether a text is like a pattern in which `0` stands for any digit.
fn matches(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text.bytes().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(second: i64) -> Option<Timestamp> {
        Timestamp::from_second(second).ok()
    }

    #[test]
    fn each_spelling_is_read_as_the_instant_it_says() {
        assert_eq!(extended("2022-12-20T08:48:18Z"), seconds(1_671_526_098));
        assert_eq!(compact("20221220T084818Z"), seconds(1_671_526_098));
        assert_eq!(http("Tue, 20 Dec 2022 08:48:18 GMT"), seconds(1_671_526_098));
    }

    #[test]
    fn other_spellings_of_an_instant_are_no_instant() {
        for text in [
            "",
            "2022-12-20T08:48:18+00:00",
            "2022-12-20 08:48:18Z",
            "2022-12-20T08:48:18.0Z",
            "2022-13-20T08:48:18Z",
            "2022-12-20t08:48:18z",
            "2022-12-20T08:48Z",
            "２022-12-20T08:48:1",
        ] {
            assert_eq!(extended(text), None, "{text}");
        }
        for text in ["20221220T084818", "2022-12-20T08:48:18Z", "20221320T084818Z", "+2221220T084818Z"] {
            assert_eq!(compact(text), None, "{text}");
        }
        for text in ["Tue, 20 Dec 2022 08:48:18 UTC", "Mon, 20 Dec 2022 08:48:18 GMT", "20 Dec 2022 08:48:18 GMT"]
        {
            assert_eq!(http(text), None, "{text}");
        }
    }
}
