//! Durations, as Go reads and prints them.

use std::fmt;

use crate::document::decode::{DecodeError, Node, Target};
use crate::text::quote;

/// A duration of up to 292 years, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(i64);

/// Why a text is no duration, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// The text has another form, or the duration is too long.
    #[error("time: invalid duration {}", quote(.0))]
    Invalid(String),
    /// A number has no unit.
    #[error("time: missing unit in duration {}", quote(.0))]
    MissingUnit(String),
    /// A number has a unit that Go does not know.
    #[error("time: unknown unit {} in duration {}", quote(.unit), quote(.text))]
    UnknownUnit {
        /// The unit.
        unit: String,
        /// The whole text.
        text: String,
    },
}

const SECOND: u64 = 1_000_000_000;

/// Units and their nanoseconds.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3_600 * SECOND),
];

/// The longest negative duration, without its sign. A positive one is a nanosecond shorter.
const MOST: u64 = 1 << 63;

impl Duration {
    /// A duration of so many nanoseconds.
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self(nanoseconds)
    }

    /// A duration of so many hours.
    pub const fn from_hours(hours: i64) -> Self {
        Self(hours * 3_600_000_000_000)
    }

    /// Its nanoseconds.
    pub const fn nanoseconds(self) -> i64 {
        self.0
    }

    /// Reads a text such as `1h30m`, `-1.5h` or `300ms`.
    pub fn parse(text: &str) -> Result<Self, DurationError> {
        let invalid = || DurationError::Invalid(text.to_owned());
        let (is_negative, mut rest) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => (false, text),
        };
        if rest == "0" {
            return Ok(Self(0));
        }
        if rest.is_empty() {
            return Err(invalid());
        }
        let mut sum = 0_u64;
        while !rest.is_empty() {
            let (whole, after) = split(rest, is_digit);
            let (fraction, after) = match after.strip_prefix('.') {
                Some(after) => split(after, is_digit),
                None => ("", after),
            };
            if whole.is_empty() && fraction.is_empty() {
                return Err(invalid());
            }
            let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
            if whole > MOST {
                return Err(invalid());
            }
            let (unit, after) = split(after, |char| char != '.' && !is_digit(char));
            if unit.is_empty() {
                return Err(DurationError::MissingUnit(text.to_owned()));
            }
            let Some((_, nanoseconds)) = UNITS.iter().find(|(name, _)| *name == unit) else {
                return Err(DurationError::UnknownUnit { unit: unit.to_owned(), text: text.to_owned() });
            };
            let part =
                whole.checked_mul(*nanoseconds).and_then(|part| part.checked_add(part_of(*nanoseconds, fraction)));
            sum = part.and_then(|part| sum.checked_add(part)).filter(|sum| *sum <= MOST).ok_or_else(invalid)?;
            rest = after;
        }
        match i64::try_from(sum) {
            Ok(sum) => Ok(Self(if is_negative { -sum } else { sum })),
            Err(_) if is_negative => Ok(Self(i64::MIN)),
            Err(_) => Err(invalid()),
        }
    }
}

fn is_digit(char: char) -> bool {
    char.is_ascii_digit()
}

/// The text up to the first character that is none of these, and the rest.
fn split(text: &str, is_in: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|char| !is_in(char)).unwrap_or(text.len()))
}

/// The nanoseconds of a fraction of a unit.
///
/// Go multiplies floating-point numbers here, which rounds up now and then. The same numbers are multiplied here,
/// in the same order, so that the same text is the same duration.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go rounds so; the product is at least 0 and at most the nanoseconds of an hour"
)]
fn part_of(nanoseconds: u64, fraction: &str) -> u64 {
    let (mut digits, mut scale) = (0_u64, 1_f64);
    for digit in fraction.bytes().map(|byte| u64::from(byte.saturating_sub(b'0'))) {
        // Go passes over the digits that its integer has no room for.
        let more = if digits > i64::MAX as u64 / 10 { MOST + 1 } else { digits * 10 + digit };
        if more > MOST {
            break;
        }
        digits = more;
        scale *= 10.0;
    }
    (digits as f64 * (nanoseconds as f64 / scale)) as u64
}

/// As Go prints it: `24h0m0s`, `1m30.5s`, `300ms`, `0s`.
impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0.unsigned_abs();
        if self.0 < 0 {
            formatter.write_str("-")?;
        }
        if total < SECOND {
            let unit = match total {
                0 => return formatter.write_str("0s"),
                1..1_000 => ("ns", 1),
                1_000..1_000_000 => ("µs", 1_000),
                _ => ("ms", 1_000_000),
            };
            return write_decimal(formatter, total, unit);
        }
        let minutes = total / (60 * SECOND);
        if minutes >= 60 {
            write!(formatter, "{}h", minutes / 60)?;
        }
        if minutes > 0 {
            write!(formatter, "{}m", minutes % 60)?;
        }
        write_decimal(formatter, total % (60 * SECOND), ("s", SECOND))
    }
}

/// Writes so many units with as many decimals as they have.
fn write_decimal(formatter: &mut fmt::Formatter<'_>, total: u64, (name, unit): (&str, u64)) -> fmt::Result {
    write!(formatter, "{}", total / unit)?;
    let (mut rest, mut unit_left) = (total % unit, unit);
    if rest > 0 {
        formatter.write_str(".")?;
    }
    while rest > 0 {
        unit_left /= 10;
        write!(formatter, "{}", rest / unit_left)?;
        rest %= unit_left;
    }
    formatter.write_str(name)
}

/// A field is a text; an empty text and `null` are no durations, as for the Kubernetes API machinery.
impl<'v> Target<'v> for Duration {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        let text = node.value().as_str().unwrap_or_default();
        *self = Self::parse(text).map_err(|_| node.mismatch("a duration such as 1h30m"))?;
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Duration {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document;
    use crate::document::decode::{Mode, decode};
    use crate::record;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<i64, String> {
        Duration::parse(text).map(Duration::nanoseconds).map_err(|error| error.to_string())
    }

    /// Cases of Go's own tests.
    #[test]
    fn texts_are_the_durations_that_go_reads() {
        let (second, minute, hour) = (1_000_000_000_i64, 60_000_000_000, 3_600_000_000_000);
        for (text, nanoseconds) in [
            ("0", 0),
            ("5s", 5 * second),
            ("30s", 30 * second),
            ("1478s", 1478 * second),
            ("-5s", -5 * second),
            ("+5s", 5 * second),
            ("-0", 0),
            ("+0", 0),
            ("5.0s", 5 * second),
            ("5.6s", 5_600_000_000),
            ("5.s", 5 * second),
            (".5s", 500_000_000),
            ("1.0s", second),
            ("1.00s", second),
            ("1.004s", 1_004_000_000),
            ("1.0040s", 1_004_000_000),
            ("100.00100s", 100_001_000_000),
            ("10ns", 10),
            ("11us", 11_000),
            ("12µs", 12_000),
            ("12μs", 12_000),
            ("13ms", 13_000_000),
            ("14s", 14 * second),
            ("15m", 15 * minute),
            ("16h", 16 * hour),
            ("3h30m", 3 * hour + 30 * minute),
            ("10.5s4m", 4 * minute + 10_500_000_000),
            ("-2m3.4s", -(2 * minute + 3_400_000_000)),
            ("1h2m3s4ms5us6ns", hour + 2 * minute + 3 * second + 4_005_006),
            ("39h9m14.425s", 39 * hour + 9 * minute + 14_425_000_000),
            ("52763797000ns", 52_763_797_000),
            ("0.3333333333333333333h", 20 * minute),
            ("9007199254740993ns", (1 << 53) + 1),
            ("9223372036854775807ns", i64::MAX),
            ("9223372036854775.807us", i64::MAX),
            ("9223372036s854ms775us807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
            ("-9223372036854775.808us", i64::MIN),
            ("-9223372036s854ms775us808ns", i64::MIN),
            ("-2562047h47m16.854775808s", i64::MIN),
            ("0.100000000000000000000h", 6 * minute),
            ("0.830103483285477580700h", 49 * minute + 48 * second + 372_539_827),
        ] {
            assert_eq!(parse(text), Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_in_the_words_of_go() {
        for (text, words) in [
            ("", r#"time: invalid duration """#),
            ("3", r#"time: missing unit in duration "3""#),
            ("-", r#"time: invalid duration "-""#),
            ("s", r#"time: invalid duration "s""#),
            (".", r#"time: invalid duration ".""#),
            ("-.", r#"time: invalid duration "-.""#),
            (".s", r#"time: invalid duration ".s""#),
            ("+.s", r#"time: invalid duration "+.s""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            (" 1s", r#"time: invalid duration " 1s""#),
            ("1s ", r#"time: unknown unit "s " in duration "1s ""#),
            ("9223372036854775810ns", r#"time: invalid duration "9223372036854775810ns""#),
            ("9223372036854775808ns", r#"time: invalid duration "9223372036854775808ns""#),
            ("-9223372036854775809ns", r#"time: invalid duration "-9223372036854775809ns""#),
            ("9223372036854776us", r#"time: invalid duration "9223372036854776us""#),
            ("3000000h", r#"time: invalid duration "3000000h""#),
            ("9223372036854775.808us", r#"time: invalid duration "9223372036854775.808us""#),
            ("9223372036854ms775us808ns", r#"time: invalid duration "9223372036854ms775us808ns""#),
        ] {
            assert_eq!(parse(text), Err(words.to_owned()), "{text}");
        }
    }

    #[test]
    fn durations_are_printed_as_go_prints_them() {
        for (nanoseconds, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_100, "1.1µs"),
            (2_200_000, "2.2ms"),
            (3_300_000_000, "3.3s"),
            (4 * 60_000_000_000 + 5_000_000_000, "4m5s"),
            (4 * 60_000_000_000 + 5_001_000_000, "4m5.001s"),
            (5 * 3_600_000_000_000 + 6 * 60_000_000_000 + 7_001_000_000, "5h6m7.001s"),
            (8 * 60_000_000_000 + 1, "8m0.000000001s"),
            (86_400_000_000_000, "24h0m0s"),
            (-300_000_000_000, "-5m0s"),
            (i64::MAX, "2562047h47m16.854775807s"),
            (i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(Duration::from_nanoseconds(nanoseconds).to_string(), text);
        }
    }

    #[test]
    fn a_field_is_a_text() {
        record! {
            #[derive(Debug, Default)]
            struct Fields {
                timeout: Option<Duration>,
                period: Duration,
            }
        }
        let decoded = |text: &str| decode::<Fields>(&document::parse(text).unwrap(), Mode::Strict);
        let fields = decoded(r#"{"timeout":null,"period":"24h"}"#).unwrap();
        assert_eq!((fields.timeout, fields.period.to_string().as_str()), (None, "24h0m0s"));
        for (text, found) in [("30", "the number 30"), (r#""30""#, "a string"), ("null", "null")] {
            let error = decoded(&format!(r#"{{"period":{text}}}"#)).unwrap_err();
            assert_eq!(error.to_string(), format!("period: expected a duration such as 1h30m, found {found}"));
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_as_the_same_duration(nanoseconds in any::<i64>(), shift in 0_u32..63) {
            let duration = Duration::from_nanoseconds(nanoseconds >> shift);
            prop_assert_eq!(Duration::parse(&duration.to_string()), Ok(duration));
        }

        #[test]
        fn no_text_panics(text in r"[-+]?([0-9]{0,22}(\.[0-9]{0,22})?(h|m|s|ms|µs|é)?){0,3}") {
            let _ = Duration::parse(&text);
        }
    }
}
