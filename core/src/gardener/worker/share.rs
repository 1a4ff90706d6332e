//! How zones share the numbers of a pool (`gardener-contract` 3.5).

use super::CountOrPercentText;
use crate::policy::CountOrPercent;
use crate::text::quote;

/// The text is no percentage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("given value {} is not a percent value", quote(.0))]
pub struct NotPercent(pub String);

/// The zone `index` of so many.
#[derive(Clone, Copy, Debug)]
pub struct Zone {
    /// Its place among the zones of the pool, from 0 on.
    pub index: usize,
    /// The number of zones.
    pub of: usize,
}

/// The share that a zone has of a number: the first zones have the rest.
pub fn share(number: i32, zone: Zone) -> i32 {
    let zones = i32::try_from(zone.of.max(1)).unwrap_or(i32::MAX);
    let index = i32::try_from(zone.index).unwrap_or(i32::MAX);
    number / zones + i32::from(index < number % zones)
}

/// The share that a zone has of a number or a percentage. A percentage is of `total` nodes of the pool, of which a
/// zone may have more than its part: then the percentage is larger there, so that all zones together change as
/// many nodes.
pub fn share_of(value: CountOrPercentText<'_>, zone: Zone, total: i32) -> Result<CountOrPercent, NotPercent> {
    let text = match value {
        CountOrPercentText::Count(count) => return Ok(CountOrPercent::Count(share(count, zone))),
        CountOrPercentText::Text(text) => text,
    };
    let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i64>().ok());
    let percent =
        percent.and_then(|percent| i32::try_from(percent).ok()).ok_or_else(|| NotPercent(text.to_owned()))?;
    let zones = i32::try_from(zone.of.max(1)).unwrap_or(i32::MAX);
    if total % zones == 0 {
        return Ok(CountOrPercent::Percent(percent));
    }
    // The order of the operations is the library's: another order rounds otherwise.
    let of_pool = 100.0 / (f64::from(total) / f64::from(zones));
    let weighted = (of_pool * f64::from(share(total, zone)) * f64::from(percent) / 100.0).ceil();
    #[expect(clippy::cast_possible_truncation, reason = "a cast of what is too large gives the largest number")]
    Ok(CountOrPercent::Percent(weighted as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_sum_up_and_differ_by_one_at_most(number in 0..i32::MAX, of in 1..64_usize) {
            let shares: Vec<i32> = (0..of).map(|index| share(number, Zone { index, of })).collect();
            prop_assert_eq!(shares.iter().map(|share| i64::from(*share)).sum::<i64>(), i64::from(number));
            prop_assert!(shares.is_sorted_by(|one, next| one >= next));
            prop_assert!(shares.first().unwrap() - shares.last().unwrap() <= 1);
        }

        #[test]
        fn no_text_panics(text in "[-+]?[0-9]{0,12}%?", total in any::<i32>(), index in 0..9_usize, of in 0..9_usize) {
            let _ = share_of(CountOrPercentText::Text(&text), Zone { index, of }, total);
        }
    }

    #[test]
    fn a_percentage_grows_with_the_nodes_of_a_zone() {
        let shares = |text, total, of| {
            let of_zone = |index| share_of(CountOrPercentText::Text(text), Zone { index, of }, total);
            (0..of).map(of_zone).collect::<Result<Vec<_>, _>>()
        };
        let percent = |all: &[i32]| Ok(all.iter().copied().map(CountOrPercent::Percent).collect());
        for (text, total, of, expected) in [
            ("50%", 4, 2, percent(&[50, 50])),
            ("50%", 3, 2, percent(&[67, 34])),
            ("1%", 1, 2, percent(&[2, 0])),
            ("0%", 5, 3, percent(&[0, 0, 0])),
            ("100%", 0, 3, percent(&[100, 100, 100])),
            ("abc%", 1, 2, Err(NotPercent("abc%".to_owned()))),
            ("50", 1, 1, Err(NotPercent("50".to_owned()))),
            ("é", 1, 1, Err(NotPercent("é".to_owned()))),
            ("", 1, 1, Err(NotPercent(String::new()))),
        ] {
            assert_eq!(shares(text, total, of), expected, "{text} of {total} in {of} zones");
        }
        let counts = (0..3).map(|index| share_of(CountOrPercentText::Count(2), Zone { index, of: 3 }, 9));
        let expected = [1, 1, 0].map(|count| Ok(CountOrPercent::Count(count)));
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }
}
