//! Numbers that Go keeps as floating point, judged as they are spelled: to read them takes tables of 10 KB.

use std::cmp::Ordering;

/// What becomes of numbers in a format of floating point. Each limit is halfway between two numbers of the format.
#[derive(Debug)]
pub struct Float {
    /// From here on, numbers become infinite, which Go refuses to read.
    infinite: &'static str,
    /// The smallest number that becomes 1.
    one_from: &'static str,
    /// The largest number that becomes 1.
    one: &'static str,
    /// The largest number that becomes 0, without the digits from the 26th on.
    zero: &'static str,
}

/// Numbers of 32 bits, Go's `float32`.
pub const FLOAT32: Float = Float {
    infinite: "340282356779733661637539395458142568448",
    one_from: "0.9999999701976776123046875",
    one: "1.000000059604644775390625",
    zero: "7.006492321624085354618647e-46",
};

/// Numbers of 64 bits, Go's `float64`; `infinite` is without the digits from the 26th on.
pub const FLOAT64: Float = Float {
    infinite: "1.797693134862315807937289e308",
    one_from: "0.999999999999999944488848768742172978818416595458984375",
    one: "1.00000000000000011102230246251565404236316680908203125",
    zero: "2.470328229206232720882843e-324",
};

impl Float {
    /// Whether a number, as JSON spells it, is one of the format. Go refuses the others.
    pub fn holds(&self, number: &str) -> bool {
        Size::of(number).cmp(&Size::of(self.infinite)).is_lt()
    }

    /// How a number, as JSON spells it, compares with the range from 0 to 1: less, in it, or greater.
    pub fn compare_with_share(&self, number: &str) -> Ordering {
        if number.starts_with('-') {
            Size::of(self.zero).cmp(&Size::of(number)).min(Ordering::Equal)
        } else {
            Size::of(number).cmp(&Size::of(self.one)).max(Ordering::Equal)
        }
    }

    /// Whether a number, as JSON spells it, becomes 0.
    pub fn is_zero(&self, number: &str) -> bool {
        Size::of(number).cmp(&Size::of(self.zero)).is_le()
    }

    /// Whether a number, as JSON spells it, becomes 1 or more.
    pub fn is_one_or_more(&self, number: &str) -> bool {
        !number.starts_with('-') && Size::of(number).cmp(&Size::of(self.one_from)).is_ge()
    }
}

/// A number without its sign.
#[derive(Debug)]
struct Size<'a> {
    /// The power of ten below which the number is; the least there is for 0.
    power: i64,
    /// Its digits, from the first one on that is not 0, before the point and after it, without zeros at the end.
    digits: [&'a str; 2],
}

impl<'a> Size<'a> {
    fn of(number: &'a str) -> Self {
        let number = number.strip_prefix('-').unwrap_or(number);
        let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let mut digits = [whole.trim_start_matches('0'), fraction];
        let mut first = length(digits[0]);
        if digits[0].is_empty() {
            digits[1] = fraction.trim_start_matches('0');
            first = length(digits[1]) - length(fraction);
        }
        if fraction.is_empty() {
            digits[0] = digits[0].trim_end_matches('0');
        }
        if digits == ["", ""] {
            return Self { power: i64::MIN, digits };
        }
        // Exponents of more digits than a number has are as good as without an end.
        let endless = if exponent.starts_with('-') { i64::MIN + 1 } else { i64::MAX };
        Self { power: exponent.parse().unwrap_or(endless).saturating_add(first), digits }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let [own, others] = [self, other].map(|size| size.digits.into_iter().flat_map(str::bytes));
        self.power.cmp(&other.power).then_with(|| own.cmp(others))
    }
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the standard library, which reads numbers, says of one.
    fn read(number: &str) -> [(bool, Ordering, bool, bool); 2] {
        let (small, large): (f32, f64) = (number.parse().unwrap(), number.parse().unwrap());
        let compare = |is_less: bool, is_greater: bool| match (is_less, is_greater) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        };
        [
            (small.is_finite(), compare(small < 0.0, small > 1.0), small == 0.0, small >= 1.0),
            (large.is_finite(), compare(large < 0.0, large > 1.0), large == 0.0, large >= 1.0),
        ]
    }

    fn judged(number: &str) -> [(bool, Ordering, bool, bool); 2] {
        [FLOAT32, FLOAT64].map(|float| {
            (
                float.holds(number),
                float.compare_with_share(number),
                float.is_zero(number),
                float.is_one_or_more(number),
            )
        })
    }

    #[test]
    fn limits_are_those_of_floating_point() {
        for number in [
            "0",
            "-0",
            "0.0",
            "-0.0e5",
            "0e999",
            "1",
            "1.0",
            "10e-1",
            "0.1e1",
            "0.01E+2",
            "100.00e-2",
            "-1",
            "-1e-2",
            "1.5",
            "0.5",
            "1e1",
            "0.99999997",
            "0.9999999701976776123046875",
            "0.9999999701976776",
            "0.999999999999999944488848768742172978818416595458984375",
            "0.9999999999999999444888487687421729788184165954589843749",
            "0.9999999999999999",
            "0.99999999999999999",
            "1e-323",
            "7.006492321624085e-46",
            "7.0064923216241e-46",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1.00000005",
            "1.00000006",
            "1.000000059604644775390625",
            "1.0000000596046447753906250001",
            "1.0000000000000001",
            "1.0000000000000002",
            "1.00000000000000011102230246251565404236316680908203125",
            "1.000000000000000111022302462515654042363166809082031250001",
            "-7.006492321624085e-46",
            "-7.0064923216241e-46",
            "-1e-46",
            "-1e-45",
            "-2.4703282292062327e-324",
            "-2.4703282292062328e-324",
            "-1e-999999999999999999999",
            "1e-999999999999999999999",
            "1e999999999999999999999",
            "-1e999999999999999999999",
            "0e999999999999999999999",
            "340282356779733661637539395458142568447",
            "340282356779733661637539395458142568447.99",
            "340282356779733661637539395458142568448",
            "-340282356779733661637539395458142568448",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "-1.7976931348623159e308",
            "0.00017976931348623158e312",
            "1e-9223372036854775808",
            "0.1e-9223372036854775807",
            "12e9223372036854775807",
        ] {
            assert_eq!(judged(number), read(number), "{number}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_judged_as_if_they_were_read(number in r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?") {
            prop_assert_eq!(judged(&number), read(&number));
        }

        #[test]
        fn numbers_near_a_limit_too(
            limit in prop::sample::select(vec![
                "1.0000000", "1.000000059604644", "1.0000000000000001110", "-7.0064923216240", "340282356779733661", "1.7976931348623158079",
            ]),
            digits in "[0-9]{0,3}",
            exponent in prop::sample::select(vec!["", "e-46", "e-324", "e308", "e21", "e290", "e-1"]),
        ) {
            let number = format!("{limit}{digits}{exponent}");
            prop_assert_eq!(judged(&number), read(&number));
        }
    }
}
