//! Common mistakes in YAML: the error points to the line that is wrong, and says what to do.

use super::*;

const SHOOT: &str = "\
kind: Shoot
metadata:
  name: crazy
  labels:
    team: a
spec:
  region: north
  cloudProfile:
    kind: CloudProfile
    name: acme
  provider:
    workers:
    - name: worker
      minimum: 1
      maximum: 2
  networking:
    type: calico
    nodes: 10.250.0.0/16
";

/// The Shoot with other text in one line.
fn with(line: usize, text: &str) -> String {
    let lines = SHOOT.lines().enumerate().map(|(at, old)| if at + 1 == line { text } else { old });
    lines.fold(String::new(), |shoot, line| shoot + line + "\n")
}

#[test]
fn a_mistake_is_shown_in_its_own_line() {
    let table = [
        ("tab", 7, "\tregion: north", "spaces"),
        ("tab behind spaces", 7, "  \tregion: north", "spaces"),
        ("tab of an item", 13, "\t- name: worker", "spaces"),
        ("no colon", 7, "  region north", "space behind the colon"),
        ("no colon above a block", 8, "  cloudProfile", "space behind the colon"),
        ("no colon at the end of a block", 10, "    name acme", "space behind the colon"),
        ("no colon in the last line", 18, "    nodes 10.250.0.0/16", "space behind the colon"),
        ("no colon at the end of an item", 15, "      maximum 2", "space behind the colon"),
        ("no space behind the colon", 7, "  region:north", "space behind the colon"),
        ("words", 7, "some words", "space behind the colon"),
        ("conflict", 7, "<<<<<<< HEAD", "space behind the colon"),
        ("no space behind the dash", 13, "    -name: worker", "space behind the dash"),
        ("indented too far", 7, "    region: north", "as far as"),
        ("indented too far, second", 15, "       maximum: 2", "indentation"),
        ("not indented enough", 15, "     maximum: 2", "indentation"),
        ("double quote", 7, "  region: \"north", "close the quote"),
        ("single quote", 7, "  region: 'north", "close the quote"),
        ("quote in the last line", 18, "    nodes: \"10.250.0.0/16", "close the quote"),
        ("bracket", 7, "  region: [north", "close the bracket"),
        ("brace", 7, "  region: {a: north", "close the bracket"),
        ("bracket in the last line", 18, "    nodes: [10.250.0.0/16", "close the bracket"),
        ("bracket without its partner", 7, "  region: ]", "partner"),
        ("two colons", 7, "  region: north: south", "quote the value"),
        ("key twice", 4, "  name: crazy", "keep one"),
        ("stray dash", 7, "  - region: north", "remove the dash"),
        ("stray dash, second", 8, "  - cloudProfile:", "indentation"),
        ("dash alone", 16, "-", "indentation"),
        ("at sign", 7, "  region: @north", "quote"),
        ("text behind a quote", 7, "  region: \"north\" south", "quotes"),
        ("value and block", 10, "    name: acme: b", "quote"),
    ];
    for (name, line, text, help) in table {
        let shoot = with(line, text);
        let error = read("t.yaml", shoot.as_bytes()).expect_err(name);
        let place = error.span.map(|span| error.input.position(span.start).line);
        assert_eq!(place, Some(line), "{name}: {error}\n{shoot}");
        let reported = error.problem.help();
        assert!(reported.contains(help), "{name}: {error}: {reported}");
    }
}

#[test]
fn where_the_lines_above_leave_a_doubt_the_error_stays_where_the_parser_is() {
    let table = [
        ("a: some\n  more\n  b: c\n", 3),
        ("a: |\n  some: text\n b: c\n", 3),
        ("a:\n    b: 1\n    c: 2\n  d: 3\n", 4),
        ("a:\n- b: 1\n- c: 2\nd\n", 4),
        ("a: [\n  b,\n  c: d: e\n]\n", 3),
        ("a: b: c\n", 1),
        ("a: \"\\ud83d\\ude00\"\n", 1),
        ("{a: 1}\n{b: 2}\n", 2),
        ("- a\nb: c\n", 2),
    ];
    for (text, line) in table {
        let error = read("t.yaml", text.as_bytes()).expect_err(text);
        let place = error.span.map(|span| error.input.position(span.start).line);
        assert_eq!(place, Some(line), "{text}: {error}");
        assert!(!error.problem.help().is_empty());
    }
}
