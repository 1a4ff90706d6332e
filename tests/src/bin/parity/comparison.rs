//! What an engine answered, held against what it should answer.

use std::collections::BTreeSet;
use std::time::Instant;

use trellis_tests::choosing::{self, Asked};
use trellis_tests::questions::Answer;

/// Differences of an engine that are shown, and things that it was not asked.
const SHOWN: usize = 5;
/// Characters of an answer that are shown where it first differs.
const EXCERPT: usize = 300;

/// What an engine answered.
pub struct Comparison<'q> {
    engine: &'static str,
    start: Instant,
    /// From the start to the last answer.
    seconds: f64,
    answered: Vec<&'q Asked>,
    differing: usize,
    /// The first differences, in words.
    differences: Vec<String>,
}

impl<'q> Comparison<'q> {
    /// An engine that is asked from now on.
    pub fn new(engine: &'static str) -> Self {
        let (start, answered, differences) = (Instant::now(), Vec::new(), Vec::new());
        Self { engine, start, seconds: 0.0, answered, differing: 0, differences }
    }

    /// Takes an answer; it is not kept.
    pub fn take(&mut self, asked: &'q Asked, found: &Answer, wanted: &Answer) {
        self.answered.push(asked);
        self.seconds = self.start.elapsed().as_secs_f64();
        if found != wanted {
            self.differing += 1;
            if self.differences.len() < SHOWN {
                self.differences.push(difference(&asked.question.name, found, wanted));
            }
        }
    }

    /// Prints a line of the report, and below it what is wrong. Whether nothing is.
    pub fn report(&self, of: usize, corpus: &[String], rules: &BTreeSet<String>) -> bool {
        let Self { engine, seconds, answered, differing, .. } = self;
        println!("{engine:<10}{:>10}{of:>10}{differing:>10}{seconds:>10.1}", answered.len());
        for difference in &self.differences {
            println!("  {difference}");
        }
        let lacking = choosing::lacking(answered, corpus, rules);
        for lacking in lacking.iter().take(SHOWN) {
            println!("  was not asked: {lacking}");
        }
        if lacking.len() > SHOWN {
            println!("  and {} others", lacking.len() - SHOWN);
        }
        *differing == 0 && lacking.is_empty()
    }
}

fn difference(name: &str, found: &Answer, wanted: &Answer) -> String {
    let [wanted, found] = [wanted, found].map(|answer| match answer {
        Ok(text) | Err(text) => text.as_str(),
    });
    let same = wanted.chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    let excerpt = |text: &str| text.chars().skip(same.saturating_sub(60)).take(EXCERPT).collect::<String>();
    format!("{name}, from character {same} on:\n    wanted …{}\n    found  …{}", excerpt(wanted), excerpt(found))
}
