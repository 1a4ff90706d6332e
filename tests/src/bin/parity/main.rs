//! Asks every engine the same questions and reports whether the answers are the same bytes: natively, in the
//! sandbox of the host, in Node and in Chromium. `trellis_tests::choosing` chooses which of them Node and Chromium
//! are asked.
//!
//! `cargo xtask wasm` and `npm run build --workspace web` build what it compares.

mod comparison;
mod engines;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::thread;

use trellis_tests::choosing::{self, Asked};
use trellis_tests::{corpus, questions};

/// Rules that no question breaks; the tests `rendering` and `workers` have cases of them.
const WITHOUT_QUESTION: [&str; 4] = ["ALI-MCH-009", "ALI-MCH-010", "ALI-RND-003", "ALI-RND-005"];

fn main() -> ExitCode {
    let named = choosing::named();
    let asked = engines::natively(questions::all());
    let all: Vec<&Asked> = asked.iter().collect();
    let chosen: Vec<&Asked> =
        choosing::chosen(&asked, &named).into_iter().filter_map(|place| asked.get(place)).collect();
    println!(
        "parity: {} questions, of which {} are asked of Node and Chromium ({named})\n",
        all.len(),
        chosen.len()
    );
    println!("{:<10}{:>10}{:>10}{:>10}{:>10}", "engine", "answered", "of", "differ", "seconds");

    let ends = thread::scope(|scope| {
        let engines = [
            ("sandbox", scope.spawn(|| engines::in_sandbox(&all))),
            ("node", scope.spawn(|| engines::in_node(&chosen))),
            ("chromium", scope.spawn(|| engines::in_chromium(&chosen))),
        ];
        engines.map(|(name, engine)| (name, engine.join().unwrap_or_else(|_| Err("it panicked".into()))))
    });
    let (corpus, rules) = (cases(), rules());
    let mut agree = engines::of_corpus(&asked).report(all.len(), &corpus, &rules);
    for (name, end) in ends {
        agree &= match end {
            Ok(comparison) => comparison.report(all.len(), &corpus, &rules),
            Err(error) => {
                println!("{name:<10} failed: {error}");
                false
            }
        };
    }
    println!("\n{}", if agree { "all answers are the same bytes" } else { "the engines differ" });
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The names of the questions that the corpus asks.
fn cases() -> Vec<String> {
    corpus::cases().iter().map(|case| format!("corpus/{}", case.path())).collect()
}

/// Every rule of every policy that says something in an answer to a question.
fn rules() -> BTreeSet<String> {
    let of = |policy: &str| {
        let rules =
            trellis_core::provider::policy(policy).map(trellis_core::policy::Judging::rules).unwrap_or_default();
        let reported = rules.into_iter().filter(|rule| !rule.informative && !WITHOUT_QUESTION.contains(&rule.id));
        reported.map(|rule| format!("{policy}/{}", rule.id)).collect::<Vec<_>>()
    };
    trellis_core::policies().flat_map(of).collect()
}
