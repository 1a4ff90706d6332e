//! Random templates with random values: what the tree makes is what Handlebars makes.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::{Map, Value, json};

use super::handlebars::Oracle;
use super::hostile::tries;
use super::language::{START, filled};

/// How often the ordinary run tries it.
const TRIES: u32 = 1_500;
/// Most blocks, lists and mappings in each other.
const DEPTH: usize = 4;

/// Random choices, which a test makes smaller when it fails.
struct Choices<'c>(std::slice::Iter<'c, u8>);

impl Choices<'_> {
    /// One of so many; the first one when no choice is left.
    fn of(&mut self, count: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % count.max(1)
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.of(all.len())]
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Text, a number or a boolean.
    Scalar,
    /// Anything without members that paths lead to.
    Other,
    /// A list or an object of scalars.
    Scalars,
    /// A list or an object of `Record`.
    Records,
    /// An object with the members of [`MEMBERS`].
    Record,
}

/// The members of a record.
const MEMBERS: [(&str, Kind); 9] = [
    ("text", Kind::Scalar),
    ("number", Kind::Scalar),
    ("flag", Kind::Scalar),
    ("nothing", Kind::Other),
    ("list", Kind::Scalars),
    ("map", Kind::Scalars),
    ("records", Kind::Records),
    ("named", Kind::Records),
    ("inner", Kind::Record),
];

const TEXTS: [&str; 14] = [
    "",
    "a",
    "\"",
    "\\",
    "'",
    "\n",
    " a",
    "{{text}}",
    "}}",
    ": ",
    "# a",
    "\u{85}\u{2028}\u{feff}",
    "null",
    "- 🌱\t\0",
];

fn scalar(choices: &mut Choices<'_>) -> Value {
    match choices.of(6) {
        0 => json!(choices.of(3)),
        1 => json!(-7),
        2 => json!(1.5),
        3 => json!(choices.of(2) == 1),
        _ => json!(choices.one(&TEXTS)),
    }
}

fn list(choices: &mut Choices<'_>, item: &mut dyn FnMut(&mut Choices<'_>) -> Value) -> Value {
    (0..choices.of(4)).map(|_| item(choices)).collect()
}

fn named(choices: &mut Choices<'_>, item: &mut dyn FnMut(&mut Choices<'_>) -> Value) -> Value {
    // Each key once, whatever its text.
    (0..choices.of(4))
        .map(|index| (format!("{index}{}", choices.one(&TEXTS)), item(choices)))
        .collect::<Map<_, _>>()
        .into()
}

fn record(choices: &mut Choices<'_>, depth: usize) -> Value {
    let mut record = json!({
        "text": choices.one(&TEXTS), "number": choices.of(3), "flag": choices.of(2) == 1, "nothing": null,
        "list": list(choices, &mut scalar), "map": named(choices, &mut scalar), "records": [], "named": {}, "inner": {},
    });
    // Deeper records are short, and no path leads into what the deepest ones lack.
    if depth < DEPTH {
        record["inner"] = self::record(choices, depth + 1);
        record["records"] = list(choices, &mut |choices| self::record(choices, depth + 2));
        record["named"] = named(choices, &mut |choices| self::record(choices, depth + 2));
    }
    record
}

/// What paths begin with, and whether it is the item of a block `each`, and which.
#[derive(Clone, Copy)]
struct Scope {
    kind: Kind,
    /// How many records the paths have gone into.
    depth: usize,
    /// Whether `@index` is there.
    is_each: bool,
}

struct Writer<'c> {
    choices: Choices<'c>,
    scopes: Vec<Scope>,
    /// The blocks that repeat the mapping that is written, by their places among the scopes.
    repeats: Vec<usize>,
    keys: usize,
    text: String,
}

impl Writer<'_> {
    /// A path to a value of one of these kinds, and what the value is.
    fn path(&mut self, kinds: &[Kind]) -> Option<(String, Scope)> {
        for _ in 0..8 {
            let up = self.choices.of(self.scopes.len());
            let scope = self.scopes[self.scopes.len() - 1 - up];
            let start = "../".repeat(up);
            if scope.kind != Kind::Record {
                if kinds.contains(&scope.kind) {
                    return Some((format!("{start}this"), scope));
                }
                continue;
            }
            let (name, kind) = self.choices.one(&MEMBERS);
            let goes_in = matches!(kind, Kind::Record | Kind::Records);
            let depth = scope.depth + if kind == Kind::Records { 2 } else { usize::from(goes_in) };
            // What the deepest records hold is empty.
            if kinds.contains(&kind) && (!goes_in || scope.depth < DEPTH) {
                let this = if self.choices.of(4) == 0 { "this." } else { "" };
                return Some((format!("{start}{this}{name}"), Scope { kind, depth, is_each: false }));
            }
        }
        None
    }

    /// A text in double quotes.
    fn quoted(&mut self, start: &str) -> String {
        let mut text = format!("\"{start}");
        for _ in 0..self.choices.of(3) {
            text.push_str(self.choices.one(&["", " ", "a: ", "\\n", "\\\"", "{ ", "#"]));
            if let Some((path, _)) = self.path(&[Kind::Scalar]) {
                let _ = write!(text, "{{{{{path}}}}}");
            }
            if self.scopes.last().is_some_and(|scope| scope.is_each) && self.choices.of(3) == 0 {
                text.push_str("{{@index}}");
            }
        }
        text + "\""
    }

    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", " ".repeat(indent));
    }

    /// A key that no other one equals.
    fn key(&mut self) -> String {
        self.keys += 1;
        let mut key = format!("k{}", self.keys);
        for place in self.repeats.clone() {
            let up = "../".repeat(self.scopes.len() - 1 - place);
            let _ = write!(key, "-{{{{@{up}index}}}}");
        }
        if self.choices.of(5) == 0
            && let Some((path, _)) = self.path(&[Kind::Scalar])
        {
            let _ = write!(key, "={{{{{path}}}}}");
        }
        if key.contains("{{") { format!("\"{key}\"") } else { key }
    }

    /// What stands behind a key or a dash.
    fn value(&mut self, depth: usize) -> String {
        match self.choices.of(4) {
            0 => self
                .choices
                .one(&["a", "1", "true", "null", "", "[]", "{}", "[a, 1]", "'{'", "\"\\u2028\""])
                .to_owned(),
            1 if depth < DEPTH => {
                match self.path(&[Kind::Scalar, Kind::Other, Kind::Scalars, Kind::Records, Kind::Record]) {
                    Some((path, _)) => format!("{{{{toJson {path}}}}}"),
                    None => "2".to_owned(),
                }
            }
            _ => self.quoted(""),
        }
    }

    fn members(&mut self, indent: usize, depth: usize) {
        for _ in 0..=self.choices.of(3) {
            match self.choices.of(if depth < DEPTH { 6 } else { 3 }) {
                0..=2 => {
                    let (key, value) = (self.key(), self.value(depth));
                    self.line(indent, &format!("{key}: {value}"));
                }
                3 => {
                    let key = self.key();
                    self.line(indent, &format!("{key}:"));
                    let repeats = std::mem::take(&mut self.repeats);
                    if self.choices.of(2) == 0 {
                        self.members(indent + 2, depth + 1);
                    } else {
                        let further = self.choices.one(&[0, 2]);
                        self.items(indent + further, depth + 1);
                    }
                    self.repeats = repeats;
                }
                _ => self.block(indent, depth, true),
            }
        }
    }

    fn items(&mut self, indent: usize, depth: usize) {
        for _ in 0..=self.choices.of(3) {
            match self.choices.of(if depth < DEPTH { 5 } else { 2 }) {
                0 | 1 => {
                    let value = self.value(depth);
                    self.line(indent, &format!("- {value}"));
                }
                2 => {
                    let repeats = std::mem::take(&mut self.repeats);
                    let (key, value) = (self.key(), self.value(depth));
                    self.line(indent, &format!("- {key}: {value}"));
                    self.members(indent + 2, depth + 1);
                    self.repeats = repeats;
                }
                _ => self.block(indent, depth, false),
            }
        }
    }

    fn block(&mut self, indent: usize, depth: usize, in_mapping: bool) {
        let all = [Kind::Scalar, Kind::Other, Kind::Scalars, Kind::Record];
        let (name, kinds): (_, &[Kind]) = match self.choices.of(5) {
            0 | 1 => ("if", &all),
            2 => ("unless", &all),
            3 => ("with", &[Kind::Record]),
            _ => ("each", &[Kind::Scalars, Kind::Records]),
        };
        let Some((path, found)) = self.path(kinds) else {
            return self.line(indent, if in_mapping { "# none" } else { "- 1" });
        };
        let before = self.repeats.clone();
        let inner = match (name, found.kind) {
            ("each", Kind::Records) => Some(Scope { kind: Kind::Record, is_each: true, ..found }),
            ("each", _) => Some(Scope { kind: Kind::Scalar, is_each: true, ..found }),
            ("with", _) => Some(found),
            _ => None,
        };
        self.line(indent, &format!("{{{{#{name} {path}}}}}"));
        if let Some(scope) = inner {
            self.scopes.push(scope);
            if scope.is_each {
                self.repeats.push(self.scopes.len() - 1);
            }
        }
        self.part(indent, depth, in_mapping);
        if inner.is_some() {
            self.scopes.pop();
        }
        self.repeats = before;
        if self.choices.of(2) == 0 {
            self.line(indent, "{{else}}");
            self.part(indent, depth, in_mapping);
        }
        self.line(indent, &format!("{{{{/{name}}}}}"));
    }

    fn part(&mut self, indent: usize, depth: usize, in_mapping: bool) {
        // A block that holds comments alone does not compile.
        if in_mapping {
            let key = self.key();
            self.line(indent, &format!("{key}: b"));
            self.members(indent, depth + 1);
        } else {
            self.line(indent, "- b");
            self.items(indent, depth + 1);
        }
    }
}

#[test]
fn random_templates_make_what_handlebars_makes() {
    let filled_ones = std::cell::Cell::new(0_u32);
    let property = |(template, values): (Vec<u8>, Vec<u8>)| {
        let values = record(&mut Choices(values.iter()), 0);
        let root = Scope { kind: Kind::Record, depth: 0, is_each: false };
        let mut writer = Writer {
            choices: Choices(template.iter()),
            scopes: vec![root],
            repeats: Vec::new(),
            keys: 0,
            text: START.to_owned(),
        };
        writer.members(0, 0);
        let template = writer.text;
        let filled =
            filled(&template, &values).map_err(|error| TestCaseError::fail(format!("{error}\n{template}")))?;
        let oracle = Oracle::render_once(&template, &values)
            .map_err(|error| TestCaseError::fail(format!("{error}\n{template}\n{values}")))?;
        prop_assert_eq!(filled.to_string(), oracle.to_string(), "{}\n{}", template, values);
        filled_ones.set(filled_ones.get() + u32::from(template.contains("{{#")));
        Ok(())
    };
    let bytes = (vec(any::<u8>(), 0..160), vec(any::<u8>(), 0..200));
    TestRunner::new(tries(TRIES)).run(&bytes, property).unwrap_or_else(|error| panic!("{error}"));
    assert!(filled_ones.get() > TRIES / 2, "{} have blocks", filled_ones.get());
}
