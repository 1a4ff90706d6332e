//! Whose rules a verdict covers, in words.

use trellis_policies::answer::{Scope, Section};
use trellis_policies::policy::GARDENER;

/// Whose rules the verdicts of a run cover, and whose they do not, of the scope of each verdict and the provider
/// type that the object names. `None` where no policy judged anything.
pub(crate) fn scope<'s>(
    verdicts: impl IntoIterator<Item = (&'s str, &'s Scope)>,
    are_all_accepted: bool,
) -> Option<String> {
    let (mut own, mut parts, mut others): (Option<&str>, Vec<&str>, Vec<&str>) = (None, Vec::new(), Vec::new());
    // Whose rules, and of which versions.
    let mut rules: Vec<(&str, String)> = Vec::new();
    let verdicts: Vec<(&str, &Scope)> = verdicts.into_iter().collect();
    // Lines mean something where one object has sections, such as a Shoot with its profile.
    let mut with_sections =
        verdicts.iter().map(|(_, scope)| scope.sections.as_slice()).filter(|all| !all.is_empty());
    let sections = match (with_sections.next(), with_sections.next()) {
        (Some(sections), None) => sections,
        _ => &[],
    };
    for (provider, scope) in verdicts {
        let (gardeners, providers): (Vec<&str>, Vec<&str>) =
            scope.checked.iter().map(String::as_str).partition(|checked| is_gardeners(checked));
        own = own.or(gardeners.first().copied());
        extend(&mut parts, &scope.parts);
        extend(&mut others, &scope.not_checked);
        let versions = providers.iter().map(|checked| version(checked)).collect::<Vec<_>>().join(", ");
        if (!providers.is_empty() || gardeners.is_empty()) && !rules.iter().any(|(of, _)| *of == provider) {
            rules.push((provider, versions));
        }
    }
    if let Some(own) = own {
        let versions: Vec<&str> = std::iter::once(version(own)).chain(parts).collect();
        rules.insert(0, ("Gardener", versions.join(", ")));
    }
    let named = rules.iter().enumerate().map(|(at, (of, versions))| {
        let whose = if at == 0 { format!("{of}'s rules") } else { format!("{of}'s") };
        if versions.is_empty() { whose } else { format!("{whose} ({versions})") }
    });
    let named: Vec<String> = named.collect();
    let by = match named.split_last()? {
        (last, []) => last.clone(),
        (last, before) => format!("{} and {last}", before.join(", ")),
    };
    let verb = if are_all_accepted { "Accepted" } else { "Judged" };
    let mut text = format!("{verb} by {by}.");
    if !others.is_empty() {
        let words = others.into_iter().map(|other| match other {
            GARDENER if own.is_some() => "what Gardener itself checks of other kinds",
            GARDENER => "what Gardener itself checks",
            other => other,
        });
        let placed = words.map(|name| match sections.iter().find(|section| section.name == name) {
            Some(Section { line: Some(line), .. }) => format!("{name} (line {line})"),
            _ => name.to_owned(),
        });
        text = format!("{text} Not checked: {}.", placed.collect::<Vec<_>>().join(", "));
    }
    Some(text)
}

fn extend<'t>(texts: &mut Vec<&'t str>, further: &'t [String]) {
    for text in further {
        if !texts.contains(&text.as_str()) {
            texts.push(text);
        }
    }
}

/// Whether these are the rules of Gardener itself, such as `gardener v1.150`.
fn is_gardeners(checked: &str) -> bool {
    checked.split(' ').next() == Some(GARDENER)
}

/// A version as people name it: `v1.72` of `provider-alicloud v1.72.0-dev`.
fn version(checked: &str) -> &str {
    let version = checked.rsplit(' ').next().unwrap_or(checked);
    let mut points = version.match_indices('.').map(|(at, _)| at);
    match (points.next(), points.next()) {
        (Some(_), Some(second)) if version.starts_with('v') => version.get(..second).unwrap_or(version),
        _ => version,
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_has_two_numbers() {
        for (checked, named) in [
            ("provider-alicloud v1.72.0-dev", "v1.72"),
            ("gardener v1.150", "v1.150"),
            ("v1.2.3", "v1.2"),
            ("provider-x main", "main"),
            ("", ""),
        ] {
            assert_eq!(version(checked), named);
        }
    }
}
