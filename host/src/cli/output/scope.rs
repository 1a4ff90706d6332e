//! Whose rules a verdict covers, in words.

use super::Judged;
use crate::answer::Verdict;

/// Whose rules the verdicts of a run cover, and whose they do not. `None` where no policy judged anything.
pub(in crate::cli) fn scope(judged: &[Judged<'_>], are_all_judged: bool) -> Option<String> {
    let mut rules: Vec<String> = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for one in judged {
        let scope = &one.ruling.scope;
        let checked = scope.checked.join(", ");
        let of = format!(
            "{}'s rules{}",
            one.provider,
            if checked.is_empty() { checked } else { format!(" ({checked})") }
        );
        if !rules.contains(&of) {
            rules.push(of);
        }
        for other in &scope.not_checked {
            let words = if other == "gardener" { "what Gardener itself checks" } else { other };
            if !others.contains(&words) {
                others.push(words);
            }
        }
    }
    if rules.is_empty() {
        return None;
    }
    let is_accepted = are_all_judged && judged.iter().all(|one| one.ruling.verdict == Verdict::Accept);
    let verb = if is_accepted { "Accepted" } else { "Judged" };
    let mut text = format!("{verb} by {}.", rules.join(" and "));
    if !others.is_empty() {
        text = format!("{text} Not checked: {}.", others.join(", "));
    }
    Some(text)
}
