//! Documents as the corpus writes them: a base by its name, and edits of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::entries;
use super::error::{CorpusError, Mistake};

/// Bases by name.
pub type Bases = BTreeMap<String, Value>;

/// The bases of a provider: a file each, named after the base.
pub fn read(folder: &Path) -> Result<Bases, CorpusError> {
    let mut bases = Bases::new();
    for path in entries(folder)? {
        let text = fs::read_to_string(&path).map_err(|error| CorpusError::unreadable(&path, error))?;
        let base = serde_saphyr::from_str(&text)
            .map_err(|error| CorpusError::Malformed { path: path.clone(), message: error.to_string() })?;
        bases.insert(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), base);
    }
    Ok(bases)
}

/// The bases that a file may name.
#[derive(Clone, Copy, Debug)]
pub struct Known<'b> {
    /// Those in the file itself.
    pub of_file: &'b Bases,
    /// Those that all files of the provider share.
    pub of_provider: &'b Bases,
}

impl Known<'_> {
    /// The base of a name.
    pub fn get(self, name: &str) -> Result<Value, Mistake> {
        self.get_within(name, &[])
    }

    /// A document in which each `{ base, edits }` is replaced by what it stands for.
    pub fn resolve(self, value: &Value) -> Result<Value, Mistake> {
        self.resolve_within(value, &[])
    }

    fn get_within(self, name: &str, outer: &[&str]) -> Result<Value, Mistake> {
        if outer.contains(&name) {
            return Err(Mistake::Circle(name.to_owned()));
        }
        let outer: Vec<&str> = outer.iter().copied().chain([name]).collect();
        let base = self.of_file.get(name).or_else(|| self.of_provider.get(name));
        self.resolve_within(base.ok_or_else(|| Mistake::UnknownBase(name.to_owned()))?, &outer)
    }

    fn resolve_within(self, value: &Value, outer: &[&str]) -> Result<Value, Mistake> {
        match value {
            Value::Object(members) => {
                if let Some((name, edits)) = reference(members) {
                    return edited(self.get_within(name, outer)?, edits);
                }
                let resolve =
                    |(name, value): (&String, &Value)| Ok((name.clone(), self.resolve_within(value, outer)?));
                members.iter().map(resolve).collect::<Result<_, _>>().map(Value::Object)
            }
            Value::Array(items) => {
                let resolve = |item| self.resolve_within(item, outer);
                items.iter().map(resolve).collect::<Result<_, _>>().map(Value::Array)
            }
            scalar => Ok(scalar.clone()),
        }
    }
}

/// The name and the edits of `{ base, edits }`; none for another object.
fn reference(members: &Map<String, Value>) -> Option<(&str, &Value)> {
    let name = members.get("base")?.as_str()?;
    let edits = members.get("edits").unwrap_or(&Value::Null);
    (members.len() == 1 + usize::from(!edits.is_null())).then_some((name, edits))
}

/// A document after RFC 6902 edits.
pub fn edited(mut document: Value, edits: &Value) -> Result<Value, Mistake> {
    if !edits.is_null() {
        let patch: json_patch::Patch = serde_json::from_value(edits.clone()).map_err(Mistake::Edits)?;
        json_patch::patch(&mut document, &patch)?;
    }
    Ok(document)
}
