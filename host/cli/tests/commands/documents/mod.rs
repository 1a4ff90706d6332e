//! What people type because a page says so, works.
//!
//! The pages are README.md, CONTRIBUTING.md, `docs/`, and the READMEs of `web/` and `charts-templates/`. Each
//! fenced block names its language, and that decides what becomes of it here:
//!
//! | language | what becomes of the block |
//! |---|---|
//! | `console` | each line that starts with `$ ` is run; what the page shows below it is what has to be printed. `…` stands for the rest of a line, or on a line of its own for any number of lines |
//! | `json` | lines that have a `command` go to the landscape, or with an `id` to `gardenlet-driver`; all else is only shown |
//! | `js`, `python`, `rust`, `ts`, `vue` | another test runs it: [`way::ELSEWHERE`] |
//! | `text` | it is only shown |
//!
//! - A command runs in a new folder that has what pages presume, such as `shoot.yaml`: [`stage`](self::stage). It
//!   exits with 0, unless the line before the block is `<!-- exits with 1 -->`.
//! - `trellis serve`, `simulate`, `run` and `admission` have to say that they serve, and end with 0 on Ctrl-C.
//! - Of `make` and `cargo test`, what they name has to be there and has to be what CI runs.
//! - What cannot be run here has a mark in the line before the block:
//!   `<!-- not run: REASON; nearest test: NAME OF A TEST -->`. There are at most [`MARKS`] of them.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic, the inputs are our own"
)]

mod block;
mod command;
mod garden;
mod names;
mod program;
mod stage;
mod way;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use block::{Block, Note, blocks};
use names::Names;
use stage::Stage;
use way::Way;

/// How many blocks may be marked.
const MARKS: usize = 10;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Fails with all complaints.
fn no(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints\n\n{}", complaints.len(), complaints.join("\n\n"));
}

#[test]
fn each_block_of_a_page_is_run_or_says_why_not() {
    let (blocks, names) = (blocks(&root()), Names::read(&root()));
    assert!(blocks.len() > 50, "the pages are found");
    let complaints: Vec<String> = blocks
        .iter()
        .filter_map(|block| way::ways(block, &names).err().map(|why| format!("{}: {why}", block.place())))
        .collect();
    no(&complaints);
}

#[test]
fn at_most_ten_blocks_are_marked_and_each_names_a_test_that_comes_near() {
    no(&wrong_marks(&blocks(&root()), &names::tests(&root())));
}

/// What is wrong with the marks of these blocks, where these tests are there.
fn wrong_marks(blocks: &[Block], tests: &BTreeSet<String>) -> Vec<String> {
    let marked = blocks.iter().filter_map(|block| match &block.note {
        Note::NotRun { nearest, .. } => Some((block.place(), nearest)),
        _ => None,
    });
    let (known, unknown): (Vec<_>, Vec<_>) = marked.partition(|(_, nearest)| tests.contains(*nearest));
    let count = known.len() + unknown.len();
    let places: Vec<String> = known.into_iter().map(|(place, _)| place).collect();
    let mut wrong: Vec<String> =
        unknown.into_iter().map(|(place, nearest)| format!("{place}: no test has the name `{nearest}`")).collect();
    if count > MARKS {
        wrong.push(format!("{count} blocks are marked as not run, and {MARKS} may be: {}", places.join(", ")));
    }
    wrong
}

#[test]
fn an_eleventh_mark_and_one_that_names_no_test_are_wrong() {
    let page = "<!-- not run: it is far away; nearest test: near -->\n```console\n$ far\n```\n";
    let tests = BTreeSet::from(["near".to_owned()]);
    assert_eq!(wrong_marks(&block::of_page("page", &page.repeat(MARKS)), &tests), [""; 0]);
    assert_eq!(wrong_marks(&block::of_page("page", &page.repeat(MARKS + 1)), &tests).len(), 1);
    let wrong = wrong_marks(&block::of_page("page", page), &BTreeSet::new());
    assert_eq!(wrong, ["page:2: no test has the name `near`"]);
}

#[test]
fn contributors_read_of_every_target_that_make_lists() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let (makefile, page) = (read("Makefile"), read("CONTRIBUTING.md"));
    let listed = makefile.lines().filter_map(|line| line.contains(':').then(|| line.split_once(" ## "))?);
    let listed: Vec<&str> =
        listed.filter_map(|(rule, _)| rule.split(':').next()).filter(|name| *name != "help").collect();
    let reported: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `make ")?.split_once("` |").map(|(name, _)| name))
        .collect();
    let lacks =
        listed.iter().filter(|name| !reported.contains(name)).map(|name| format!("the page lacks `make {name}`"));
    let invents =
        reported.iter().filter(|name| !listed.contains(name)).map(|name| format!("`make help` lacks `{name}`"));
    no(&lacks.chain(invents).collect::<Vec<_>>());
    assert!(listed.len() > 10, "{listed:?}");
}

#[test]
fn commands_do_what_the_pages_say() {
    let (blocks, names) = (blocks(&root()), Names::read(&root()));
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let work = || {
        while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            // What is wrong with the block itself, another test says.
            let Ok(ways) = way::ways(block, &names) else { continue };
            if ways.iter().any(Way::is_without_garden) {
                let stage = Stage::new();
                let run = ways.iter().try_for_each(|way| way.run(&stage));
                complaints.lock().unwrap().extend(run.err().map(|why| format!("{}: {why}", block.place())));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    no(&complaints.into_inner().unwrap());
}
