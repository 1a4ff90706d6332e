//! The supported values that are near to a wrong one.

use crate::document::Value;
use crate::kube::version::Version;
use crate::report::Reported;
use crate::text::nearest::distance;

/// The most values that a finding offers.
const MOST: usize = 3;
/// The longest value that is compared, in bytes. The names of what a profile offers are shorter.
const LONGEST: usize = 64;

/// Supported values near to a wrong one.
pub struct Near<'n> {
    /// At most three, the nearest first.
    values: Vec<([u64; 3], &'n str)>,
    /// Whether the first one is meant, beyond doubt.
    is_certain: bool,
}

/// Finds the values that are near to a wrong one.
pub type Finder = for<'n> fn(&str, &[&'n str]) -> Near<'n>;

/// Offers the nearest values in a finding about a wrong one. Judging goes on with the nearest, so that others do
/// not repeat the mistake.
pub fn offer(entry: Reported<'_>, wrong: &str, values: &[&str], find: Finder) {
    if !entry.is_new() || wrong.is_empty() || wrong.len() > LONGEST {
        return;
    }
    let near = find(wrong, values);
    let entry = match near.values.first().map(|(_, first)| first).or(values.first()) {
        Some(first) => entry.supported(values).assume_choice(&Value::string(*first)),
        None => entry,
    };
    let entry = entry.choices(near.values.iter().map(|(_, value)| *value));
    if let Some((_, first)) = near.values.first().filter(|_| near.is_certain) {
        entry.fix_value(&Value::string(*first));
    }
}

/// The values that are spelled most like a wrong one. The first is certain where the wrong one differs in a single
/// letter, which is not the first of a word: `xlarge` is no misspelt `large`, and zone `b` no misspelt zone `a`.
pub fn by_likeness<'n>(wrong: &str, values: &[&'n str]) -> Near<'n> {
    let mut near = Near { values: Vec::with_capacity(MOST + 1), is_certain: false };
    for value in values {
        let most = near.values.get(MOST - 1).map_or(LONGEST as u64, |([distance, ..], _)| *distance);
        if let Some(distance) = distance(wrong, value, usize::try_from(most).unwrap_or(LONGEST)) {
            near.add([distance as u64, 0, 0], value);
        }
    }
    near.is_certain = match near.values.as_slice() {
        [([distance, ..], first), rest @ ..] => {
            *distance <= 1
                && rest.first().is_none_or(|([other, ..], _)| other > distance)
                && outline(wrong).eq(outline(first))
        }
        [] => false,
    };
    near
}

/// The versions nearest to a wrong one: near in the first number that differs, and of those the newest. The first
/// is certain where the wrong one has only a `v` too many.
pub fn by_number<'n>(wrong: &str, values: &[&'n str]) -> Near<'n> {
    let Some(wanted) = Version::parse(wrong) else { return by_likeness(wrong, values) };
    let mut near = Near { values: Vec::with_capacity(MOST + 1), is_certain: false };
    for value in values {
        let Some(version) = Version::parse(value) else { continue };
        let mut differs = false;
        let mut key = [0; 3];
        for ((key, wanted), own) in key.iter_mut().zip(wanted.numbers()).zip(version.numbers()) {
            // Of two that are as near, the newer one.
            let apart = wanted.abs_diff(own).saturating_mul(2).saturating_add(u64::from(own < wanted));
            *key = if differs { u64::MAX - own } else { apart };
            differs |= wanted != own;
        }
        near.add(key, value);
    }
    near.is_certain = near.values.first().is_some_and(|(_, first)| wrong.strip_prefix('v') == Some(first));
    near
}

impl<'n> Near<'n> {
    /// Adds a value by how far it is; one that is as far as another comes behind it.
    fn add(&mut self, far: [u64; 3], value: &'n str) {
        let is_known = self.values.iter().any(|(_, other)| *other == value);
        if !value.is_empty() && value.len() <= LONGEST && !is_known {
            let at = self.values.iter().take_while(|(other, _)| *other <= far).count();
            self.values.insert(at, (far, value));
            self.values.truncate(MOST);
        }
    }
}

/// The digits and the first letters of the words of a text.
fn outline(text: &str) -> impl Iterator<Item = u8> {
    let mut is_inside = false;
    text.bytes().map(|byte| byte.to_ascii_lowercase()).filter(move |byte| {
        let was_inside = std::mem::replace(&mut is_inside, byte.is_ascii_alphabetic());
        byte.is_ascii_digit() || is_inside && !was_inside
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'n>(near: &Near<'n>) -> Vec<&'n str> {
        near.values.iter().map(|(_, value)| *value).collect()
    }

    #[test]
    fn texts_are_offered_by_their_likeness() {
        let types = ["ecs.g6.large", "ecs.g6.xlarge", "ecs.g7.large", "ecs.c6.2xlarge"];
        let zones = ["eu-central-1a", "eu-central-1b"];
        for (wrong, values, wanted, is_sure) in [
            ("ecs.g6.lrge", types.as_slice(), vec!["ecs.g6.large", "ecs.g6.xlarge", "ecs.g7.large"], true),
            ("ECS.g6.Large", &types, vec!["ecs.g6.large", "ecs.g6.xlarge", "ecs.g7.large"], true),
            ("ecs.g8.large", &types, vec!["ecs.g6.large", "ecs.g7.large", "ecs.g6.xlarge"], false),
            ("ecs.c6.xlarge", &types, vec!["ecs.g6.xlarge", "ecs.c6.2xlarge", "ecs.g6.large"], false),
            ("ecs.g7.xlarge", &types[2..], vec!["ecs.g7.large", "ecs.c6.2xlarge"], false),
            ("eu-central-1c", &zones, vec!["eu-central-1a", "eu-central-1b"], false),
            ("eu-central-1b", &zones[..1], vec!["eu-central-1a"], false),
            ("eu-cental-1b", &zones, vec!["eu-central-1b", "eu-central-1a"], true),
            ("eu-central-1a", &["", "eu-central-1b", "eu-central-1b"], vec!["eu-central-1b"], false),
            ("mars", &[], vec![], false),
        ] {
            let near = by_likeness(wrong, values);
            assert_eq!((found(&near), near.is_certain), (wanted, is_sure), "{wrong}");
        }
    }

    #[test]
    fn versions_are_offered_by_their_numbers() {
        let versions = ["1.31.4", "1.32.9", "1.34.0", "1.34.3", "1.35.1", "nightly"];
        for (wrong, wanted, is_sure) in [
            ("9.99", ["1.35.1", "1.34.3", "1.34.0"], false),
            ("1.34.1", ["1.34.0", "1.34.3", "1.35.1"], false),
            ("1.33.5", ["1.34.3", "1.34.0", "1.32.9"], false),
            ("1.32", ["1.32.9", "1.31.4", "1.34.3"], false),
            ("v1.32.9", ["1.32.9", "1.31.4", "1.34.3"], true),
            ("1.32.9-x", ["1.32.9", "1.31.4", "1.34.3"], false),
            ("1.34.o", ["1.34.0", "1.34.3", "1.31.4"], false),
            ("99999999999999999999", ["1.32.9", "1.31.4", "1.34.0"], false),
        ] {
            let near = by_number(wrong, &versions);
            assert_eq!((found(&near).as_slice(), near.is_certain), (wanted.as_slice(), is_sure), "{wrong}");
        }
        assert!(found(&by_number("18446744073709551615.1", &["0.1.1"])).contains(&"0.1.1"));
    }
}
