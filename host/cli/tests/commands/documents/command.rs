//! The commands of a `console` block, and what the page shows below each.

use super::block::Block;

/// A command, and the lines that the page shows below it.
pub struct Command {
    pub text: String,
    pub shown: Vec<String>,
}

/// The commands of a block. A line that ends with `\`, and one with a quote that is still open, goes on.
pub fn commands(block: &Block) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    for line in &block.lines {
        if let Some(command) = commands.last_mut().filter(|last| last.shown.is_empty() && last.goes_on()) {
            command.text = format!("{}\n{line}", command.text);
        } else if let Some(text) = line.strip_prefix("$ ") {
            commands.push(Command { text: text.to_owned(), shown: Vec::new() });
        } else if let Some(command) = commands.last_mut() {
            command.shown.push(line.clone());
        } else {
            return Err(format!("a `console` block starts with a command, `$ …`, and not with `{line}`"));
        }
    }
    if commands.is_empty() { Err("the block has no command".to_owned()) } else { Ok(commands) }
}

impl Command {
    fn goes_on(&self) -> bool {
        let quotes = |line: &str| line.split(" #").next().unwrap_or_default().matches('\'').count();
        self.text.ends_with('\\') || self.text.lines().map(quotes).sum::<usize>() % 2 == 1
    }

    /// Compares what was printed with what the page shows, if it shows anything.
    pub fn compare(&self, printed: &str) -> Result<(), String> {
        let trimmed = |lines: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            lines
        };
        let shown = trimmed(&mut self.shown.iter().map(String::as_str));
        let printed = trimmed(&mut printed.lines());
        if shown.is_empty() || is_like(&shown, &printed) {
            return Ok(());
        }
        Err(format!(
            "`{}` prints something else than the page shows\n--- the page\n{}\n--- printed\n{}",
            self.text,
            shown.join("\n"),
            printed.join("\n")
        ))
    }
}

/// Whether lines are those that a page shows; a line `…` there stands for any number of lines.
fn is_like(shown: &[String], printed: &[String]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        ([first, rest @ ..], _) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| is_like(rest, &printed[skipped..]))
        }
        ([first, rest @ ..], [line, others @ ..]) => is_line(first, line) && is_like(rest, others),
        _ => false,
    }
}

/// Whether a line is the one that a page shows; `…` there stands for any text.
fn is_line(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_page_may_leave_out_lines_and_ends_of_lines() {
    let is_like = |shown: &str, printed: &str| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        is_like(&lines(shown), &lines(printed))
    };
    assert!(is_like("a\nb", "a\nb"));
    assert!(!is_like("a", "a\nb"));
    assert!(!is_like("a\nb", "a"));
    assert!(is_like("a\n…", "a\nb\nc"));
    assert!(is_like("a\n…", "a"));
    assert!(is_like("a\n  …\nd", "a\nb\nc\nd"));
    assert!(!is_like("a\n…\nd", "a\nb\nc"));
    assert!(is_like("from … to …", "from here to there"));
    assert!(is_like("a … b … c", "a b b c b c"));
    assert!(!is_like("from … to", "from here to there"));
    assert!(!is_like("a…a", "a"));
}
