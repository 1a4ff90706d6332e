//! SHA-256 digests.

use std::fmt;
use std::str::FromStr;

/// Number of bytes of a digest.
pub const LENGTH: usize = 32;

/// The SHA-256 digest of some bytes. As text, 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(pub [u8; LENGTH]);

/// A text is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 digest of 64 hexadecimal digits")]
pub struct DigestError;

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(<sha2::Sha256 as sha2::Digest>::digest(bytes).into())
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != LENGTH || !rest.is_empty() {
            return Err(DigestError);
        }
        let mut digest = [0; LENGTH];
        for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
            let digit = |digit: &u8| char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let (Some(high), Some(low)) = (digit(high), digit(low)) else { return Err(DigestError) };
            *byte = high << 4 | low;
        }
        Ok(Self(digest))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(all(test, feature = "sandbox"))]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_as_they_are_written() {
        let empty = Digest::of(b"");
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(empty.to_string(), text);
        assert_eq!(text.to_uppercase().parse(), Ok(empty));
        for wrong in ["", "e3b0", &text.replace('e', "g"), &format!("{text}00"), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Digest>(), Err(DigestError), "{wrong}");
        }
    }
}
