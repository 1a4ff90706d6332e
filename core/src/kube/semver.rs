//! Semantic versions and constraints on them, as Gardener's library reads them.

use std::cmp::Ordering;

/// A version; what is missing of minor and patch is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SemVer<'t> {
    numbers: [u64; 3],
    /// What stands behind the first hyphen; empty for a release.
    pre_release: &'t str,
}

impl<'t> SemVer<'t> {
    /// Reads a version, with a `v` in front or without.
    pub fn parse(text: &'t str) -> Option<Self> {
        if text.len() > 256 {
            return None;
        }
        let (version, build) =
            text.split_once('+').map_or((text, None), |(version, build)| (version, Some(build)));
        let (numbers, pre_release) =
            version.split_once('-').map_or((version, None), |(numbers, pre_release)| (numbers, Some(pre_release)));
        let mut parts = numbers.strip_prefix('v').unwrap_or(numbers).split('.').map(number);
        let numbers = [parts.next()??, parts.next().unwrap_or(Some(0))?, parts.next().unwrap_or(Some(0))?];
        let is_ended = parts.next().is_none();
        let are_right = is_ended
            && build.is_none_or(|build| build.split('.').all(is_identifier))
            && pre_release
                .is_none_or(|all| all.split('.').all(|part| is_identifier(part) && !has_leading_zero(part)));
        are_right.then_some(Self { numbers, pre_release: pre_release.unwrap_or_default() })
    }

    /// Whether the version is of that minor version or a later one. What comes before a release counts as the
    /// release.
    pub fn is_from(&self, major: u64, minor: u64) -> bool {
        self.numbers >= [major, minor, 0]
    }

    /// The first number.
    pub fn major(&self) -> u64 {
        let [major, ..] = self.numbers;
        major
    }

    /// The second number.
    pub fn minor(&self) -> u64 {
        let [_, minor, _] = self.numbers;
        minor
    }

    /// The third number.
    pub fn patch(&self) -> u64 {
        let [_, _, patch] = self.numbers;
        patch
    }

    /// Whether the version satisfies a constraint such as `>= 1.26, < 1.31 || 1.33.x`; `None` where the constraint
    /// cannot be read.
    pub fn satisfies(&self, constraint: &str) -> Option<bool> {
        let mut is_satisfied = false;
        // `||` stands between groups. The search of the standard library for a text in a text would be 1 KB of a
        // download.
        for (index, group) in constraint.split('|').enumerate() {
            if index % 2 == 1 {
                if group.is_empty() {
                    continue;
                }
                return None;
            }
            let parts = comparisons(group)?;
            // A version before its release counts only where the group names such a version.
            let allows_pre = self.pre_release.is_empty() || parts.iter().any(|part| part.names_pre_release);
            is_satisfied |= allows_pre && parts.iter().all(|part| part.holds(self));
        }
        Some(is_satisfied)
    }
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl PartialOrd for SemVer<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SemVer<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_pre_release = || match (self.pre_release.is_empty(), other.pre_release.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => compare_identifiers(self.pre_release, other.pre_release),
        };
        self.numbers.cmp(&other.numbers).then_with(by_pre_release)
    }
}

/// Compares part by part: numbers as numbers, and lower than texts.
fn compare_identifiers(one: &str, other: &str) -> Ordering {
    let (mut ones, mut others) = (one.split('.'), other.split('.'));
    loop {
        let (one, other) = match (ones.next(), others.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => (one, other),
        };
        let order = match (number(one), number(other)) {
            (Some(one), Some(other)) => one.cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => one.cmp(other),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// A range of versions: from the first one on, and below the second one.
struct Comparison<'t> {
    from: Option<SemVer<'t>>,
    below: Option<SemVer<'t>>,
    /// Whether the range is what must not be.
    is_negated: bool,
    names_pre_release: bool,
}

impl Comparison<'_> {
    fn holds(&self, version: &SemVer<'_>) -> bool {
        let is_within = self.from.as_ref().is_none_or(|from| version >= from)
            && self.below.as_ref().is_none_or(|below| version < below);
        is_within != self.is_negated
    }
}

const OPERATORS: [&str; 12] = [">=", "=>", "<=", "=<", "!=", "~>", ">", "<", "=", "~", "^", ""];

/// The comparisons of a group, all of which must hold.
fn comparisons(group: &str) -> Option<Vec<Comparison<'_>>> {
    const BETWEEN: &[u8] = b" - ";
    let between = group.as_bytes().windows(BETWEEN.len()).position(|bytes| bytes == BETWEEN);
    if let Some((from, to)) = between.and_then(|at| Some((group.get(..at)?, group.get(at + BETWEEN.len()..)?))) {
        return Some(vec![comparison(">=", from.trim())?, comparison("<=", to.trim())?]);
    }
    let mut found = Vec::new();
    let mut rest = group.trim_start_matches([' ', ',']);
    while !rest.is_empty() {
        let operator = OPERATORS.into_iter().find(|operator| rest.starts_with(operator))?;
        let operand = rest.get(operator.len()..)?.trim_start();
        let end = operand.find([' ', ',']).unwrap_or(operand.len());
        let (version, behind) = operand.split_at_checked(end)?;
        found.push(comparison(operator, version)?);
        rest = behind.trim_start_matches([' ', ',']);
    }
    (!found.is_empty()).then_some(found)
}

fn comparison<'t>(operator: &str, operand: &'t str) -> Option<Comparison<'t>> {
    let text = operand.strip_prefix('v').unwrap_or(operand);
    let release = text.split(['-', '+']).next()?;
    let parts: Vec<&str> = release.split('.').collect();
    let known = parts.iter().take_while(|part| !matches!(**part, "x" | "X" | "*")).count();
    if parts.len() > 3 || parts.iter().skip(known).any(|part| !matches!(*part, "x" | "X" | "*")) {
        return None;
    }
    let mut numbers = [0; 3];
    for (slot, part) in numbers.iter_mut().zip(parts.iter().take(known)) {
        *slot = number(part)?;
    }
    let is_whole = known == 3;
    let exact = if is_whole { SemVer::parse(text)? } else { SemVer { numbers, pre_release: "" } };
    let names_pre_release = !exact.pre_release.is_empty();
    let at = |place: usize| next(numbers, place);
    // The first version behind all that the operand names.
    let behind = if is_whole { at(2) } else { known.checked_sub(1).and_then(at) };
    let range = |from: Option<SemVer<'t>>, below: Option<SemVer<'t>>, is_negated| {
        Some(Comparison { from, below, is_negated, names_pre_release })
    };
    let upto = |below: Option<SemVer<'t>>, is_negated| range(None, below, is_negated);
    match operator {
        "" | "=" if is_whole => {
            let same = Comparison {
                from: Some(exact.clone()),
                below: after(&exact),
                is_negated: false,
                names_pre_release,
            };
            Some(same)
        }
        "" | "=" => range(Some(exact), behind, false),
        "!=" if is_whole => {
            let below = after(&exact);
            range(Some(exact), below, true)
        }
        "!=" => range(Some(exact), behind, true),
        ">=" | "=>" => range(Some(exact), None, false),
        "<" => upto(Some(exact), false),
        ">" if is_whole => upto(after(&exact), true),
        ">" => upto(behind, true),
        "<=" | "=<" if is_whole => upto(after(&exact), false),
        "<=" | "=<" => upto(behind, false),
        "~" | "~>" => range(Some(exact), if known > 1 { at(1) } else { known.checked_sub(1).and_then(at) }, false),
        "^" => {
            let place = numbers.iter().take(known.max(1)).position(|number| *number > 0);
            range(Some(exact), at(place.unwrap_or(known.saturating_sub(1))), false)
        }
        _ => None,
    }
}

/// The first version whose number at that place is larger.
fn next<'t>(mut numbers: [u64; 3], place: usize) -> Option<SemVer<'t>> {
    let slot = numbers.get_mut(place)?;
    *slot = slot.checked_add(1)?;
    for slot in numbers.iter_mut().skip(place + 1) {
        *slot = 0;
    }
    Some(SemVer { numbers, pre_release: "" })
}

/// A version behind which no other one lies before all larger ones: a release before its next patch's first
/// version.
fn after<'t>(version: &SemVer<'t>) -> Option<SemVer<'t>> {
    if version.pre_release.is_empty() {
        next(version.numbers, 2).map(|next| SemVer { pre_release: "0", ..next })
    } else {
        Some(SemVer { numbers: version.numbers, pre_release: "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_ordered() {
        let parsed = |text| SemVer::parse(text).map(|version| version.numbers);
        for (text, numbers) in [
            ("1.33.7", Some([1, 33, 7])),
            ("v1.33", Some([1, 33, 0])),
            ("1", Some([1, 0, 0])),
            ("1.033.4", Some([1, 33, 4])),
            ("1.33.7-rc.1+x.y", Some([1, 33, 7])),
            ("1.33.7-01", None),
            ("1.33.7.1", None),
            ("1.", None),
            ("", None),
            ("x", None),
            ("1.33.7-", None),
        ] {
            assert_eq!(parsed(text), numbers, "{text}");
        }
        let ordered = ["1.0.0-1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0", "1.0.1-0", "1.0.1"];
        let versions: Vec<_> = ordered.iter().map(|text| SemVer::parse(text).unwrap()).collect();
        assert!(versions.is_sorted(), "{versions:?}");
    }

    #[test]
    fn constraints_hold_as_in_gardeners_library() {
        for (constraint, version, holds) in [
            (">= 1.34", "1.34.0", Some(true)),
            (">= 1.34", "1.33.9", Some(false)),
            ("< 1.34", "1.33.9", Some(true)),
            ("> 1.34", "1.34.5", Some(false)),
            ("> 1.34", "1.35.0", Some(true)),
            ("<= 1.34", "1.34.5", Some(true)),
            ("1.34", "1.34.5", Some(true)),
            ("1.34.x", "1.35.0", Some(false)),
            ("*", "1.2.3", Some(true)),
            ("!= 1.34.1", "1.34.1", Some(false)),
            ("~1.34.1", "1.34.9", Some(true)),
            ("~1.34.1", "1.35.0", Some(false)),
            ("^1.34.1", "1.99.0", Some(true)),
            ("^0.3.1", "0.4.0", Some(false)),
            (">= 1.26, < 1.31 || 1.33.x", "1.33.2", Some(true)),
            (">=1.26 <1.31", "1.31.0", Some(false)),
            ("1.26 - 1.28", "1.28.4", Some(true)),
            (">= 1.34", "1.35.0-rc.1", Some(false)),
            (">= 1.34.0-0", "1.35.0-rc.1", Some(true)),
            ("nonsense", "1.2.3", None),
            ("", "1.2.3", None),
        ] {
            assert_eq!(SemVer::parse(version).unwrap().satisfies(constraint), holds, "{constraint}: {version}");
        }
    }
}
