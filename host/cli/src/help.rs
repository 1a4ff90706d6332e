//! Help texts: clap wraps them to the width of the terminal, and leaves the lines of examples whole, so that
//! people can copy them.

use std::ffi::OsString;

use clap::{Command, CommandFactory as _, FromArgMatches as _};

use super::Cli;

/// What stands for a space at which no line is broken.
const UNBROKEN: char = '\u{a0}';

/// The command line. Where the program is called by the name of another one, its usage is this one throughout.
pub(super) fn command(usage: Option<&str>) -> Command {
    let command = whole(Cli::command());
    match usage.map(str::to_owned) {
        Some(usage) => command.override_usage(&usage).mut_subcommands(|command| command.override_usage(&usage)),
        None => command,
    }
}

/// Parses a command line of a program whose usage may be another one. The help that comes of it is for
/// [`printable`].
pub(super) fn parse(arguments: &[OsString], usage: Option<&str>) -> Result<Cli, clap::Error> {
    let mut command = command(usage);
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The help of clap as it is printed.
pub(super) fn printable(help: &str) -> String {
    help.replace(UNBROKEN, " ")
}

/// A command whose help, and that of the commands in it, keeps the lines of its examples whole.
fn whole(command: Command) -> Command {
    let help = command.get_after_help().map(|help| unbroken(&help.to_string()));
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_subcommands(whole)
}

fn unbroken(help: &str) -> String {
    let mut is_example = false;
    let lines = help.lines().map(|line| {
        is_example = line == "Examples:" || is_example && !line.is_empty();
        if is_example { line.replace(' ', &UNBROKEN.to_string()) } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text below the options of a command and of those in it, and their help on a terminal of that width.
    fn helps(command: &Command, columns: usize, found: &mut Vec<(String, String)>) {
        if let Some(below) = command.get_after_help() {
            let help = whole(command.clone()).term_width(columns).render_long_help().to_string();
            found.push((below.to_string(), printable(&help)));
        }
        for inner in command.get_subcommands() {
            helps(inner, columns, found);
        }
    }

    #[test]
    fn no_line_below_the_options_is_broken() {
        for columns in [80, 100] {
            let mut found = Vec::new();
            helps(&Cli::command(), columns, &mut found);
            assert!(found.len() > 5);
            for (below, help) in found {
                for line in below.lines() {
                    assert!(help.lines().any(|shown| shown == line), "{columns} columns: {line}\n{help}");
                }
            }
        }
    }
}
