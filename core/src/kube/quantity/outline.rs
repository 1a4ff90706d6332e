//! What rules of admission need of a quantity: its sign, and whether it is whole.
//!
//! [`Quantity`](super::Quantity) computes with numbers of 128 bits, and would be a fiftieth of a browser's
//! download. The tests compare both.

use super::{Format, QuantityError, Written, text_of, wrong};
use crate::document::decode::{DecodeError, Node, Target};
use crate::text::join;

/// The largest quantity with a binary suffix, 2⁶³ − 1.
const MAX_BINARY: &[u8] = b"9223372036854775807";

/// The sign of a quantity, and whether it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantityOutline {
    /// Whether it is less than 0.
    pub is_negative: bool,
    /// Whether it is a whole number, once what is finer than a nano is rounded up, away from 0.
    pub is_whole: bool,
}

/// That of 0.
impl Default for QuantityOutline {
    fn default() -> Self {
        Self { is_negative: false, is_whole: true }
    }
}

impl QuantityOutline {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        let Written { is_negative, whole, fraction, format, power } = Written::parse(text)?;
        let mut number = join(&[whole, fraction], "").into_bytes();
        // The place of the decimal point in `number`.
        let mut point = i64::try_from(whole.len()).unwrap_or(i64::MAX);
        if format == Format::Binary {
            for _ in 0..power / 10 {
                point += multiply_by_1024(&mut number);
            }
        } else {
            point += power;
        }
        let digit = |place: i64| usize::try_from(place).ok().and_then(|place| number.get(place)).copied();
        let mut nanos = 0;
        for place in point..point + 9 {
            nanos = nanos * 10 + u32::from(digit(place).unwrap_or(b'0') - b'0');
        }
        let finer = usize::try_from(point + 9).unwrap_or_default();
        let is_rounded = number.iter().skip(finer).any(|digit| *digit != b'0');
        let before = number.get(..usize::try_from(point).unwrap_or_default()).unwrap_or(&number);
        let zeros = before.iter().take_while(|digit| **digit == b'0').count();
        let before = before.get(zeros..).unwrap_or_default();
        let is_cut = format == Format::Binary && (before.len(), before) >= (MAX_BINARY.len(), MAX_BINARY);
        Ok(Self {
            is_negative: is_negative && number.iter().any(|digit| *digit != b'0'),
            is_whole: is_cut || nanos == if is_rounded { 999_999_999 } else { 0 },
        })
    }
}

/// Multiplies a number in decimal digits. Gives by how many digits it grew.
fn multiply_by_1024(number: &mut Vec<u8>) -> i64 {
    let mut carry = 0;
    for digit in number.iter_mut().rev() {
        carry += u32::from(*digit - b'0') * 1024;
        *digit = b'0' + u8::try_from(carry % 10).unwrap_or_default();
        carry /= 10;
    }
    let mut grown = 0;
    while carry > 0 {
        number.insert(0, b'0' + u8::try_from(carry % 10).unwrap_or_default());
        carry /= 10;
        grown += 1;
    }
    grown
}

impl<'v> Target<'v> for QuantityOutline {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        if let Some(text) = text_of(node)? {
            *self = Self::parse(text).map_err(|_| wrong(node))?;
        }
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for QuantityOutline {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        super::Quantity::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        super::Quantity::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Quantity;
    use super::*;

    #[test]
    fn an_outline_agrees_with_its_quantity() {
        for (text, is_negative, is_whole) in [
            ("0", false, true),
            ("-0", false, true),
            ("1", false, true),
            ("-1.5", true, false),
            ("1.50k", false, true),
            ("1500m", false, false),
            ("0.5Ki", false, true),
            ("0.1Ki", false, false),
            ("0.9999999999", false, true),
            ("1e-400", false, false),
            ("-1e-400", true, false),
            ("1e400", false, true),
            ("9.1Ei", false, true),
            (".", false, true),
        ] {
            let outline = QuantityOutline::parse(text).unwrap();
            assert_eq!((outline.is_negative, outline.is_whole), (is_negative, is_whole), "{text}");
        }
        for text in ["", "x", "1x", "1e", "1.2.3"] {
            assert!(QuantityOutline::parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_outline_is_that_of_the_quantity(text in r"[-+]?[0-9]{0,20}(\.[0-9]{0,14})?([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,2}|x)?") {
            match Quantity::parse(&text) {
                Ok(quantity) => {
                    let outline = QuantityOutline::parse(&text).unwrap();
                    prop_assert_eq!(outline.is_negative, quantity.sign().is_lt());
                    prop_assert_eq!(outline.is_whole, quantity.is_whole());
                }
                Err(QuantityError::Digits) => {}
                Err(error) => prop_assert_eq!(QuantityOutline::parse(&text), Err(error)),
            }
        }
    }
}
