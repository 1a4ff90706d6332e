//! The known name that a person most likely means.

/// The name nearest to a misspelt one: at most a third of its letters are other ones, missing, too many, or swapped with their
/// neighbour. The first of several.
pub fn nearest<'n>(misspelt: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (misspelt.len() / 3).clamp(1, 4);
    let near = names.map(|name| (distance(misspelt, name), name)).filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many letters to change, add, remove or swap with the next one. Upper and lower case are the same letter.
fn distance(a: &str, b: &str) -> usize {
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
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_one_that_was_meant() {
        let names = ["workers", "workersSettings", "type", "infrastructureConfig", "minimum", "maximum"];
        for (misspelt, meant) in [
            ("workrs", Some("workers")),
            ("wrokers", Some("workers")),
            ("Workers", Some("workers")),
            ("infrastrctureConfig", Some("infrastructureConfig")),
            ("typ", Some("type")),
            ("minimun", Some("minimum")),
            ("zones", None),
            ("", None),
            ("kubernetesVersionOfTheWorkers", None),
        ] {
            assert_eq!(nearest(misspelt, names.into_iter()), meant, "{misspelt}");
        }
    }
}
