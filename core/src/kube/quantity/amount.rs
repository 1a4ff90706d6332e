//! Exact decimal numbers.

use std::cmp::Ordering;

/// `±coefficient · 10^exponent`. The coefficient does not end in 0, unless the number is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    is_negative: bool,
    coefficient: u128,
    exponent: i64,
}

impl Amount {
    pub(super) fn new(is_negative: bool, mut coefficient: u128, mut exponent: i64) -> Self {
        if coefficient == 0 {
            return Self { is_negative: false, coefficient: 0, exponent: 0 };
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        Self { is_negative, coefficient, exponent }
    }

    pub(super) fn sign(&self) -> Ordering {
        match (self.coefficient, self.is_negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    pub(super) fn is_positive(&self) -> bool {
        self.sign().is_gt()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    pub(super) fn to_i64(self) -> Option<i64> {
        let power = 10_i128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        let number = i128::try_from(self.coefficient).ok()?.checked_mul(power)?;
        i64::try_from(if self.is_negative { -number } else { number }).ok()
    }

    /// The number with nothing finer than a power of 10, rounded away from 0.
    pub(super) fn rounded_up(self, power: i64) -> Self {
        if self.exponent >= power {
            return self;
        }
        let unit = u32::try_from(power - self.exponent).ok().and_then(|digits| 10_u128.checked_pow(digits));
        let coefficient = unit.map_or(1, |unit| self.coefficient.div_ceil(unit));
        Self::new(self.is_negative, coefficient, power)
    }

    /// The number, cut to a largest magnitude.
    pub(super) fn at_most(self, magnitude: u128) -> Self {
        let most = Self::new(self.is_negative, magnitude, 0);
        if self.compare_magnitude(&most).is_gt() { most } else { self }
    }

    /// The number as a text of digits and a power of 1000, given as that of 10: `(1500, -3)` for 1.5.
    pub(super) fn in_thousands(&self) -> (String, i64) {
        let zeros = self.exponent.rem_euclid(3);
        let sign = if self.is_negative { "-" } else { "" };
        let zeros_text = match zeros {
            0 => "",
            1 => "0",
            _ => "00",
        };
        (format!("{sign}{}{zeros_text}", digits(self.coefficient)), self.exponent - zeros)
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        // How many digits the whole part has; fewer than none where the number is less than a tenth.
        let length =
            |amount: &Self| amount.coefficient.checked_ilog10().map(|digits| i64::from(digits) + amount.exponent);
        let by_length = length(self).cmp(&length(other));
        by_length.then_with(|| match self.exponent.cmp(&other.exponent) {
            Ordering::Greater => other.compare_shifted(self).reverse(),
            _ => self.compare_shifted(other),
        })
    }

    /// Compares magnitudes where the other one has the larger exponent.
    fn compare_shifted(&self, other: &Self) -> Ordering {
        let digits = u32::try_from(other.exponent - self.exponent).ok();
        let shifted = digits
            .and_then(|digits| 10_u128.checked_pow(digits))
            .and_then(|unit| other.coefficient.checked_mul(unit));
        shifted.map_or(Ordering::Less, |shifted| self.coefficient.cmp(&shifted))
    }
}

/// A number in digits. The standard library has more code for one of 128 bits.
fn digits(mut number: u128) -> String {
    let mut digits = String::new();
    while number > 0 || digits.is_empty() {
        let last = u32::try_from(number % 10).ok().and_then(|digit| char::from_digit(digit, 10));
        digits.insert(0, last.unwrap_or('0'));
        number /= 10;
    }
    digits
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| {
            let by_magnitude = self.compare_magnitude(other);
            if self.is_negative { by_magnitude.reverse() } else { by_magnitude }
        })
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
