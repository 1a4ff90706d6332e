//! UUIDs, as the library reads them that the existing extensions use.

use super::quote;

/// Why a text is no UUID, in the words of that library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UuidError {
    /// No form of a UUID has so many bytes.
    #[error("invalid UUID length: {0}")]
    Length(usize),
    /// The text is as long as a URN, and begins in another way.
    #[error("invalid urn prefix: {}", quote(.0))]
    Prefix(String),
    /// A hexadecimal digit or a hyphen is missing at its place.
    #[error("invalid UUID format")]
    Format,
}

/// Checks that a text is a UUID: 36 characters, the same in braces or after `urn:uuid:`, or 32 hexadecimal digits.
///
/// As the library does, this takes any character for a brace.
pub fn check_uuid(text: &str) -> Result<(), UuidError> {
    const PREFIX: &str = "urn:uuid:";
    let bytes = text.as_bytes();
    let uuid = match bytes.len() {
        32 => return if bytes.iter().all(u8::is_ascii_hexdigit) { Ok(()) } else { Err(UuidError::Format) },
        36 => bytes,
        38 => bytes.get(1..37).unwrap_or_default(),
        45 => {
            let (prefix, uuid) = bytes.split_at(PREFIX.len());
            if !prefix.eq_ignore_ascii_case(PREFIX.as_bytes()) {
                return Err(UuidError::Prefix(String::from_utf8_lossy(prefix).into_owned()));
            }
            uuid
        }
        length => return Err(UuidError::Length(length)),
    };
    let fits = |(place, byte): (usize, &u8)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    if uuid.iter().enumerate().all(fits) { Ok(()) } else { Err(UuidError::Format) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_one_of_four_forms() {
        let uuid = "01234567-89ab-cDEF-0123-456789abcdef";
        let digits = uuid.replace('-', "");
        for text in
            [uuid, &digits, &format!("{{{uuid}}}"), &format!("urn:uuid:{uuid}"), &format!("URN:UUID:{uuid}")]
        {
            assert_eq!(check_uuid(text), Ok(()), "{text}");
        }
        for (text, words) in [
            (String::new(), "invalid UUID length: 0"),
            (format!("{uuid}0"), "invalid UUID length: 37"),
            ("ü".repeat(16), "invalid UUID format"),
            (uuid.replace('-', "_"), "invalid UUID format"),
            (uuid.replace('0', "g"), "invalid UUID format"),
            (format!("urn-uuid:{uuid}"), "invalid urn prefix: \"urn-uuid:\""),
            (format!("urn:uuid:{}", uuid.replace('7', "x")), "invalid UUID format"),
            (digits.replace('a', "-"), "invalid UUID format"),
        ] {
            assert_eq!(check_uuid(&text).unwrap_err().to_string(), words, "{text}");
        }
    }
}
