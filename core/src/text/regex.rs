//! The regular expressions of the existing extensions.
//!
//! The module knows what their patterns use: characters, escapes, classes, groups, and how often a part repeats. The tests
//! compare it with the `regex` crate, on every pattern. A whole engine would be a third of a browser's download, and would
//! compile each pattern for longer than this module needs to match it.

/// What a text does to match a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step<'p> {
    /// Takes a character of a class, and goes on with the next step. The class is written as between `[` and `]`.
    Take(&'p str),
    /// Goes on with the next step, and also with this one.
    Fork(usize),
}

/// Whether the whole text matches a pattern of the form `^…$`. As in Go, `\w`, `\d` and `\s` are ASCII.
///
/// The time is that of the text times that of the pattern, whatever the text is.
pub fn matches(pattern: &str, text: &str) -> bool {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let steps = steps(pattern.strip_suffix('$').unwrap_or(pattern));
    let (mut here, mut next) = (Vec::with_capacity(8), Vec::with_capacity(8));
    reach(&steps, 0, &mut here);
    for char in text.chars() {
        for place in here.drain(..) {
            if let Some(Step::Take(class)) = steps.get(place)
                && has(class, char)
            {
                reach(&steps, place + 1, &mut next);
            }
        }
        std::mem::swap(&mut here, &mut next);
        if here.is_empty() {
            return false;
        }
    }
    here.contains(&steps.len())
}

/// Adds a place, and the places that its forks lead to.
fn reach(steps: &[Step<'_>], place: usize, places: &mut Vec<usize>) {
    if places.contains(&place) {
        return;
    }
    places.push(place);
    if let Some(Step::Fork(other)) = steps.get(place) {
        reach(steps, place + 1, places);
        reach(steps, *other, places);
    }
}

/// Whether a class has a character.
fn has(class: &str, char: char) -> bool {
    let positive = class.strip_prefix('^');
    let mut members = positive.unwrap_or(class).chars();
    let mut found = false;
    while let Some(member) = members.next() {
        let mut ahead = members.clone();
        found |= match (member, ahead.next(), ahead.next()) {
            ('\\', Some(escaped), _) => {
                members.next();
                match escaped {
                    'd' => char.is_ascii_digit(),
                    'w' => char.is_ascii_alphanumeric() || char == '_',
                    's' => matches!(char, '\t' | '\n' | '\u{c}' | '\r' | ' '),
                    'n' => char == '\n',
                    literal => char == literal,
                }
            }
            (first, Some('-'), Some(last)) => {
                members = ahead;
                (first..=last).contains(&char)
            }
            (literal, ..) => char == literal,
        };
    }
    found != positive.is_some()
}

/// The steps of a pattern.
fn steps(pattern: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::with_capacity(pattern.len());
    sequence(pattern, &mut steps);
    steps
}

/// Adds the steps of a pattern, up to its end or to the end of the group. Gives what follows.
fn sequence<'p>(mut pattern: &'p str, steps: &mut Vec<Step<'p>>) -> &'p str {
    while !pattern.is_empty() && !pattern.starts_with(')') {
        let start = steps.len();
        let rest = part(pattern, steps);
        let (least, most, rest) = repeats(rest);
        if (least, most) != (1, Some(1)) {
            steps.truncate(start);
            repeat(pattern, least, most, steps);
        }
        pattern = rest;
    }
    pattern
}

/// Adds the steps of the first part of a pattern, once. Gives what follows.
fn part<'p>(pattern: &'p str, steps: &mut Vec<Step<'p>>) -> &'p str {
    if let Some(group) = pattern.strip_prefix('(') {
        return sequence(group, steps).strip_prefix(')').unwrap_or_default();
    }
    if let Some((class, rest)) = pattern.strip_prefix('[').and_then(split_class) {
        steps.push(Step::Take(class));
        return rest;
    }
    let escape = usize::from(pattern.starts_with('\\'));
    let length: usize = pattern.chars().take(escape + 1).map(char::len_utf8).sum();
    let (literal, rest) = pattern.split_at(length);
    steps.push(Step::Take(literal));
    rest
}

/// The members of a class, and what follows its `]`.
fn split_class(pattern: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = pattern.find(|char| {
        let is_end = char == ']' && !escaped;
        escaped = char == '\\' && !escaped;
        is_end
    })?;
    Some((pattern.get(..end)?, pattern.get(end + 1..)?))
}

/// How often a part repeats, at least and at most, and what follows.
fn repeats(pattern: &str) -> (u8, Option<u8>, &str) {
    let once = (1, Some(1), pattern);
    let Some(sign) = pattern.chars().next() else { return once };
    let rest = pattern.get(sign.len_utf8()..).unwrap_or_default();
    match sign {
        '*' => (0, None, rest),
        '+' => (1, None, rest),
        '?' => (0, Some(1), rest),
        '{' => {
            let counts = rest.split_once('}').and_then(|(counts, rest)| {
                let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
                Some((least.parse().ok()?, Some(most.parse().ok()?), rest))
            });
            counts.unwrap_or(once)
        }
        _ => once,
    }
}

/// Adds the steps of the first part of a pattern, as often as it repeats.
fn repeat<'p>(pattern: &'p str, least: u8, most: Option<u8>, steps: &mut Vec<Step<'p>>) {
    let mut body = steps.len();
    for _ in 0..least {
        body = steps.len();
        part(pattern, steps);
    }
    // A fork that leads past the part: where that is, is known at the end.
    let mut exits = Vec::new();
    for _ in least..most.unwrap_or(1) {
        exits.push(steps.len());
        steps.push(Step::Fork(0));
        body = steps.len();
        part(pattern, steps);
    }
    if most.is_none() {
        steps.push(Step::Fork(body));
    }
    let end = steps.len();
    for exit in exits {
        if let Some(step) = steps.get_mut(exit) {
            *step = Step::Fork(end);
        }
    }
}

#[cfg(test)]
mod tests;
