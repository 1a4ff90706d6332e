//! What a value of a wrong type obviously means.

use std::borrow::Cow;

use super::Value;

/// The value that a person most likely means by one of a wrong type: a number or a boolean for the text, and a
/// text for the number or boolean that it spells. `null` where nobody can know it; then the object has no value
/// there. `expected` is the type, in the words of [`Mismatch`](super::decode::DecodeError::Mismatch).
pub fn meant(expected: &str, found: &Value<'_>) -> Value<'static> {
    let text = |text: &str| Value::String(Cow::Owned(text.to_owned()));
    match found {
        Value::Number(number) if expected == "a string" => text(number),
        Value::Bool(bool) if expected == "a string" => text(if *bool { "true" } else { "false" }),
        Value::String(spelled) if expected == "a boolean" => match spelled.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Value::Bool(true),
            "false" | "no" | "off" => Value::Bool(false),
            _ => Value::Null,
        },
        Value::String(spelled) | Value::Number(spelled) if expected.contains("integer") => {
            let whole = spelled.trim();
            let whole = whole.strip_suffix(".0").unwrap_or(whole);
            let fits = |number: &i64| match expected {
                "a 32-bit integer" => i32::try_from(*number).is_ok(),
                "an integer from 0 to 2³² − 1" => u32::try_from(*number).is_ok(),
                "an integer from 0 to 2⁶⁴ − 1" => *number >= 0,
                _ => true,
            };
            let number = whole.parse::<i64>().ok().filter(fits);
            number.map_or(Value::Null, |number| Value::Number(Cow::Owned(number.to_string())))
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::meant;
    use crate::document::parse;

    #[test]
    fn a_value_of_a_wrong_type_means_what_it_spells_or_nothing() {
        for (expected, found, wanted) in [
            ("a string", "1.33", r#""1.33""#),
            ("a string", "true", r#""true""#),
            ("a string", "{}", "null"),
            ("a boolean", r#""True""#, "true"),
            ("a boolean", r#""off""#, "false"),
            ("a boolean", "1", "null"),
            ("a 32-bit integer", r#""5""#, "5"),
            ("an integer", r#""-07""#, "-7"),
            ("an integer", "5.0", "5"),
            ("an integer", "5.5", "null"),
            ("an integer", "2147483648.0", "2147483648"),
            ("a 32-bit integer", "2147483648.0", "null"),
            ("an integer from 0 to 2³² − 1", r#""-1""#, "null"),
            ("an integer from 0 to 2⁶⁴ − 1", r#""x""#, "null"),
            ("a list", r#""a""#, "null"),
            ("a duration such as `1h30m`", "5", "null"),
        ] {
            assert_eq!(meant(expected, &parse(found).unwrap()).to_string(), wanted, "{expected} {found}");
        }
    }
}
