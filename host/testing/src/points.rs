//! A quarter of the points of a test that takes long: the moments of a crash, the faults, the operations.
//!
//! `TRELLIS_POINTS` names the quarter, by any text: CI names it by the commit, so that each change tries other
//! points. With `all`, every point is tried.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write as _};

const VARIABLE: &str = "TRELLIS_POINTS";
const EVERY_POINT: &str = "all";

/// The points of `test` that are tried now, in their order. Each kind of point is among them, and a point may be
/// of several kinds, such as an action and a fault.
pub fn chosen<T>(test: &str, points: Vec<T>, kinds: impl Fn(&T) -> Vec<String>) -> Vec<T> {
    let named = env::var(VARIABLE).unwrap_or_else(|_| "0".to_owned());
    let count = points.len();
    let chosen = choose(&named, test, points, kinds);
    // Not by `println`, because that is not shown of a test that succeeds.
    let _ = writeln!(io::stderr(), "{test}: {} of {count} points ({VARIABLE}={named})", chosen.len());
    chosen
}

/// Draws without a preference: first the points that bring a kind which is not there yet, then others, up to a
/// quarter.
fn choose<T>(named: &str, test: &str, points: Vec<T>, kinds: impl Fn(&T) -> Vec<String>) -> Vec<T> {
    if named == EVERY_POINT {
        return points;
    }
    let quarter = points.len().div_ceil(4);
    let mut drawn: Vec<_> = points.into_iter().enumerate().collect();
    fastrand::Rng::with_seed(hash(&format!("{named} {test}"))).shuffle(&mut drawn);
    let mut there = BTreeSet::new();
    let (mut chosen, rest): (Vec<_>, Vec<_>) = drawn.into_iter().partition(|(_, point)| {
        // Each of them is noted; `any` would stop at the first that is new.
        kinds(point).into_iter().filter(|kind| there.insert(kind.clone())).count() > 0
    });
    let missing = quarter.saturating_sub(chosen.len());
    chosen.extend(rest.into_iter().take(missing));
    chosen.sort_unstable_by_key(|(place, _)| *place);
    chosen.into_iter().map(|(_, point)| point).collect()
}

/// FNV-1a, because the hash of the standard library may change with its version.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Point = (u32, &'static str, &'static str);

    /// Of each of ten actions, eight calls that may fail in three ways; and one that is called once.
    fn points() -> Vec<Point> {
        const ACTIONS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let calls = ACTIONS.into_iter().flat_map(|action| (0..8).map(move |nth| (nth, action)));
        let often = calls.flat_map(|(nth, action)| ["lost", "late", "refused"].map(|fault| (nth, action, fault)));
        often.chain([(0, "once", "lost")]).collect()
    }

    fn kinds(point: &Point) -> Vec<String> {
        vec![point.1.to_owned(), point.2.to_owned()]
    }

    fn of(named: &str) -> Vec<Point> {
        choose(named, "test", points(), kinds)
    }

    #[test]
    fn every_kind_is_always_chosen() {
        let all: BTreeSet<_> = points().iter().flat_map(kinds).collect();
        for named in 0..400 {
            let chosen: BTreeSet<_> = of(&named.to_string()).iter().flat_map(kinds).collect();
            assert_eq!(chosen, all, "{named}");
        }
    }

    #[test]
    fn kinds_that_are_more_than_a_quarter_are_all_chosen() {
        let alone = |point: &Point| vec![format!("{point:?}")];
        assert_eq!(choose("0", "test", points(), alone), points());
    }

    #[test]
    fn a_quarter_is_chosen_in_order() {
        let chosen = of("0");
        assert_eq!(chosen.len(), points().len().div_ceil(4));
        assert!(chosen.iter().eq(points().iter().filter(|point| chosen.contains(point))));
        assert_eq!(choose("0", "test", Vec::<Point>::new(), kinds), []);
    }

    #[test]
    fn all_are_chosen_by_name() {
        assert_eq!(of("all"), points());
    }

    #[test]
    fn the_same_name_chooses_the_same_and_another_name_or_test_others() {
        assert_eq!(of("0"), of("0"));
        assert_ne!(of("0"), of("1"));
        assert_ne!(of("0"), choose("0", "another test", points(), kinds));
    }

    #[test]
    fn every_point_is_chosen_as_often_as_others_of_its_kind() {
        let names = 400;
        let mut often: BTreeMap<Point, u32> = BTreeMap::new();
        for named in 0..names {
            for point in of(&named.to_string()) {
                *often.entry(point).or_default() += 1;
            }
        }
        for point in points() {
            // Some hundred times; a point that no other one stands for, always.
            let expected = if point.1 == "once" { names..=names } else { 60..=140 };
            assert!(expected.contains(&often[&point]), "{point:?}: {} times", often[&point]);
        }
    }
}
