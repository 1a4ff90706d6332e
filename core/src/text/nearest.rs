//! The known name that a person most likely means by a misspelt one.

/// In how many letters a misspelt name differs at most from the one that is certainly meant.
const CERTAIN: usize = 2;

/// The name nearest to a misspelt one: at most a third of its letters are other ones, missing, too many, or
/// swapped with their neighbour. The first of several.
pub fn nearest<'n>(misspelt: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (misspelt.len() / 3).clamp(1, 4);
    let near = names.filter_map(|name| Some((distance(misspelt, name, most)?, name)));
    // Of two that are as near, the one of the same length: people swap letters more often than they leave one out.
    near.min_by_key(|(distance, name)| (*distance, name.len().abs_diff(misspelt.len()))).map(|(_, name)| name)
}

/// Whether a misspelt name means `name` and no other one of all.
pub fn is_certain<'n>(misspelt: &str, name: &str, mut all: impl Iterator<Item = &'n str>) -> bool {
    let own = distance(misspelt, name, CERTAIN);
    own.is_some_and(|own| all.all(|other| other == name || distance(misspelt, other, own).is_none()))
}

/// The known name that a misspelt one can only mean: no other one is at most two letters away and shares at least
/// twice as many letters with it as it differs in.
pub fn only_near<'n>(misspelt: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let is_like = |name: &&str| {
        distance(misspelt, name, CERTAIN)
            .is_some_and(|distance| misspelt.len().max(name.len()).saturating_sub(distance) >= 2 * distance)
    };
    let mut near = names.filter(is_like);
    let name = near.next()?;
    near.next().is_none().then_some(name)
}

/// How many letters to change, add, remove or swap with the next one; `None` where that is more than `most`. Upper
/// and lower case are the same letter.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
    let (a, b) = (lower(a), lower(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX - 1);
            let mut fewest = (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let is_swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if is_swapped {
                fewest = fewest.min(at(&before, j - 1) + 1);
            }
            row.push(fewest);
        }
        before = std::mem::replace(&mut last, row);
        // No later row has less.
        if last.iter().all(|fewest| *fewest > most) {
            return None;
        }
    }
    last.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_one_that_was_meant() {
        let names =
            ["workers", "workersSettings", "type", "infrastructureConfig", "minimum", "maximum", "cpu", "gpu"];
        for (misspelt, meant, is_sure) in [
            ("workrs", Some("workers"), true),
            ("wrokers", Some("workers"), true),
            ("Workers", Some("workers"), true),
            ("infrastrctureConfig", Some("infrastructureConfig"), true),
            ("infrsrctreConfig", Some("infrastructureConfig"), false),
            ("typ", Some("type"), true),
            ("minimun", Some("minimum"), true),
            // As near to both.
            ("xpu", Some("cpu"), false),
            ("zones", None, false),
            ("", None, false),
            ("kubernetesVersionOfTheWorkers", None, false),
        ] {
            let found = nearest(misspelt, names.into_iter());
            assert_eq!(found, meant, "{misspelt}");
            let sure = found.is_some_and(|name| is_certain(misspelt, name, names.into_iter()));
            assert_eq!(sure, is_sure, "{misspelt}");
        }
    }
}
