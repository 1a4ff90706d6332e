//! Times, as Kubernetes reads them: RFC 3339; and as Go prints them.

use std::fmt;

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Seconds since 1970, in UTC.
    seconds: i64,
    nanoseconds: u32,
}

impl Time {
    /// Reads a text such as `2026-06-01T00:00:00Z` or `2026-06-01T02:00:00.5+02:00`. Go takes an hour of one
    /// digit.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T')?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let zone_at = time.find(['Z', '+', '-'])?;
        let (clock, zone) = time.split_at_checked(zone_at)?;
        let (clock, fraction) =
            clock.split_once(['.', ',']).map_or((clock, None), |(clock, rest)| (clock, Some(rest)));
        let hours = clock.find(':')?;
        let [hour, minute, second] = numbers(clock, ':', [hours.clamp(1, 2), 2, 2])?;
        let is_date = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        if !is_date || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
        Some(Self { seconds: seconds - offset(zone)?, nanoseconds: fraction.map_or(Some(0), nanoseconds)? })
    }

    /// The moment that is so many hours later.
    pub const fn hours_later(self, hours: i64) -> Self {
        Self { seconds: self.seconds.saturating_add(hours.saturating_mul(3_600)), ..self }
    }

    /// Whole seconds since 1970, in UTC.
    pub fn unix_seconds(self) -> i64 {
        self.seconds
    }
}

/// As Go prints a time in UTC: `2024-01-02 03:04:05.5 +0000 UTC`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 24 * 60 * 60;
        let [year, month, day] = date(self.seconds.div_euclid(DAY));
        let second = self.seconds.rem_euclid(DAY);
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{:02}", second % 60)?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        f.write_str(" +0000 UTC")
    }
}

/// Three numbers of so many digits.
fn numbers(text: &str, between: char, digits: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(between);
    let mut numbers = [0; 3];
    for (number, length) in numbers.iter_mut().zip(digits) {
        *number = digits_of(parts.next()?, length)?;
    }
    parts.next().is_none().then_some(numbers)
}

fn digits_of(text: &str, length: usize) -> Option<i64> {
    let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The seconds that a zone is ahead of UTC. Go takes up to 24 hours and 60 minutes.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (digits_of(hours, 2)?, digits_of(minutes, 2)?);
    let seconds = (hours <= 24 && minutes <= 60).then_some((hours * 60 + minutes) * 60)?;
    Some(if zone.starts_with('-') { -seconds } else { seconds })
}

fn nanoseconds(fraction: &str) -> Option<u32> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. A year begins in March here, so that a leap day is
/// its last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The date that is so many days after 1970-01-01: the inverse of [`days_since_1970`].
fn date(days: i64) -> [i64; 3] {
    // From 0000-03-01 on, in eras of 400 years.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [era * 400 + year + next, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_as_go_prints_them() {
        for (text, printed) in [
            ("2024-01-02T03:04:05Z", "2024-01-02 03:04:05 +0000 UTC"),
            ("2024-02-29T23:59:59.120Z", "2024-02-29 23:59:59.12 +0000 UTC"),
            ("2025-01-01T00:30:00+01:00", "2024-12-31 23:30:00 +0000 UTC"),
            ("1969-12-31T23:59:59Z", "1969-12-31 23:59:59 +0000 UTC"),
            ("0001-01-01T00:00:00Z", "0001-01-01 00:00:00 +0000 UTC"),
        ] {
            assert_eq!(Time::parse(text).map(|time| time.to_string()).as_deref(), Some(printed), "{text}");
        }
    }

    #[test]
    fn each_day_has_one_date() {
        for day in -800_000..800_000 {
            let [year, month, of_month] = date(day);
            assert_eq!(days_since_1970(year, month, of_month), day);
            assert!((1..=12).contains(&month) && (1..=days_of(year, month)).contains(&of_month), "{day}");
        }
    }

    #[test]
    fn times_are_read_as_go_reads_them() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-06-01T00:00:00Z", Some(1_780_272_000)),
            ("2026-06-01T02:00:00+02:00", Some(1_780_272_000)),
            ("2026-05-31T19:30:00.25-04:30", Some(1_780_272_000)),
            ("2024-02-29T5:00:00Z", Some(1_709_182_800)),
            ("0001-01-01T00:00:00Z", Some(-62_135_596_800)),
            ("2025-02-29T00:00:00Z", None),
            ("2025-01-01", None),
            ("2025-01-01T24:00:00Z", None),
            ("2025-01-01T00:00:00", None),
            ("2025-1-01T00:00:00Z", None),
            ("2025-01-01T00:00:00.Z", None),
            ("2025-01-01T00:00:00+2:00", None),
            ("2025-01-01T00:00:00Zx", None),
            ("2025-01-01t00:00:00z", None),
            ("", None),
            ("éT00:00:00Z", None),
        ] {
            assert_eq!(Time::parse(text).map(|time| time.seconds), seconds, "{text}");
        }
        assert!(Time::parse("2026-06-01T00:00:00.1Z") < Time::parse("2026-06-01T00:00:00.2Z"));
    }
}
