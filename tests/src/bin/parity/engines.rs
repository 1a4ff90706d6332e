//! The engines. Each answer is compared when it is there, and then dropped: those of all engines would fill the
//! memory.

use std::env;
use std::error::Error;
use std::iter;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use trellis_policies::engine::{Function, Native, Part};
use trellis_policies::sandbox::{Limits, Sandbox};
use trellis_tests::choosing::Asked;
use trellis_tests::program;
use trellis_tests::questions::{Answer, Question};

use crate::comparison::Comparison;

/// Why an engine did not answer at all.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What the policies answer that are linked into this program, on all processors.
pub fn natively(questions: Vec<Question>) -> Vec<Asked> {
    let left = Mutex::new(questions.into_iter().enumerate());
    let next = || left.lock().ok()?.next();
    let ask = |(place, question): (usize, Question)| {
        let answer = question.ask(&Native);
        (place, Asked::new(question, answer))
    };
    let mut asked: Vec<(usize, Asked)> = thread::scope(|scope| {
        let work = || iter::from_fn(next).map(ask).collect::<Vec<_>>();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|said| panic::resume_unwind(said)))
            .collect()
    });
    asked.sort_unstable_by_key(|(place, _)| *place);
    asked.into_iter().map(|(_, asked)| asked).collect()
}

/// The native answers against what the corpus has written down. Elsewhere they are what the others are held to.
pub fn of_corpus(asked: &[Asked]) -> Comparison<'_> {
    let mut comparison = Comparison::new("native");
    for asked in asked {
        let written = asked.question.expected.clone().map_or_else(|| asked.answer.clone(), Ok);
        comparison.take(asked, &asked.answer, &written);
    }
    comparison
}

/// The sandbox of the host, with the policies that `cargo xtask wasm` writes.
pub fn in_sandbox<'q>(asked: &[&'q Asked]) -> Result<Comparison<'q>, Failure> {
    let mut sandbox = Sandbox::new(Limits::default(), None)?;
    sandbox.load(&policies()?)?;
    let mut comparison = Comparison::new("sandbox");
    for asked in asked {
        comparison.take(asked, &asked.question.ask(&sandbox), &asked.answer);
    }
    Ok(comparison)
}

/// The policy folder, two folders above which this program lies.
fn policies() -> Result<PathBuf, Failure> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("this program lies in a target folder")?;
    Ok(target.join("release/policies"))
}

/// Node.
pub fn in_node<'q>(asked: &[&'q Asked]) -> Result<Comparison<'q>, Failure> {
    with_script("node", asked, of_module)
}

/// Chromium.
pub fn in_chromium<'q>(asked: &[&'q Asked]) -> Result<Comparison<'q>, Failure> {
    with_script("chromium", asked, of_page)
}

fn with_script<'q>(
    engine: &'static str,
    asked: &[&'q Asked],
    wanted: fn(&Asked) -> Answer,
) -> Result<Comparison<'q>, Failure> {
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("web/parity").join(engine).with_extension("js");
    let questions: Vec<&Question> = asked.iter().map(|asked| &asked.question).collect();
    let mut comparison = Comparison::new(engine);
    program::ask(&script, &questions, |place, answer| {
        if let Some(asked) = asked.get(place) {
            comparison.take(asked, &answer, &wanted(asked));
        }
    })?;
    Ok(comparison)
}

/// What JavaScript answers: it loads a module a part, and each says what it answers itself.
fn of_module(Asked { question, answer, .. }: &Asked) -> Answer {
    let shows_functions = |answer: &String| answer.starts_with(r#"{"error":{"code":"UnknownFunction""#);
    if question.function != Function::Info && !answer.as_ref().is_ok_and(shows_functions) {
        return answer.clone();
    }
    Ok(answer_of(question, question.function.part()))
}

/// What a page answers: none has the modules that are for Node, and so a page plans networks alone.
fn of_page(asked: &Asked) -> Answer {
    let Question { provider, function, request, .. } = &asked.question;
    match function.part() {
        Part::Mutating => Ok(answer_of(&asked.question, Part::Judging)),
        Part::Planning => match trellis_core::networks(provider) {
            Some(networks) => Ok(trellis_core::answer(provider, vec![networks], function.name(), request)),
            None => of_module(asked),
        },
        _ => of_module(asked),
    }
}

/// What a module answers that has a part of a policy, or the one that judges where the policy lacks that part.
fn answer_of(question: &Question, part: Part) -> String {
    let provider = question.provider.as_str();
    let judging = || trellis_core::judging(provider);
    let part = match part {
        Part::Common | Part::Judging => judging(),
        Part::Addressing => trellis_core::addressing(provider).or_else(judging),
        Part::Planning => trellis_core::planning(provider).or_else(judging),
        Part::Mutating => trellis_core::mutating(provider).or_else(judging),
        Part::Rendering => trellis_core::rendering(provider).or_else(judging),
    };
    trellis_core::answer(provider, part.into_iter().collect(), question.function.name(), &question.request)
}
