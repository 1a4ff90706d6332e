//! Asks every engine the same questions and reports whether the answers are the same bytes: natively, in the
//! sandbox of the host, in Node and in Chromium.
//!
//! `cargo xtask wasm` and `npm run build --workspace web` build what it compares.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use trellis_host::engine::{Function, Native, Part};
use trellis_host::sandbox::{Limits, Sandbox};
use trellis_tests::program;
use trellis_tests::questions::{self, Answer, Question};

/// Differences of an engine that are shown.
const SHOWN: usize = 5;
/// Characters of an answer that are shown where it first differs.
const EXCERPT: usize = 300;

fn main() -> ExitCode {
    match compare() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all engines agree.
fn compare() -> Result<bool, Box<dyn Error>> {
    let questions = questions::all();
    if questions.is_empty() {
        return Err("there are no questions".into());
    }
    let bytes: usize = questions.iter().map(|question| question.request.len()).sum();
    println!("parity: {} questions, {} MB\n", questions.len(), bytes / 1_000_000);
    println!("{:<10}{:>10}{:>10}{:>10}", "engine", "answers", "differ", "seconds");

    let mut sandbox = Sandbox::new(Limits::default(), None)?;
    sandbox.load(&policies()?)?;
    let script = |name| Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("web/parity").join(name);
    let start = Instant::now();
    let native = questions::ask(&Native, &questions);
    let mut same = true;
    let mut check = |engine: &str, start: Instant, answers: &[Answer], wanted: &[Answer]| {
        same &= report(engine, start, &questions, answers, wanted);
    };
    // What the corpus has written down; elsewhere the native answer is what the others are held to.
    let written = questions
        .iter()
        .zip(&native)
        .map(|(question, answer)| question.expected.clone().map_or_else(|| answer.clone(), Ok));
    check("native", start, &native, &written.collect::<Vec<_>>());
    let start = Instant::now();
    check("sandbox", start, &questions::ask(&sandbox, &questions), &native);
    // JavaScript loads a module a part, and each tells what it answers itself.
    let of_module = |(question, answer): (&Question, &Answer)| {
        let provider = question.provider.as_str();
        let tells_functions = |answer: &String| answer.starts_with(r#"{"error":{"code":"UnknownFunction""#);
        if question.function != Function::Info && !answer.as_ref().is_ok_and(tells_functions) {
            return answer.clone();
        }
        let part = match question.function.part() {
            Part::Common | Part::Judging => trellis_core::judging(provider),
            Part::Addressing => trellis_core::addressing(provider).or_else(|| trellis_core::judging(provider)),
            Part::Planning => trellis_core::planning(provider).or_else(|| trellis_core::judging(provider)),
            Part::Mutating => trellis_core::mutating(provider).or_else(|| trellis_core::judging(provider)),
            Part::Rendering => trellis_core::rendering(provider).or_else(|| trellis_core::judging(provider)),
        };
        Ok(trellis_core::answer(provider, part.into_iter().collect(), question.function.name(), &question.request))
    };
    let modules: Vec<Answer> = questions.iter().zip(&native).map(of_module).collect();
    let start = Instant::now();
    check("node", start, &program::ask(&script("node.js"), &questions)?, &modules);
    // No page has the modules that are for Node.
    let of_page = |(question, answer): (&Question, &Answer)| {
        if question.function.part() != Part::Mutating {
            return answer.clone();
        }
        let part = trellis_core::judging(&question.provider);
        let (name, request) = (question.function.name(), &question.request);
        Ok(trellis_core::answer(&question.provider, part.into_iter().collect(), name, request))
    };
    let pages: Vec<Answer> = questions.iter().zip(&modules).map(of_page).collect();
    let start = Instant::now();
    check("chromium", start, &program::ask(&script("chromium.js"), &questions)?, &pages);
    println!("\n{}", if same { "all answers are the same bytes" } else { "the engines differ" });
    Ok(same)
}

/// The policy folder that `cargo xtask wasm` writes, two folders above which this program lies.
fn policies() -> Result<PathBuf, Box<dyn Error>> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("this program lies in a target folder")?;
    Ok(target.join("release/policies"))
}

/// One line of the report, and the first differences. Whether there are none.
fn report(engine: &str, start: Instant, questions: &[Question], answers: &[Answer], wanted: &[Answer]) -> bool {
    let seconds = start.elapsed().as_secs_f64();
    let differing: Vec<_> = questions
        .iter()
        .zip(answers.iter().zip(wanted))
        .filter(|(_, (answer, wanted))| answer != wanted)
        .collect();
    println!("{engine:<10}{:>10}{:>10}{seconds:>10.1}", answers.len(), differing.len());
    for (question, (answer, wanted)) in differing.iter().take(SHOWN) {
        let [wanted, answer] = [wanted, answer].map(|answer| text(answer));
        let same = wanted.chars().zip(answer.chars()).take_while(|(a, b)| a == b).count();
        let excerpt = |text: &str| text.chars().skip(same.saturating_sub(60)).take(EXCERPT).collect::<String>();
        println!("  {}, from character {same} on:", question.name);
        println!("    wanted …{}\n    found  …{}", excerpt(wanted), excerpt(answer));
    }
    differing.is_empty()
}

fn text(answer: &Answer) -> &str {
    match answer {
        Ok(text) | Err(text) => text,
    }
}
