//! Cron specifications, as Gardener reads them: five fields, or a descriptor such as `@daily`.

use super::duration::Duration;
use crate::text::atoi;

const DESCRIPTORS: [&str; 7] = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const EVERY: &str = "@every ";

/// What a field may have: numbers, and names of the first of them.
struct Field {
    least: i64,
    most: i64,
    names: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { least: 0, most: 59, names: &[] },
    Field { least: 0, most: 23, names: &[] },
    Field { least: 1, most: 31, names: &[] },
    Field {
        least: 1,
        most: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    Field { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

/// Checks a specification. The error is what Gardener's parser says.
pub fn check(spec: &str) -> Result<(), String> {
    if spec.is_empty() {
        return Err("Empty spec string".to_owned());
    }
    if spec.starts_with('@') {
        return descriptor(spec);
    }
    let found = spec.split_whitespace().count();
    if found != FIELDS.len() {
        return Err(format!("Expected exactly 5 fields, found {found}: {spec}"));
    }
    for (text, field) in spec.split_whitespace().zip(&FIELDS) {
        for part in text.split(',').filter(|part| !part.is_empty()) {
            field.check(part)?;
        }
    }
    Ok(())
}

fn descriptor(spec: &str) -> Result<(), String> {
    if DESCRIPTORS.contains(&spec) {
        return Ok(());
    }
    match spec.strip_prefix(EVERY).map(Duration::parse) {
        Some(Ok(_)) => Ok(()),
        Some(Err(error)) => Err(format!("Failed to parse duration {spec}: {error}")),
        None => Err(format!("Unrecognized descriptor: {spec}")),
    }
}

impl Field {
    /// Checks a part: `low`, `low-high`, `low/step` or `low-high/step`, where `*` and `?` are the whole range.
    fn check(&self, part: &str) -> Result<(), String> {
        let mut slashes = part.split('/');
        let range = slashes.next().unwrap_or_default();
        let (step, has_more) = (slashes.next(), slashes.next().is_some());
        let mut hyphens = range.split('-');
        let (low, high) = (hyphens.next().unwrap_or_default(), hyphens.next());
        let (begin, mut end) = if matches!(low, "*" | "?") {
            (self.least, self.most)
        } else {
            let begin = self.number(low)?;
            let end = high.map_or(Ok(begin), |high| self.number(high))?;
            if hyphens.next().is_some() {
                return Err(format!("Too many hyphens: {part}"));
            }
            (begin, end)
        };
        if has_more {
            return Err(format!("Too many slashes: {part}"));
        }
        let step = step.map(number).transpose()?;
        if step.is_some() && high.is_none() {
            end = self.most;
        }
        let Self { least, most, .. } = self;
        if begin < *least {
            Err(format!("Beginning of range ({begin}) below minimum ({least}): {part}"))
        } else if end > *most {
            Err(format!("End of range ({end}) above maximum ({most}): {part}"))
        } else if begin > end {
            Err(format!("Beginning of range ({begin}) beyond end of range ({end}): {part}"))
        } else if step == Some(0) {
            Err(format!("Step of range should be a positive number: {part}"))
        } else {
            Ok(())
        }
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        let named = (self.least..).zip(self.names).find(|(_, name)| name.eq_ignore_ascii_case(text));
        named.map_or_else(|| number(text), |(number, _)| Ok(number))
    }
}

fn number(text: &str) -> Result<i64, String> {
    match atoi(text) {
        Ok(number) if number < 0 => Err(format!("Negative number ({number}) not allowed: {text}")),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("Failed to parse int from {text}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read() {
        for spec in [
            "00 20 * * 1,2,3,4,5",
            "0 8 * JAN-dec Mon-FRI",
            "*/5 ? 1-31/2 * sun",
            "  0\t8 * * 1 ",
            ", 5/2 *-x * *",
            "+5 0 * * 0",
            "@daily",
            "@every 1h30m",
        ] {
            assert_eq!(check(spec), Ok(()), "{spec}");
        }
    }

    #[test]
    fn mistakes_are_reported_in_the_words_of_the_parser() {
        for (spec, error) in [
            ("", "Empty spec string"),
            (" ", "Expected exactly 5 fields, found 0:  "),
            ("TZ=UTC 0 5 * * *", "Expected exactly 5 fields, found 6: TZ=UTC 0 5 * * *"),
            ("@foo", "Unrecognized descriptor: @foo"),
            ("@every x", "Failed to parse duration @every x: time: invalid duration \"x\""),
            ("a * * * *", "Failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax"),
            ("-1 * * * *", "Failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax"),
            ("jan * * * *", "Failed to parse int from jan: strconv.Atoi: parsing \"jan\": invalid syntax"),
            (
                "99999999999999999999 * * * *",
                "Failed to parse int from 99999999999999999999: strconv.Atoi: parsing \"99999999999999999999\": \
                 value out of range",
            ),
            ("1/-2 * * * *", "Negative number (-2) not allowed: -2"),
            ("1-2-3 * * * *", "Too many hyphens: 1-2-3"),
            ("1/2/3 * * * *", "Too many slashes: 1/2/3"),
            ("0 0 0 0 0", "Beginning of range (0) below minimum (1): 0"),
            ("60 * * * *", "End of range (60) above maximum (59): 60"),
            ("0 0 * * 7", "End of range (7) above maximum (6): 7"),
            ("5-1 * * * *", "Beginning of range (5) beyond end of range (1): 5-1"),
            ("0/0 * * * *", "Step of range should be a positive number: 0/0"),
            ("70 24 * * *", "End of range (70) above maximum (59): 70"),
        ] {
            assert_eq!(check(spec), Err(error.to_owned()), "{spec}");
        }
    }
}
