//! Units of systemd, as the library reads and writes them that Gardener uses, but with their comments.

use std::collections::BTreeMap;

/// A unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// What stands before the first section: comments.
    head: Vec<String>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    section: String,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Comment(String),
    Option { name: String, value: String },
}

/// Why a unit cannot be read. No error shows what a unit says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// A line is no option.
    #[error("line {0} has no `=`")]
    NoOption(usize),
    /// A section has no end.
    #[error("line {0} begins a section, and has no `]` at its end")]
    NoSection(usize),
}

impl Unit {
    /// Reads a unit.
    pub fn read(text: &str) -> Result<Self, UnitError> {
        let mut unit = Self::default();
        let mut current: Option<String> = None;
        let mut lines = text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            let trimmed = line.trim();
            if trimmed.is_empty() {
                continue;
            }
            if let Some(rest) = trimmed.strip_prefix('[') {
                let name = rest.strip_suffix(']').filter(|name| !name.contains(']'));
                current = Some(name.ok_or(UnitError::NoSection(number))?.to_owned());
                continue;
            }
            // What stands before the first section means nothing, whatever it is.
            let Some(section) = &current else {
                unit.head.push(line.trim_end().to_owned());
                continue;
            };
            if trimmed.starts_with(['#', ';']) {
                unit.add(section, Content::Comment(trimmed.to_owned()));
                continue;
            }
            let (name, first) = line.split_once('=').ok_or(UnitError::NoOption(number))?;
            let mut value = first.to_owned();
            while value.ends_with('\\') {
                match lines.next() {
                    Some((next, _)) if !next.trim().is_empty() => {
                        value.push('\n');
                        value.push_str(next);
                    }
                    // A blank line ends the value.
                    _ => break,
                }
            }
            // A backslash before a blank line continues with nothing; rewritten, it would take in the next
            // line.
            let value = value.trim_start().trim_end_matches(|char: char| char == '\\' || char.is_whitespace());
            let (name, value) = (name.trim().to_owned(), value.to_owned());
            unit.add(section, Content::Option { name, value });
        }
        Ok(unit)
    }

    /// The first value of an option.
    pub fn value(&self, section: &str, option: &str) -> Option<&str> {
        self.options(section).find(|(name, _)| *name == option).map(|(_, value)| value)
    }

    /// Replaces the first value of an option, where there is one.
    pub fn replace(&mut self, section: &str, option: &str, by: String) {
        let in_section = self.lines.iter_mut().filter(|line| line.section == section);
        let mut values = in_section.filter_map(|line| match &mut line.content {
            Content::Option { name, value } if name == option => Some(value),
            _ => None,
        });
        if let Some(value) = values.next() {
            *value = by;
        }
    }

    /// Adds an option to the end of its section, unless the section has the option with that value. Whether
    /// anything changes.
    pub fn ensure(&mut self, section: &str, option: &str, value: &str) -> bool {
        if self.options(section).any(|known| known == (option, value)) {
            return false;
        }
        self.add(section, Content::Option { name: option.to_owned(), value: value.to_owned() });
        true
    }

    fn add(&mut self, section: &str, content: Content) {
        self.lines.push(Line { section: section.to_owned(), content });
    }

    fn options(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().filter(move |line| line.section == section).filter_map(|line| match &line.content {
            Content::Option { name, value } => Some((name.as_str(), value.as_str())),
            Content::Comment(_) => None,
        })
    }

    /// The text of the unit: sections of one name are one, and a blank line stands between sections.
    pub fn write(&self) -> String {
        let mut order: Vec<&str> = Vec::new();
        let mut sections: BTreeMap<&str, Vec<&Content>> = BTreeMap::new();
        for line in &self.lines {
            let lines = sections.entry(&line.section).or_default();
            if lines.is_empty() {
                order.push(&line.section);
            }
            lines.push(&line.content);
        }
        let mut text: String = self.head.iter().flat_map(|line| [line, "\n"]).collect();
        for name in order {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.extend([gap, "[", name, "]\n"]);
            for content in sections.get(name).into_iter().flatten() {
                match content {
                    Content::Comment(comment) => text.extend([comment, "\n"]),
                    Content::Option { name, value } => text.extend([name, "=", value, "\n"]),
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_a_section_apart_with_their_comments() {
        let table = [
            ("", ""),
            ("[A]\nx=1\n[B]\n\n y = 2 \n", "[A]\nx=1\n\n[B]\ny=2\n"),
            ("# head\n[A]\n# about x\nx=1\n; or so\n[C]\n", "# head\n\n[A]\n# about x\nx=1\n; or so\n"),
            ("[A]\nx=1\n[B]\ny=1\n[A]\nz=1\n", "[A]\nx=1\nz=1\n\n[B]\ny=1\n"),
            ("[A]\nx=a \\\n   b \\\n c=d\ny=1\n", "[A]\nx=a \\\n   b \\\n c=d\ny=1\n"),
            ("[A]\nx=a \\\n\ny=1\n", "[A]\nx=a\ny=1\n"),
            ("[A]\r\nx=1\r\n", "[A]\nx=1\n"),
            ("[A]\n# ends so \\\nx=1\n", "[A]\n# ends so \\\nx=1\n"),
        ];
        for (text, written) in table {
            assert_eq!(Unit::read(text).map(|unit| unit.write()).as_deref(), Ok(written), "{text}");
        }
    }

    #[test]
    fn lines_that_are_no_option_are_refused() {
        for (text, error) in [
            ("[A]\nx=1\nno sign\n", UnitError::NoOption(3)),
            ("[A]\nx=1\nno sign", UnitError::NoOption(3)),
            ("[A\nx=1\n", UnitError::NoSection(1)),
            ("[A] x=1\n", UnitError::NoSection(1)),
        ] {
            assert_eq!(Unit::read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn options_are_found_replaced_and_added_once() {
        let mut unit = Unit::read("[A]\nx=1\n[B]\nx=2\nx=3\n").unwrap();
        assert_eq!((unit.value("B", "x"), unit.value("B", "y"), unit.value("C", "x")), (Some("2"), None, None));
        unit.replace("B", "x", "4".to_owned());
        assert!(unit.ensure("A", "x", "5"));
        assert!(!unit.ensure("A", "x", "5"));
        assert!(unit.ensure("C", "z", "6"));
        assert_eq!(unit.write(), "[A]\nx=1\nx=5\n\n[B]\nx=4\nx=3\n\n[C]\nz=6\n");
    }
}
