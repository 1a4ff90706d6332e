//! What a plain (unquoted) scalar means, as the YAML reader of kubectl has it: the rules of YAML 1.1 with the
//! deviations of go-yaml v2, on which sigs.k8s.io/yaml builds.

use super::Value;

/// The largest whole number up to which a 64-bit float has each.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// A number that JSON has not: an infinity, or not a number at all.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotFinite;

/// The value of a plain scalar. Timestamps are texts, as kubectl passes them on.
pub(super) fn resolve(text: &str) -> Result<Value, NotFinite> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf"
        | "-.INF" => return Err(NotFinite),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    })
}

/// The JSON spelling of a plain scalar that is a number.
fn number(text: &str) -> Option<String> {
    let digits = match text.as_bytes().first()? {
        b'0'..=b'9' | b'+' | b'-' => text.replace('_', ""),
        // Behind a point underscores must stand between digits; elsewhere they need not.
        b'.' if has_grouped_digits(text.as_bytes()) => text.replace('_', ""),
        _ => return None,
    };
    integer(&digits).or_else(|| float(&digits))
}

/// Integers with the prefixes of Go: `0x`, `0o`, `0b`, and a bare `0` for octal.
fn integer(text: &str) -> Option<String> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    // `from_str_radix` takes a sign of its own; here it is behind the prefix already.
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return None;
    }
    let magnitude = i128::from_str_radix(digits, radix).ok()?;
    let value = if negative { -magnitude } else { magnitude };
    let fits = (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value);
    fits.then(|| if negative && value == 0 { "-0".to_owned() } else { value.to_string() })
}

/// Decimal numbers: `[-+]? (\. digits | digits (\. digits?)?) ([eE] [-+]? digits)?`. Whole numbers are passed on
/// without a fraction, as kubectl does it (`1.0` is `1`). Elsewhere the digits stay as they are; only what JSON
/// does not allow (a plus, a missing zero) is fixed.
fn float(text: &str) -> Option<String> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => ("-", text.get(1..)?),
        b'+' => ("", text.get(1..)?),
        _ => ("", text),
    };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (unsigned.get(..at)?, unsigned.get(at..)?),
        None => (unsigned, ""),
    };
    if let Some(power) = exponent.get(1..)
        && !all_digits(power.strip_prefix(['-', '+']).unwrap_or(power))
    {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty()
        || !whole.is_empty() && !all_digits(whole)
        || !fraction.is_empty() && !all_digits(fraction)
    {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = match (mantissa.contains('.'), fraction) {
        (false, _) => String::new(),
        (true, "") => ".0".to_owned(),
        (true, digits) => format!(".{digits}"),
    };
    let json = format!("{sign}{whole}{point}{exponent}");
    let value: f64 = json.parse().ok()?;
    if value.fract() == 0.0 && value.abs() <= MAX_WHOLE {
        return Some(value.to_string());
    }
    // Beyond the range of a 64-bit float Go's reader gives up and leaves a text.
    value.is_finite().then_some(json)
}

/// Whether every underscore stands between two digits.
fn has_grouped_digits(text: &[u8]) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    let mut underscores = text.iter().enumerate().filter(|(_, byte)| **byte == b'_');
    underscores.all(|(at, _)| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)))
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        match resolve(text) {
            Ok(Value::Null) => "null".to_owned(),
            Ok(Value::Bool(value)) => value.to_string(),
            Ok(Value::Number(digits)) => digits,
            Ok(Value::String(text)) => format!("{text:?}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn plain_scalars_mean_what_kubectl_reads() {
        let table = [
            ("", "null"),
            ("~", "null"),
            ("NULL", "null"),
            ("nULL", "\"nULL\""),
            ("yes", "true"),
            ("y", "true"),
            ("On", "true"),
            ("oN", "\"oN\""),
            ("n", "false"),
            ("off", "false"),
            ("1.30", "1.30"),
            ("1.30.0", "\"1.30.0\""),
            ("1e3", "1000"),
            ("1E+3", "1000"),
            ("1.5e-3", "1.5e-3"),
            ("-0.0", "-0"),
            ("12e", "\"12e\""),
            ("12e5000", "\"12e5000\""),
            ("0", "0"),
            ("-0", "-0"),
            ("+5", "5"),
            ("-5", "-5"),
            ("- 5", "\"- 5\""),
            ("0777", "511"),
            ("0o777", "511"),
            ("-0o17", "-15"),
            ("08", "8"),
            ("0_7", "7"),
            ("0x1F", "31"),
            ("0x", "\"0x\""),
            ("0x-1", "\"0x-1\""),
            ("0b101", "5"),
            ("1_000", "1000"),
            ("_1000", "\"_1000\""),
            ("1_000.5", "1000.5"),
            (".5", "0.5"),
            ("._5", "\"._5\""),
            (".5_0", "0.50"),
            (".5_", "\".5_\""),
            (".5__5", "\".5__5\""),
            (".5_e1", "\".5_e1\""),
            ("-.5", "-0.5"),
            ("5.", "5"),
            (".", "\".\""),
            ("-", "\"-\""),
            ("+", "\"+\""),
            ("..", "\"..\""),
            ("18446744073709551616", "18446744073709551616"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("0xFFFFFFFFFFFFFFFFF", "\"0xFFFFFFFFFFFFFFFFF\""),
            ("2026-11-21", "\"2026-11-21\""),
            ("2026-11-21T10:00:00Z", "\"2026-11-21T10:00:00Z\""),
            ("12:30:45", "\"12:30:45\""),
            ("10.250.0.0/16", "\"10.250.0.0/16\""),
            ("٣", "\"٣\""),
            ("+é", "\"+é\""),
            ("0é", "\"0é\""),
        ];
        for (text, expected) in table {
            assert_eq!(json(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_that_json_has_not_are_refused() {
        for text in [".inf", "-.INF", "+.Inf", ".NaN"] {
            assert_eq!(resolve(text), Err(NotFinite), "{text}");
        }
    }
}
