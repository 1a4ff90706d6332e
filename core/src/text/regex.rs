//! The regular expressions of the existing extensions.
//!
//! The module knows what their patterns use: characters, escapes, classes, groups, and how often a part repeats.
//! The tests compare it with the `regex` crate, on every pattern. A whole engine would be a third of a browser's
//! download, and would compile each pattern for longer than this module needs to match it.

/// What a text does to match a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step<'p> {
    /// Takes a character of a class, and goes on with the next step. The class is written as between `[` and `]`.
    Take(&'p [u8]),
    /// Goes on with the next step, and also with this one.
    Fork(usize),
}

/// Whether the whole text matches a pattern of the form `^…$`, which is ASCII. As in Go, `\w`, `\d` and `\s` are
/// ASCII.
///
/// However the text is, the time is at most proportional to its length times that of the pattern.
pub fn matches_regex(text: &str, pattern: &str) -> bool {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let pattern = pattern.strip_suffix('$').unwrap_or(pattern);
    let Some((text, pattern)) = behind_literals(text, pattern.as_bytes()) else { return false };
    // Most patterns end with `[…]+`.
    if let [b'[', class @ .., b']', b'+'] = pattern
        && class_length(class) == class.len()
    {
        return !text.is_empty() && text.chars().all(|char| has(class, char));
    }
    let mut steps = Vec::with_capacity(pattern.len());
    sequence(pattern, &mut steps);
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

/// What of a text and a pattern follows the characters that the pattern begins with; none where the text has
/// others.
fn behind_literals<'t, 'p>(mut text: &'t str, mut pattern: &'p [u8]) -> Option<(&'t str, &'p [u8])> {
    while let [literal @ (b'a'..=b'z' | b'-' | b':'), rest @ ..] = pattern
        && !matches!(rest, [b'*' | b'+' | b'?' | b'{', ..])
    {
        text = text.strip_prefix(char::from(*literal))?;
        pattern = rest;
    }
    Some((text, pattern))
}

/// The longest pattern of an operator that is matched, and how deep its groups may be. Both are limited, because a
/// pattern takes time to read.
const MAX_PATTERN: usize = 512;
const MAX_DEPTH: usize = 3;

/// Whether a pattern that an operator wrote occurs in a text; `None` where the pattern has what this module does
/// not know: alternatives, flags, anchors inside, counted, lazy or other rare parts.
pub fn finds(text: &str, pattern: &str) -> Option<bool> {
    let body = pattern.strip_prefix('^').unwrap_or(pattern);
    let (body, is_to_end) = match body.strip_suffix('$') {
        Some(rest) if !rest.ends_with('\\') => (rest, true),
        _ => (body, false),
    };
    if !is_known(body) {
        return None;
    }
    // The class of all characters.
    let before = if pattern.starts_with('^') { "" } else { "[^]*" };
    let after = if is_to_end { "" } else { "[^]*" };
    Some(matches_regex(text, &format!("{before}{body}{after}")))
}

/// Whether a pattern without anchors has only what this module knows.
fn is_known(pattern: &str) -> bool {
    let (mut depth, mut is_class, mut is_repeated, mut is_first) = (0_usize, false, false, true);
    let mut bytes = pattern.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let was_repeated = std::mem::take(&mut is_repeated);
        let was_first = std::mem::take(&mut is_first);
        match byte {
            b'\\' => match bytes.next() {
                Some(b'd' | b'w' | b's' | b'n') => {}
                Some(escaped) if escaped.is_ascii_punctuation() => {}
                _ => return false,
            },
            b']' if is_class => is_class = false,
            _ if is_class => {
                if byte == b'[' || !byte.is_ascii_graphic() {
                    return false;
                }
            }
            b'[' => {
                bytes.next_if_eq(&b'^');
                if bytes.peek() == Some(&b']') {
                    return false;
                }
                is_class = true;
            }
            b'(' => {
                depth += 1;
                is_first = true;
            }
            b')' if depth > 0 && !was_first => depth -= 1,
            b'*' | b'+' | b'?' if !was_repeated && !was_first => is_repeated = true,
            b'*' | b'+' | b'?' | b'{' | b'}' | b'|' | b'^' | b'$' | b')' | b']' => return false,
            _ if byte.is_ascii_graphic() => {}
            _ => return false,
        }
        if depth > MAX_DEPTH {
            return false;
        }
    }
    depth == 0 && !is_class && pattern.len() <= MAX_PATTERN
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
fn has(class: &[u8], char: char) -> bool {
    let (mut members, is_negated) = match class {
        [b'^', members @ ..] => (members, true),
        members => (members, false),
    };
    // A pattern is ASCII, so that no member is another character.
    let byte = if char.is_ascii() { u8::try_from(char).unwrap_or(u8::MAX) } else { u8::MAX };
    let mut found = false;
    loop {
        let (is_member, rest) = match members {
            [b'\\', escaped, rest @ ..] => (is_escaped(*escaped, byte), rest),
            [first, b'-', last, rest @ ..] => ((first..=last).contains(&&byte), rest),
            [literal, rest @ ..] => (*literal == byte, rest),
            [] => return found != is_negated,
        };
        found |= is_member;
        members = rest;
    }
}

/// Whether a character is what an escape stands for.
fn is_escaped(escaped: u8, byte: u8) -> bool {
    match escaped {
        b'd' => byte.is_ascii_digit(),
        b'w' => byte.is_ascii_alphanumeric() || byte == b'_',
        b's' => b"\t\n\x0c\r ".contains(&byte),
        b'n' => byte == b'\n',
        literal => byte == literal,
    }
}

/// Adds the steps of a pattern, up to its end or to the end of the group. Gives what follows.
fn sequence<'p>(mut pattern: &'p [u8], steps: &mut Vec<Step<'p>>) -> &'p [u8] {
    loop {
        match pattern {
            [] => return pattern,
            [b')', rest @ ..] => return rest,
            _ => {}
        }
        let start = steps.len();
        let (least, most, rest) = repeats(part(pattern, steps));
        if (least, most) != (1, Some(1)) {
            steps.truncate(start);
            repeat(pattern, least, most, steps);
        }
        pattern = rest;
    }
}

/// Adds the steps of the first part of a pattern, once. Gives what follows.
fn part<'p>(pattern: &'p [u8], steps: &mut Vec<Step<'p>>) -> &'p [u8] {
    let (class, rest) = match pattern {
        [b'(', group @ ..] => return sequence(group, steps),
        [b'[', class @ ..] => {
            let (class, rest) = class.split_at(class_length(class));
            (class, rest.split_first().map_or(rest, |(_, rest)| rest))
        }
        [b'\\', ..] => pattern.split_at(pattern.len().min(2)),
        // Any character of a line.
        [b'.', rest @ ..] => (b"^\n".as_slice(), rest),
        _ => pattern.split_at(pattern.len().min(1)),
    };
    steps.push(Step::Take(class));
    rest
}

/// How long a class is, up to its `]`.
fn class_length(class: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = class.iter().position(|byte| {
        let is_end = *byte == b']' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(class.len())
}

/// How often a part repeats, at least and at most, and what follows.
fn repeats(pattern: &[u8]) -> (u8, Option<u8>, &[u8]) {
    match pattern {
        [b'*', rest @ ..] => (0, None, rest),
        [b'+', rest @ ..] => (1, None, rest),
        [b'?', rest @ ..] => (0, Some(1), rest),
        [b'{', counts @ ..] => {
            let (least, rest) = number(counts);
            let (most, rest) = match rest {
                [b',', b'}', ..] => (None, rest.get(1..).unwrap_or_default()),
                [b',', rest @ ..] => {
                    let (most, rest) = number(rest);
                    (Some(most), rest)
                }
                _ => (Some(least), rest),
            };
            (least, most, rest.strip_prefix(b"}").unwrap_or(rest))
        }
        _ => (1, Some(1), pattern),
    }
}

/// The number at the beginning of a pattern, and what follows.
fn number(mut pattern: &[u8]) -> (u8, &[u8]) {
    let mut number = 0_u8;
    while let [digit @ b'0'..=b'9', rest @ ..] = pattern {
        number = number.saturating_mul(10).saturating_add(digit - b'0');
        pattern = rest;
    }
    (number, pattern)
}

/// Adds the steps of the first part of a pattern, as often as it repeats.
fn repeat<'p>(pattern: &'p [u8], least: u8, most: Option<u8>, steps: &mut Vec<Step<'p>>) {
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
