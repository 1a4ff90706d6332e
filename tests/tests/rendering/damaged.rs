//! Damaged templates: compiling answers with a tree, or with an error that names a line of the text.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;
use trellis_templates::{Bundle, code, compile};

use super::hostile::tries;

/// How often the ordinary run tries it.
const TRIES: u32 = 3_000;

/// What is put into a template.
const PIECES: [&str; 30] = [
    "",
    "\n",
    " ",
    "  ",
    "\t",
    "\"",
    "'",
    ":",
    ": ",
    "- ",
    "#",
    "{{",
    "}}",
    "{{#if a}}\n",
    "{{else}}\n",
    "{{/if}}\n",
    "{{#each a}}\n",
    "{{/each}}\n",
    "{{toJson a}}",
    "{{a}}",
    "{{! a }}",
    "|\n",
    ">-\n",
    "? ",
    "&a ",
    "*a",
    "!!a ",
    "---\n",
    "\u{e000}",
    "\\ue000",
];

#[test]
fn a_damaged_template_compiles_or_names_a_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("fuzz").join("corpus/template");
    let mut seeds: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    seeds.sort();
    let damage = (any::<Index>(), any::<Index>(), 0_usize..12, select(&PIECES[..]));
    let property = |(mut text, damages): (String, Vec<(Index, Index, usize, &str)>)| {
        for (place, from, length, piece) in damages {
            let char = |index: &Index| index.index(text.chars().count() + 1);
            let (start, from) = (char(&place), char(&from));
            let moved: String =
                if piece.is_empty() { text.chars().skip(from).take(40).collect() } else { piece.to_owned() };
            let rest: String = text.chars().skip(start + length).collect();
            text = text.chars().take(start).chain(moved.chars()).collect::<String>() + &rest;
        }
        match compile("t", &text) {
            Ok(template) => {
                let bundle = Bundle { name: "t".to_owned(), templates: vec![template] };
                prop_assert!(!code(&[bundle]).is_empty());
            }
            Err(error) => {
                // YAML names the line behind the last one where something has no end.
                let is_there = (1..=text.lines().count() + 1).contains(&error.line);
                prop_assert!(is_there, "{}\n{}", error, text);
            }
        }
        Ok(())
    };
    TestRunner::new(tries(TRIES)).run(&(select(seeds), vec(damage, 1..5)), property).unwrap();
}
