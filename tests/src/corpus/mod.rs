//! The corpus: requests with the answers that every engine gives, byte for byte. `corpus/README.md` shows the
//! format.
//!
//! Each part knows only those before it: `error` · `yaml` (writes values) · `document` (bases and edits) ·
//! `finding`, `call`, `range`, `change` and `likeness` (parts of answers in short) · `expectation` (answers in
//! short) · `file` (reads a file) · `update` (writes expectations again).

mod call;
mod change;
mod document;
mod error;
mod expectation;
mod file;
mod finding;
mod likeness;
mod range;
mod update;
mod yaml;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use document::Bases;
pub use error::{CorpusError, Mistake};
use file::Expanded;
pub use update::update;

/// A case of the corpus.
#[derive(Debug)]
pub struct Case {
    /// Provider type.
    pub provider: String,
    /// Function that is called.
    pub function: String,
    /// Name of the case.
    pub name: String,
    /// One sentence that says what the case shows.
    pub promise: String,
    /// Rules that complain, change something, or are advice that is undecided without a query.
    pub fires: Vec<String>,
    /// Rules that are content.
    pub holds: Vec<String>,
    /// The request.
    pub request: String,
    /// The expected answer; none where the file does not say it yet.
    expected: Option<String>,
}

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Every case, in order of provider, function and name.
///
/// # Panics
///
/// If the corpus has a mistake.
pub fn cases() -> Vec<Case> {
    read(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads every case below a folder, in order of provider, function and name.
pub fn read(root: &Path) -> Result<Vec<Case>, CorpusError> {
    let mut cases = Vec::new();
    for file in files(root)? {
        cases.extend(file.cases()?.into_iter().map(|expanded| expanded.case));
    }
    cases.sort_by_key(Case::path);
    let mut paths = BTreeSet::new();
    for case in &cases {
        if !paths.insert(case.path()) {
            return Err(CorpusError::NameTwice(case.path()));
        }
    }
    Ok(cases)
}

/// A file with cases, and the bases next to it.
struct File {
    path: PathBuf,
    text: String,
    bases: Rc<Bases>,
}

impl File {
    fn cases(&self) -> Result<Vec<Expanded>, CorpusError> {
        file::parse(&self.path, &self.text, &self.bases)
    }
}

/// The files with cases: a folder a provider, a file a section of rules.
fn files(root: &Path) -> Result<Vec<File>, CorpusError> {
    let mut files = Vec::new();
    for provider in entries(root)?.into_iter().filter(|entry| entry.is_dir()) {
        let bases = Rc::new(document::read(&provider.join("bases"))?);
        for path in entries(&provider)?.into_iter().filter(|entry| entry.is_file()) {
            let text = fs::read_to_string(&path).map_err(|error| CorpusError::unreadable(&path, error))?;
            files.push(File { path, text, bases: Rc::clone(&bases) });
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let entries = fs::read_dir(folder).map_err(|error| CorpusError::unreadable(folder, error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

impl Case {
    /// The expected answer.
    ///
    /// # Panics
    ///
    /// If the file does not say it.
    pub fn expected(&self) -> String {
        let missing = || panic!("{}: `expect` is missing; UPDATE_CORPUS=1 writes it", self.path());
        self.expected.clone().unwrap_or_else(missing)
    }

    /// Where the case is.
    pub fn path(&self) -> String {
        format!("{}/{}/{}", self.provider, self.function, self.name)
    }
}

/// Ids of the rules that said something in an answer, or that conflicts in it name.
fn fired(answer: &Value) -> Vec<String> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let conflicts = list(answer, "spaces").into_iter().flat_map(|space| list(&space, "conflicts"));
    // Of advice, what no query can decide says all that the rule ever says.
    let is_advice = |open: &Value| open["rule"].as_str().is_some_and(|rule| rule.contains("-ADV-"));
    let undecided = list(answer, "undecided");
    let open = undecided.into_iter().filter(|open| open["query"].is_null() && is_advice(open));
    let entries = list(answer, "findings").into_iter().chain(list(answer, "changes")).chain(conflicts).chain(open);
    let ids: BTreeSet<String> = entries.filter_map(|entry| entry["rule"].as_str().map(str::to_owned)).collect();
    ids.into_iter().collect()
}
