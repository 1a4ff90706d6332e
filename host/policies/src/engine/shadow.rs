//! A second version in shadow: it is asked the same as the version in use, and its answers have no effect.

mod difference;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{CallError, Engine, Function, PolicyFile, SchemasError, WordsError};
use crate::answer::{Failure, RuleWords};
use crate::digest::Digest;
use difference::places;
pub use difference::{Deviation, Difference};

/// The most questions that wait for the second version.
const MOST_QUESTIONS: usize = 256;
/// The most bytes of questions that wait for the second version, with their answers.
const MOST_BYTES: usize = 64 << 20;

/// Answers with the version in use, and asks a second version the same in a thread of its own. The second version
/// slows no call and fails none. It is not asked what does not fit into the queue.
pub struct Shadow {
    used: Arc<dyn Engine>,
    /// The policies that the second version has.
    known: Vec<String>,
    questions: Sender<Question>,
    shared: Arc<Shared>,
}

/// How many answers of a function were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// Answers that were compared.
    pub compared: u64,
    /// Those of them that differ.
    pub differed: u64,
    /// Answers that were not compared: the queue was full, or one of the versions was busy.
    pub skipped: u64,
}

struct Question {
    provider: String,
    function: Function,
    request: String,
    /// The answer of the version in use.
    answer: Result<String, CallError>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Signals that a question is done.
    done: Condvar,
}

#[derive(Default)]
struct State {
    counts: BTreeMap<&'static str, Comparisons>,
    /// Questions that wait or are being asked, by function.
    open: BTreeMap<&'static str, u64>,
    /// The bytes of these.
    bytes: usize,
    /// Nobody wants to know any more.
    is_over: bool,
}

impl Shadow {
    /// Answers with `used`, asks `second` too, and reports each difference. Fails where there is no thread for
    /// that.
    pub fn new(
        used: Arc<dyn Engine>,
        second: Arc<dyn Engine>,
        show: impl Fn(Difference) + Send + 'static,
    ) -> io::Result<Self> {
        let (questions, asked) = mpsc::channel();
        let (known, shared) = (second.policies(), Arc::<Shared>::default());
        let of_thread = Arc::clone(&shared);
        let work = move || compare(second.as_ref(), &asked, &of_thread, &show);
        thread::Builder::new().name("policy-shadow".to_owned()).spawn(work)?;
        Ok(Self { used, known, questions, shared })
    }

    /// How many answers were compared so far, by function.
    pub fn comparisons(&self) -> BTreeMap<&'static str, Comparisons> {
        self.shared.lock().counts.clone()
    }

    /// Waits until every answer is compared, but no longer than a time; what is left then counts as skipped.
    pub fn settle(&self, limit: Duration) -> BTreeMap<&'static str, Comparisons> {
        let end = Instant::now() + limit;
        let mut state = self.shared.lock();
        while state.open.values().any(|open| *open > 0) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.shared.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut counts = state.counts.clone();
        for (function, open) in state.open.iter().filter(|(_, open)| **open > 0) {
            counts.entry(function).or_default().skipped += open;
        }
        counts
    }

    fn ask_second(&self, provider: &str, function: Function, request: &str, answer: &Result<String, CallError>) {
        let bytes = request.len() + answer.as_ref().map_or(0, String::len);
        {
            let mut state = self.shared.lock();
            let is_busy = answer.as_ref().is_err_and(CallError::is_temporary);
            let waiting = state.open.values().sum::<u64>();
            if is_busy || waiting >= MOST_QUESTIONS as u64 || state.bytes + bytes > MOST_BYTES {
                state.counts.entry(function.name()).or_default().skipped += 1;
                return;
            }
            *state.open.entry(function.name()).or_default() += 1;
            state.bytes += bytes;
        }
        let (provider, request, answer) = (provider.to_owned(), request.to_owned(), answer.clone());
        // The thread lives as long as this does.
        let _ = self.questions.send(Question { provider, function, request, answer });
    }
}

impl Shared {
    /// Nothing can panic while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the second version, question by question, until nobody asks any more.
fn compare(second: &dyn Engine, asked: &Receiver<Question>, shared: &Shared, show: &dyn Fn(Difference)) {
    for question in asked {
        if shared.lock().is_over {
            return;
        }
        let Question { provider, function, request, answer } = question;
        let bytes = request.len() + answer.as_ref().map_or(0, String::len);
        let called = catch_unwind(AssertUnwindSafe(|| second.call(&provider, function, &request)));
        let called = called.unwrap_or_else(|_| Err(CallError::Panicked("it panicked".to_owned())));
        let compared = match called {
            Err(CallError::Busy { .. }) => Compared::Not,
            called => compared(answer, called),
        };
        let mut counted = Comparisons { compared: 1, ..Comparisons::default() };
        match compared {
            Compared::Same => {}
            Compared::Not => counted = Comparisons { skipped: 1, ..Comparisons::default() },
            Compared::Differ(what) => {
                counted.differed = 1;
                let request = Digest::of(request.as_bytes());
                let difference = Difference { provider, function, request, what };
                // A listener that breaks off breaks nothing else.
                let _ = catch_unwind(AssertUnwindSafe(|| show(difference)));
            }
        }
        let mut state = shared.lock();
        let counts = state.counts.entry(function.name()).or_default();
        counts.compared += counted.compared;
        counts.differed += counted.differed;
        counts.skipped += counted.skipped;
        if let Some(open) = state.open.get_mut(function.name()) {
            *open = open.saturating_sub(1);
        }
        state.bytes = state.bytes.saturating_sub(bytes);
        shared.done.notify_all();
    }
}

/// What came of a comparison.
enum Compared {
    Same,
    Differ(Deviation),
    /// There is nothing to compare.
    Not,
}

fn compared(used: Result<String, CallError>, second: Result<String, CallError>) -> Compared {
    let read = |answer: Result<String, CallError>| {
        let answer = answer.map_err(|error| Failure::from(error).code);
        answer.map(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
    };
    let deviation = match (read(used), read(second)) {
        (Ok(None), _) => return Compared::Not,
        (Ok(Some(_)), Ok(None)) => Some(Deviation::OnlyUsed { code: Failure::UNKNOWN_ANSWER.to_owned() }),
        (Ok(Some(used)), Ok(Some(second))) => places(&used, &second),
        (Ok(Some(_)), Err(code)) => Some(Deviation::OnlyUsed { code }),
        (Err(code), Ok(_)) => Some(Deviation::OnlySecond { code }),
        (Err(used), Err(second)) => (used != second).then_some(Deviation::Neither { used, second }),
    };
    deviation.map_or(Compared::Same, Compared::Differ)
}

impl Engine for Shadow {
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError> {
        let answer = self.used.call(provider, function, request);
        // What a version says of itself is no decision.
        if function.takes_request() && self.known.iter().any(|known| known == provider) {
            self.ask_second(provider, function, request, &answer);
        }
        answer
    }

    fn providers(&self) -> Vec<String> {
        self.used.providers()
    }

    fn general(&self) -> Vec<String> {
        self.used.general()
    }

    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError> {
        self.used.schemas(provider)
    }

    fn words(&self, provider: &str) -> Result<BTreeMap<String, RuleWords>, WordsError> {
        self.used.words(provider)
    }

    fn file(&self, provider: &str) -> Option<&PolicyFile> {
        self.used.file(provider)
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
    }
}

impl fmt::Debug for Shadow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shadow").field("comparisons", &self.comparisons()).finish_non_exhaustive()
    }
}
