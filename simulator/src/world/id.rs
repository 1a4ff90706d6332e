//! Identifiers.

/// How many letters and digits follow a prefix.
const LENGTH: usize = 20;

/// Makes an identifier of a number. Numbers that follow each other look unlike each other.
pub(super) fn id(prefix: &str, number: u64) -> String {
    let mut id = String::with_capacity(prefix.len() + LENGTH);
    id.push_str(prefix);
    let (mut high, mut low) = (scramble(number), scramble(number ^ u64::MAX));
    for position in 0..LENGTH {
        let half = if position < LENGTH / 2 { &mut high } else { &mut low };
        let digit = u32::try_from(*half % 36).unwrap_or_default();
        *half /= 36;
        id.push(char::from_digit(digit, 36).unwrap_or('0'));
    }
    id
}

/// SplitMix64's mixing: a bijection of the numbers.
pub(crate) fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn identifiers_differ() {
        let ids: BTreeSet<_> = (0..10_000).map(|number| id("vpc-", number)).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| id.len() == 24), "{:?}", ids.first());
    }
}
