//! Times of day such as `220000+0100`, as Go reads them.

use crate::text::{join, quote};

/// The seconds of a day.
pub const DAY: i64 = 24 * 60 * 60;
const ZONE: &str = "-0700";

/// A text, and what of it is not read yet.
struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

/// The seconds since midnight in UTC. The error is what Go says.
pub fn seconds(text: &str) -> Result<i64, String> {
    let mut reader = Reader { text, rest: text };
    let hour = reader.number("15", "hour", 24)?;
    let minute = reader.number("04", "minute", 60)?;
    let second = reader.number("05", "second", 60)?;
    reader.skip_fraction();
    let zone = reader.zone()?;
    if !reader.rest.is_empty() {
        return Err(reader.error(&[": extra text: ", &quote(reader.rest)]));
    }
    Ok(((hour * 60 + minute) * 60 + second - zone).rem_euclid(DAY))
}

impl Reader<'_> {
    /// Reads a number of two digits that is less than another one.
    fn number(&mut self, layout: &str, name: &str, limit: i64) -> Result<i64, String> {
        let [tens, ones, ..] = self.rest.as_bytes() else { return Err(self.unreadable(layout)) };
        let Some(number) = two_digits(*tens, *ones) else {
            // Go takes an hour of one digit, and misses the minutes behind it.
            if layout == "15" && tens.is_ascii_digit() {
                self.skip(1);
                return Err(self.unreadable("04"));
            }
            return Err(self.unreadable(layout));
        };
        self.skip(2);
        if number < limit { Ok(number) } else { Err(self.error(&[": ", name, " out of range"])) }
    }

    /// Passes over a fraction of a second.
    fn skip_fraction(&mut self) {
        if let Some(fraction) = self.rest.strip_prefix(['.', ','])
            && fraction.starts_with(|char: char| char.is_ascii_digit())
        {
            self.rest = fraction.trim_start_matches(|char: char| char.is_ascii_digit());
        }
    }

    /// Reads the seconds that the zone is ahead of UTC. Go takes up to 24 hours and 60 minutes.
    fn zone(&mut self) -> Result<i64, String> {
        let [sign @ (b'+' | b'-'), digits @ ..] = self.rest.as_bytes() else { return Err(self.unreadable(ZONE)) };
        let [hour_tens, hour_ones, minute_tens, minute_ones, ..] = digits else {
            return Err(self.unreadable(ZONE));
        };
        let (hours, minutes) = (two_digits(*hour_tens, *hour_ones), two_digits(*minute_tens, *minute_ones));
        let (Some(hours), Some(minutes)) = (hours, minutes) else { return Err(self.unreadable(ZONE)) };
        if hours > 24 || minutes > 60 {
            let part = if minutes > 60 { "minute" } else { "hour" };
            return Err(self.error(&[": time zone offset ", part, " out of range"]));
        }
        let seconds = (hours * 60 + minutes) * 60;
        let is_behind = *sign == b'-';
        self.skip(5);
        Ok(if is_behind { -seconds } else { seconds })
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn unreadable(&self, layout: &str) -> String {
        let (rest, layout) = (quote(self.rest), quote(layout));
        self.error(&[" as \"150405-0700\": cannot parse ", &rest, " as ", &layout])
    }

    fn error(&self, why: &[&str]) -> String {
        ["parsing time ", &quote(self.text), &join(why, "")].concat()
    }
}

fn two_digits(tens: u8, ones: u8) -> Option<i64> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i64::from(byte) - i64::from(b'0'));
    Some(digit(tens)? * 10 + digit(ones)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_moved_to_utc() {
        for (text, wanted) in [
            ("000000+0000", 0),
            ("220000+0100", 21 * 3_600),
            ("003000+0100", DAY - 1_800),
            ("233000-0100", 1_800),
            ("235959.5+0000", DAY - 1),
            ("235959,123-0000", DAY - 1),
            ("120000+2460", 11 * 3_600),
        ] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn mistakes_are_reported_in_the_words_of_go() {
        for (text, error) in [
            ("", r#"parsing time "" as "150405-0700": cannot parse "" as "15""#),
            ("0000", r#"parsing time "0000" as "150405-0700": cannot parse "" as "05""#),
            ("1x", r#"parsing time "1x" as "150405-0700": cannot parse "x" as "04""#),
            ("2200+0100", r#"parsing time "2200+0100" as "150405-0700": cannot parse "+0100" as "05""#),
            ("220000Z", r#"parsing time "220000Z" as "150405-0700": cannot parse "Z" as "-0700""#),
            ("220000.+0000", r#"parsing time "220000.+0000" as "150405-0700": cannot parse ".+0000" as "-0700""#),
            ("220000+01", r#"parsing time "220000+01" as "150405-0700": cannot parse "+01" as "-0700""#),
            ("220000+01é", r#"parsing time "220000+01é" as "150405-0700": cannot parse "+01é" as "-0700""#),
            (
                "22:00:00+01:00",
                r#"parsing time "22:00:00+01:00" as "150405-0700": cannot parse ":00:00+01:00" as "04""#,
            ),
            ("990000+0000", r#"parsing time "990000+0000": hour out of range"#),
            ("226000+0100", r#"parsing time "226000+0100": minute out of range"#),
            ("220060+0100", r#"parsing time "220060+0100": second out of range"#),
            ("220000+2500", r#"parsing time "220000+2500": time zone offset hour out of range"#),
            ("220000+9999", r#"parsing time "220000+9999": time zone offset minute out of range"#),
            ("220000+0000x", r#"parsing time "220000+0000x": extra text: "x""#),
        ] {
            assert_eq!(seconds(text), Err(error.to_owned()), "{text}");
        }
    }
}
