//! Writes texts of JSON, with their escapes.

/// Writes a text with its quotes and escapes.
pub fn write_string(value: &str, text: &mut String) {
    text.push('"');
    write_escaped(value, text);
    text.push('"');
}

/// Writes what stands between the quotes of a text.
pub fn write_escaped(value: &str, text: &mut String) {
    let mut rest = value;
    while let Some((plain, special)) = rest.split_at_checked(plain_bytes(rest.as_bytes())) {
        text.push_str(plain);
        let mut chars = special.chars();
        let Some(char) = chars.next() else { break };
        write_escape(char, text);
        rest = chars.as_str();
    }
}

/// How many bytes at the beginning stand in a text as they are: what follows them is a quote, a backslash or a
/// control character.
pub(super) fn plain_bytes(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return index * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    words.len() * 8 + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Sets the highest bit of the first byte that is a quote, a backslash or a control character, and none below. A
/// borrow may set bits above.
const fn special_bytes(word: u64) -> u64 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    const fn below(word: u64, limit: u8) -> u64 {
        word.wrapping_sub(EACH * limit as u64) & !word
    }
    let found = below(word, b' ') | below(word ^ (EACH * b'"' as u64), 1) | below(word ^ (EACH * b'\\' as u64), 1);
    found & (EACH << 7)
}

fn write_escape(char: char, text: &mut String) {
    let letter = match char {
        '"' | '\\' => char,
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        _ => {
            text.push_str("\\u00");
            let code = u32::from(char);
            return text
                .extend([code >> 4, code & 15].into_iter().filter_map(|digit| char::from_digit(digit, 16)));
        }
    };
    text.push('\\');
    text.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_special_byte_is_found_wherever_it_is() {
        for length in 0..200 {
            let mut bytes = vec![b'x'; length];
            assert_eq!(plain_bytes(&bytes), length);
            for place in (0..length).rev() {
                bytes[place] = b"\"\\\n\x1f"[place % 4];
                assert_eq!(plain_bytes(&bytes), place, "of {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_are_plain_up_to_the_first_special_one(bytes in any::<Vec<u8>>()) {
            let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
            prop_assert_eq!(plain_bytes(&bytes), bytes.iter().position(is_special).unwrap_or(bytes.len()));
        }
    }
}
