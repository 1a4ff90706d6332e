//! The forms in which Go's flags take values, because charts of Gardener's extensions write them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

/// Whether something is wanted.
pub(crate) fn boolean(text: &str) -> Result<bool, &'static str> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("write `true` or `false`"),
    }
}

/// A whole number of at least 0, as Go's source has it: also in base 2, 8 or 16, and with `_` between digits.
pub(crate) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, &'static str> {
    whole(text).and_then(|number| T::try_from(number).ok()).ok_or("this is no number, or too large or small a one")
}

/// A whole number of at least 1.
pub(crate) fn count<T: TryFrom<u64>>(text: &str) -> Result<T, &'static str> {
    let number = whole(text).filter(|number| *number > 0);
    number.and_then(|number| T::try_from(number).ok()).ok_or("write a number of at least 1, such as `5`")
}

/// The most reconciles at a time: as controller-runtime takes it, for which 0 and less stand for 1.
pub(crate) fn reconciles(text: &str) -> Result<u16, &'static str> {
    let number = match text.strip_prefix('-') {
        Some(digits) if !digits.starts_with('+') => whole(digits).map(|_| 0),
        _ => whole(text),
    };
    let number = number.ok_or("write a number, such as `5`")?;
    Ok(u16::try_from(number.max(1)).unwrap_or(u16::MAX))
}

fn whole(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    // Go takes `0x_1` and `0_7`, and not `_1`: the sign of the base counts as a digit.
    let digits = if radix == 10 { digits } else { digits.strip_prefix('_').unwrap_or(digits) };
    let groups: Vec<&str> = digits.split('_').collect();
    let is_group = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_alphanumeric());
    groups.iter().all(is_group).then(|| u64::from_str_radix(&groups.concat(), radix).ok())?
}

/// A number of calls in a second, of which a part does not count.
pub(crate) fn per_second(text: &str) -> Result<u32, &'static str> {
    let number = text.parse::<f64>().ok().filter(|number| (1.0..=f64::from(u32::MAX)).contains(number));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    number.map(|number| number as u32).ok_or("write a number of at least 1, such as `25`")
}

/// A time, such as `2s` or `1m30s`.
pub(crate) fn time(text: &str) -> Result<Duration, &'static str> {
    let wrong = "write a time such as `2s`";
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut time = Duration::ZERO;
    loop {
        let unit = rest.find(|letter| !is_number(letter)).ok_or(wrong)?;
        let end =
            rest.get(unit..).and_then(|rest| rest.find(is_number)).map_or(rest.len(), |length| unit + length);
        let (part, next) = rest.split_at_checked(end).ok_or(wrong)?;
        if part.contains(char::is_whitespace) {
            return Err(wrong);
        }
        let part = part.parse::<SignedDuration>().ok().and_then(|part| Duration::try_from(part).ok());
        time = part.and_then(|part| time.checked_add(part)).ok_or(wrong)?;
        if next.is_empty() {
            return Ok(time);
        }
        rest = next;
    }
}

/// The path that a flag has; Gardener's charts leave some empty, which clap takes for no path.
pub(crate) fn path(text: Option<&OsString>) -> Option<PathBuf> {
    text.filter(|text| !text.is_empty()).map(PathBuf::from)
}

/// Names with commas between them, which may have quotes; an empty text has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct List(pub(crate) Vec<String>);

impl List {
    /// The names of all lists: a flag that is there twice adds up.
    pub(crate) fn all(lists: &[Self]) -> Vec<String> {
        lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }
}

/// Why a text is no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ListError {
    #[error("a name has a `\"` in it; write it twice, within quotes")]
    Bare,
    #[error("a `\"` is not closed, or no comma follows it")]
    Open,
}

impl FromStr for List {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut names = Vec::new();
        if text.is_empty() {
            return Ok(Self(names));
        }
        let mut rest = text;
        loop {
            let (name, next) = if let Some(quoted) = rest.strip_prefix('"') {
                unquoted(quoted)?
            } else {
                let (name, next) = rest.split_once(',').map_or((rest, None), |(name, next)| (name, Some(next)));
                if name.contains('"') {
                    return Err(ListError::Bare);
                }
                (name.to_owned(), next)
            };
            names.push(name);
            let Some(next) = next else { return Ok(Self(names)) };
            rest = next;
        }
    }
}

/// A name up to its closing quote, and what follows the comma behind it.
fn unquoted(text: &str) -> Result<(String, Option<&str>), ListError> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (part, next) = rest.split_once('"').ok_or(ListError::Open)?;
        name.push_str(part);
        if let Some(next) = next.strip_prefix('"') {
            name.push('"');
            rest = next;
        } else if next.is_empty() {
            return Ok((name, None));
        } else {
            return next.strip_prefix(',').map(|next| (name, Some(next))).ok_or(ListError::Open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_those_of_go() {
        for text in ["1", "t", "T", "true", "TRUE", "True"] {
            assert_eq!(boolean(text), Ok(true), "{text}");
        }
        for text in ["0", "f", "F", "false", "FALSE", "False"] {
            assert_eq!(boolean(text), Ok(false), "{text}");
        }
        for text in ["", "yes", "tRUE", "2", " true"] {
            assert!(boolean(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_those_of_gos_source() {
        for (text, expected) in [
            ("0", Some(0)),
            ("5", Some(5)),
            ("+443", Some(443)),
            ("10_250", Some(10_250)),
            ("010", Some(8)),
            ("0_7", Some(7)),
            ("0o17", Some(15)),
            ("0x1F", Some(31)),
            ("0X_1f", Some(31)),
            ("0b101", Some(5)),
            ("65536", None),
            ("08", None),
            ("-1", None),
            ("++1", None),
            ("0x", None),
            ("0x+1", None),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("1.0", None),
            ("", None),
            (" 1", None),
        ] {
            assert_eq!(number::<u16>(text).ok(), expected, "{text}");
            assert_eq!(count::<u16>(text).ok(), expected.filter(|number| *number > 0), "{text}");
        }
    }

    #[test]
    fn reconciles_at_a_time_are_those_of_controller_runtime() {
        for (text, expected) in [
            ("5", Some(5)),
            ("0", Some(1)),
            ("-3", Some(1)),
            ("0x10", Some(16)),
            ("100000", Some(u16::MAX)),
            ("-+1", None),
            ("--1", None),
            ("-", None),
            ("", None),
            ("1.5", None),
        ] {
            assert_eq!(reconciles(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn calls_in_a_second_may_have_a_part_or_an_exponent() {
        for (text, expected) in [
            ("25", Some(25)),
            ("12.5", Some(12)),
            ("2.5e1", Some(25)),
            ("0.5", None),
            ("0", None),
            ("-1", None),
            ("inf", None),
            ("NaN", None),
            ("5e9", None),
            ("many", None),
        ] {
            assert_eq!(per_second(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn times_are_those_of_go() {
        for (text, expected) in [
            ("2s", Some(2_000)),
            ("0", Some(0)),
            ("0s", Some(0)),
            ("500ms", Some(500)),
            ("1m500ms", Some(60_500)),
            ("1h2m3s", Some(3_723_000)),
            ("1.5h30m", Some(7_200_000)),
            ("2000us", Some(2)),
            ("2000µs", Some(2)),
            ("+1s", Some(1_000)),
            ("", None),
            ("2", None),
            ("s", None),
            ("-2s", None),
            ("1m-2s", None),
            ("2 s", None),
            ("2x", None),
            ("1s2", None),
        ] {
            let expected = expected.map(Duration::from_millis);
            assert_eq!(time(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn lists_have_the_quotes_of_a_table_and_an_empty_text_has_no_name() {
        for (text, expected) in [
            ("", Ok(vec![])),
            ("*", Ok(vec!["*"])),
            ("\"*\"", Ok(vec!["*"])),
            ("a,b", Ok(vec!["a", "b"])),
            ("\"a\",b,\"c,d\"", Ok(vec!["a", "b", "c,d"])),
            ("\"a\"\"b\"", Ok(vec!["a\"b"])),
            ("\"\"", Ok(vec![""])),
            ("a,", Ok(vec!["a", ""])),
            ("\"a\",", Ok(vec!["a", ""])),
            (" a", Ok(vec![" a"])),
            ("a\"b", Err(ListError::Bare)),
            ("a,b\"", Err(ListError::Bare)),
            ("\"a", Err(ListError::Open)),
            ("\"a\"b", Err(ListError::Open)),
            ("\"", Err(ListError::Open)),
        ] {
            let expected = expected.map(|names| List(names.into_iter().map(str::to_owned).collect()));
            assert_eq!(text.parse::<List>(), expected, "{text}");
        }
    }

    #[test]
    fn an_empty_path_counts_as_absent() {
        assert_eq!(path(Some(&OsString::new())), None);
        assert_eq!(path(Some(&OsString::from("a"))), Some(PathBuf::from("a")));
    }
}
