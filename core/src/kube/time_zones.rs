//! Names of time zones.
//!
//! Source: the tz database 2025c with its former names, as Go's library has it.

use crate::text::join;

const ZONES: &str = include_str!("time_zones.txt");

/// The names of the zones that have a file in the tz database. Upper and lower case differ.
pub fn names() -> impl Iterator<Item = &'static str> {
    ZONES.lines()
}

/// Checks that Go knows a zone. An empty name is that of UTC, and `Local` that of the computer. The error is what
/// Go says.
pub fn check(name: &str) -> Result<(), String> {
    if matches!(name, "" | "Local") {
        Ok(())
    } else if name.contains("..") || name.starts_with(['/', '\\']) {
        Err("time: invalid location name".to_owned())
    } else if names().any(|known| known == name) {
        Ok(())
    } else {
        Err(join(&["unknown time zone", name], " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_by_their_names() {
        for name in
            ["", "UTC", "Local", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "US/Pacific"]
        {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, error) in [
            ("europe/berlin", "unknown time zone europe/berlin"),
            ("Europe", "unknown time zone Europe"),
            ("Mars/Phobos", "unknown time zone Mars/Phobos"),
            ("Europe/Berlin\nEurope/Bonn", "unknown time zone Europe/Berlin\nEurope/Bonn"),
            ("../x", "time: invalid location name"),
            ("/etc", "time: invalid location name"),
            ("\\x", "time: invalid location name"),
        ] {
            assert_eq!(check(name), Err(error.to_owned()), "{name}");
        }
    }

    #[test]
    fn each_zone_is_there_once_and_in_order() {
        assert!(names().zip(names().skip(1)).all(|(one, next)| one < next));
        assert_eq!(names().count(), 598);
    }
}
