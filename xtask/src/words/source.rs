//! The identifiers and comments of a Rust file, without its strings.

/// A part of a file that has words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'s> {
    /// An identifier or a keyword.
    Identifier(&'s str),
    /// A comment, with its slashes. One that spans lines is one part.
    Comment(&'s str),
}

/// The parts of a file, each with the number of its line.
pub struct Parts<'s> {
    rest: &'s str,
    line: usize,
}

impl<'s> Parts<'s> {
    pub fn of(source: &'s str) -> Self {
        Self { rest: source, line: 1 }
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }
}

impl<'s> Iterator for Parts<'s> {
    type Item = (usize, Part<'s>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = self.rest.chars().next()?;
            let line = self.line;
            if let Some(length) = comment(self.rest) {
                return Some((line, Part::Comment(self.take(length))));
            }
            if let Some(length) = text(self.rest) {
                self.take(length);
            } else if is_word(first) {
                let length = self.rest.find(|char| !is_word(char)).unwrap_or(self.rest.len());
                return Some((line, Part::Identifier(self.take(length))));
            } else {
                self.take(first.len_utf8());
            }
        }
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The length of the comment with which a text begins.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of the string or character with which a text begins.
fn text(text: &str) -> Option<usize> {
    let prefix = text.find(|char: char| !matches!(char, 'b' | 'c' | 'r')).unwrap_or(text.len());
    let (prefix, rest) = text.split_at_checked(prefix)?;
    let hashes = rest.find(|char| char != '#').unwrap_or(rest.len());
    let (hashes, quoted) = rest.split_at_checked(hashes)?;
    if prefix.ends_with('r') && quoted.starts_with('"') {
        let end = format!("\"{hashes}");
        let length = quoted.get(1..)?.find(&end).map_or(quoted.len(), |at| 1 + at + end.len());
        return Some(prefix.len() + hashes.len() + length);
    }
    if !hashes.is_empty() {
        return None;
    }
    let mut chars = quoted.char_indices();
    match chars.next()?.1 {
        '"' => {}
        // `'a` is a lifetime, and `'a'` a character.
        '\'' if quoted.starts_with("'\\") || quoted.chars().nth(2) == Some('\'') => {}
        _ => return None,
    }
    let quote = quoted.chars().next()?;
    let mut is_escaped = false;
    for (at, char) in chars {
        if char == quote && !is_escaped {
            return Some(prefix.len() + at + 1);
        }
        is_escaped = char == '\\' && !is_escaped;
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_characters_have_no_words() {
        let source = "let a = \"// b \\\" c\"; // d\n\
                      f::<'e>('\\'', r#\"g \" h\"#, b'i', r\"j\"); /* k\n */ l_m";
        let parts: Vec<_> = Parts::of(source).collect();
        assert_eq!(
            parts,
            [
                (1, Part::Identifier("let")),
                (1, Part::Identifier("a")),
                (1, Part::Comment("// d")),
                (2, Part::Identifier("f")),
                (2, Part::Identifier("e")),
                (2, Part::Comment("/* k\n */")),
                (3, Part::Identifier("l_m")),
            ]
        );
    }
}
