//! Base64, read as the API server reads it. The crate of that name would be 1 KB more of a browser's download.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// What stands for a byte that is no digit.
const NO_DIGIT: u8 = 64;
/// The value of each byte as a digit.
const VALUES: [u8; 256] = values();

#[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "the compiler runs it")]
const fn values() -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
}

/// Decodes base64 with padding. Line breaks are ignored, and the unused bits of the last character may have any
/// value. `None` where the text is no base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // The bits of a group of four characters, how many characters of it were read, and how many of those are
    // padding.
    let (mut bits, mut read, mut padding) = (0_u32, 0, 0);
    for byte in text.bytes() {
        let mut value = VALUES.get(usize::from(byte)).copied().unwrap_or(NO_DIGIT);
        if value == NO_DIGIT {
            match byte {
                b'\r' | b'\n' => continue,
                b'=' if read >= 2 => (value, padding) = (0, padding + 1),
                _ => return None,
            }
        } else if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        read += 1;
        if read == 4 {
            let [_, one, two, three] = bits.to_be_bytes();
            bytes.extend_from_slice(&[one, two, three]);
            // After a group with padding, nothing more is accepted.
            (bits, read) = (0, 0);
        }
    }
    bytes.truncate(bytes.len().saturating_sub(padding));
    (read == 0).then_some(bytes)
}

/// Encodes with padding, in one line.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = vec![b'='; bytes.len().div_ceil(3) * 4];
    for (group, digits) in bytes.chunks(3).zip(text.chunks_mut(4)) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or_default());
        let mut bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        // A group that lacks bytes keeps its padding.
        for digit in digits.iter_mut().take(group.len() + 1) {
            *digit = DIGITS.get((bits >> 18 & 63) as usize).copied().unwrap_or_default();
            bits <<= 6;
        }
    }
    // The digits are text.
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::alphabet::STANDARD;
    use base64::engine::general_purpose::{GeneralPurpose, PAD};
    use proptest::prelude::*;

    #[test]
    fn texts_with_padding_line_breaks_and_spare_bits_are_read() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("YQ==", b"a"),
            ("YWI=", b"ab"),
            ("YW\r\nJj\n", b"abc"),
            ("YR==", b"a"),
            ("+/+/", b"\xfb\xff\xbf"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["Y", "YQ", "YQ=", "=", "Y===", "====", "YQ==YQ==", "YQ==\n=", "YQ=a", "YQ-_", "YQ== ", "ü"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn texts_are_read_as_the_crate_reads_them(text in "[A-Da-d0-2+/=]{0,12}") {
            let engine = GeneralPurpose::new(&STANDARD, PAD.with_decode_allow_trailing_bits(true));
            prop_assert_eq!(decode(&text), engine.decode(&text).ok());
        }

        #[test]
        fn bytes_are_written_as_the_crate_writes_them(bytes in any::<Vec<u8>>()) {
            prop_assert_eq!(encode(&bytes), GeneralPurpose::new(&STANDARD, PAD).encode(&bytes));
        }
    }
}
