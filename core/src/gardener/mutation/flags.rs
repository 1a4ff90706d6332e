//! Flags of commands.

/// Sets a flag: every text that begins with `prefix` gets the value, and where there is none, one is added.
/// Whether anything changes.
pub fn ensure_prefix(flags: &mut Vec<String>, prefix: &str, value: &str) -> bool {
    let wanted = format!("{prefix}{value}");
    let (mut is_there, mut changes) = (false, false);
    for flag in flags.iter_mut().filter(|flag| flag.starts_with(prefix)) {
        is_there = true;
        if *flag != wanted {
            flag.clone_from(&wanted);
            changes = true;
        }
    }
    if !is_there {
        flags.push(wanted);
    }
    changes || !is_there
}

/// The words of a command line of a unit: white space and backslashes stand between them.
pub fn from_command_line(line: &str) -> Vec<String> {
    let words = line.split(|char: char| char == '\\' || is_space(char));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A command line as Gardener writes it into units: one flag a line.
pub fn command_line(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [command] => command.clone(),
        [command, flags @ ..] => format!("{command} {}", flags.join(" \\\n    ")),
    }
}

/// What `\s` of Go's regular expressions matches.
const fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_of_the_prefix_gets_the_value() {
        let table: [(&[&str], &[&str], bool); 5] = [
            (&[], &["--a=x"], true),
            (&["/c", "--b=1"], &["/c", "--b=1", "--a=x"], true),
            (&["--a=", "--b", "--a=y"], &["--a=x", "--b", "--a=x"], true),
            (&["--a=x", "--ab=y"], &["--a=x", "--ab=y"], false),
            (&["--a", "x"], &["--a", "x", "--a=x"], true),
        ];
        for (before, after, changes) in table {
            let mut flags: Vec<String> = before.iter().map(|&flag| flag.to_owned()).collect();
            assert_eq!(ensure_prefix(&mut flags, "--a=", "x"), changes, "{before:?}");
            assert_eq!(flags, after, "{before:?}");
        }
    }

    #[test]
    fn command_lines_are_split_at_spaces_and_backslashes_and_joined_a_flag_a_line() {
        let table = [
            ("", ""),
            ("/c", "/c"),
            ("/c --a", "/c --a"),
            ("/c --a \\\n    --b\t--c", "/c --a \\\n    --b \\\n    --c"),
            ("/c \\\n --a=$B \\\n", "/c --a=$B"),
            ("  /c\\--a", "/c --a"),
            ("/c --a=\u{a0}b", "/c --a=\u{a0}b"),
        ];
        for (line, joined) in table {
            let words = from_command_line(line);
            assert_eq!(command_line(&words), joined, "{line}");
            assert_eq!(from_command_line(joined), words, "{line}");
        }
    }
}
