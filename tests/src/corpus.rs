//! The corpus: requests with the answers that every engine gives, byte for byte.
//!
//! `corpus/<provider>/<function>/<case>/` holds `request.json`, `answer.json` (the bytes of the answer and a
//! newline) and `case.json`, which says what the case promises:
//!
//! ```json
//! { "promise": "a zone's range starts at its first address", "fires": ["ALI-INF-003"], "holds": ["ALI-INF-006"] }
//! ```
//!
//! `fires` lists rules that complain (or set a default) in this case, `holds` rules that look at the same thing
//! and are content. A request of `plan` has its facts with it: what the cloud answered.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A case of the corpus.
#[derive(Debug)]
pub struct Case {
    /// Provider type.
    pub provider: String,
    /// Function that is called.
    pub function: String,
    /// Name of the case.
    pub name: String,
    /// Rules that complain or change something.
    pub fires: Vec<String>,
    /// Rules that are content.
    pub holds: Vec<String>,
    /// The request.
    pub request: String,
    directory: PathBuf,
}

/// Every case, in order of provider, function and name.
///
/// # Panics
///
/// If a case is incomplete or unreadable.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut cases = Vec::new();
    for provider in directories(&root) {
        for function in directories(&provider) {
            cases.extend(directories(&function).into_iter().map(|case| read_case(&provider, &function, case)));
        }
    }
    cases
}

fn directories(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut directories: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    directories.sort();
    directories
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_case(provider: &Path, function: &Path, directory: PathBuf) -> Case {
    let claims: Value = serde_json::from_str(&read(&directory.join("case.json")))
        .unwrap_or_else(|error| panic!("{}: case.json: {error}", directory.display()));
    let ids = |key: &str| -> Vec<String> {
        let ids = claims[key].as_array().into_iter().flatten();
        ids.filter_map(|id| id.as_str().map(str::to_owned)).collect()
    };
    assert!(claims["promise"].is_string(), "{}: case.json says what the case promises", directory.display());
    Case {
        provider: name(provider),
        function: name(function),
        name: name(&directory),
        fires: ids("fires"),
        holds: ids("holds"),
        request: read(&directory.join("request.json")),
        directory,
    }
}

impl Case {
    /// The expected answer, without the newline at its end.
    pub fn expected(&self) -> String {
        read(&self.directory.join("answer.json")).trim_end_matches('\n').to_owned()
    }

    /// Makes an answer the expected one.
    ///
    /// # Panics
    ///
    /// If the file cannot be written.
    pub fn bless(&self, answer: &str) {
        let path = self.directory.join("answer.json");
        fs::write(&path, format!("{answer}\n")).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Where the case is.
    pub fn path(&self) -> String {
        format!("{}/{}/{}", self.provider, self.function, self.name)
    }
}
