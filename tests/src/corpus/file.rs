//! Reads a file of the corpus, and makes its cases whole requests.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::document::{Bases, Known, edited};
use super::error::{CorpusError, Mistake};
use super::expectation;
use super::finding::FindingContext;
use super::{Case, fired};

/// A file: a section of rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// Function that the cases call.
    function: String,
    /// Name of the base of cases that name none.
    base: Option<String>,
    /// Where the fields of findings are that do not begin with `spec` or `metadata`: a pointer into the object.
    #[serde(default)]
    fields: String,
    /// Bases that only this file uses.
    #[serde(default)]
    bases: Bases,
    cases: Vec<Written>,
}

/// A case as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    promise: String,
    /// Name of the base of the object.
    base: Option<String>,
    /// RFC 6902 edits that make the object of the base.
    #[serde(default)]
    edits: Value,
    /// The old object: edits of the same base, or a document.
    old: Option<Value>,
    context: Option<Value>,
    facts: Option<Value>,
    ratchet: Option<Value>,
    now: Option<Value>,
    add: Option<Value>,
    state: Option<Value>,
    baseline: Option<Value>,
    consent: Option<Value>,
    webhook: Option<Value>,
    cluster: Option<Value>,
    configuration: Option<Value>,
    images: Option<Value>,
    /// The whole request, in place of all of these: a document, or text as it is.
    request: Option<Value>,
    /// Replacements in the text of the request, for what a document cannot say: duplicate members, spelling of
    /// numbers.
    #[serde(default)]
    text: Vec<Replacement>,
    /// Rules that look at the object and are content.
    #[serde(default)]
    holds: Vec<String>,
    /// Name of an earlier case of the file: what both plans have is written as its id.
    like: Option<String>,
    expect: Option<Value>,
}

/// A part of a text that is replaced.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    replace: String,
    with: String,
    /// How often `with` is written.
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

/// A case of a file, with what its expectation follows from.
#[derive(Debug)]
pub struct Expanded {
    pub case: Case,
    /// Name of the case that this one is like.
    pub like: Option<String>,
    object: Value,
    fields: String,
}

impl Expanded {
    /// What parts of the answer follow from.
    pub fn finding_context<'c>(&'c self, like: &'c Value) -> FindingContext<'c> {
        FindingContext { provider: &self.case.provider, object: &self.object, fields: &self.fields, like }
    }
}

/// The cases of the text of a file, in the order of the file.
pub fn parse(path: &Path, text: &str, of_provider: &Bases) -> Result<Vec<Expanded>, CorpusError> {
    let section: Section = serde_saphyr::from_str(text)
        .map_err(|error| CorpusError::Malformed { path: path.to_owned(), message: error.to_string() })?;
    let provider = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let bases = Known { of_file: &section.bases, of_provider };
    let mut answers = BTreeMap::from_iter([(None, Value::Null)]);
    let mut cases = Vec::new();
    for written in &section.cases {
        let expanded = expand(&provider, &section, bases, written)
            .and_then(|expanded| expect(expanded, written, &mut answers))
            .map_err(|mistake| CorpusError::Case { path: path.to_owned(), case: written.name.clone(), mistake })?;
        cases.push(expanded);
    }
    Ok(cases)
}

/// A case with its expected answer, which is also put to the answers of earlier cases.
fn expect(
    mut expanded: Expanded,
    written: &Written,
    answers: &mut BTreeMap<Option<String>, Value>,
) -> Result<Expanded, Mistake> {
    let unknown = || Mistake::UnknownCase(written.like.clone().unwrap_or_default());
    let like = answers.get(&written.like).ok_or_else(unknown)?;
    let mut answer = Value::Null;
    if let Some(expect) = &written.expect {
        let text = expectation::whole(&expanded.case.function, &expanded.finding_context(like), expect)?;
        answer = serde_json::from_str(&text).unwrap_or_default();
        expanded.case.fires = fired(&answer);
        expanded.case.expected = Some(text);
    }
    answers.insert(Some(written.name.clone()), answer);
    Ok(expanded)
}

fn expand(provider: &str, section: &Section, bases: Known<'_>, written: &Written) -> Result<Expanded, Mistake> {
    let request = match &written.request {
        Some(Value::String(text)) => Value::String(text.clone()),
        Some(document) => bases.resolve(document)?,
        None => Value::Object(request(section, bases, written)?),
    };
    let object = request.get(object_name(&section.function)).unwrap_or(&Value::Null);
    // Findings about a plan are findings about its Infrastructure.
    let object =
        ["infrastructure", "dnsRecord"].iter().find_map(|member| object.get(member)).unwrap_or(object).clone();
    let text = request.as_str().map_or_else(|| request.to_string(), str::to_owned);
    let case = Case {
        provider: provider.to_owned(),
        function: section.function.clone(),
        name: written.name.clone(),
        promise: written.promise.clone(),
        fires: Vec::new(),
        holds: written.holds.clone(),
        request: written.text.iter().try_fold(text, |text, replacement| replacement.made(&text))?,
        expected: None,
    };
    Ok(Expanded { case, like: written.like.clone(), object, fields: section.fields.clone() })
}

/// The member of a request that has what is judged, completed or planned.
fn object_name(function: &str) -> &'static str {
    if matches!(function, "plan" | "status") { "request" } else { "object" }
}

fn request(section: &Section, bases: Known<'_>, written: &Written) -> Result<Map<String, Value>, Mistake> {
    let name = written.base.as_ref().or(section.base.as_ref()).ok_or(Mistake::NoRequest)?;
    let base = bases.get(name)?;
    let mut request = Map::new();
    let old = match &written.old {
        Some(edits @ Value::Array(_)) => Some(edited(base.clone(), edits)?),
        Some(document) => Some(bases.resolve(document)?),
        None => None,
    };
    request.insert(object_name(&section.function).to_owned(), edited(base, &written.edits)?);
    request.extend(old.map(|old| ("oldObject".to_owned(), old)));
    let further = [
        ("context", &written.context),
        ("state", &written.state),
        ("facts", &written.facts),
        ("ratchet", &written.ratchet),
        ("now", &written.now),
        ("add", &written.add),
        ("baseline", &written.baseline),
        ("consent", &written.consent),
        ("webhook", &written.webhook),
        ("cluster", &written.cluster),
        ("configuration", &written.configuration),
        ("images", &written.images),
    ];
    for (name, value) in further {
        if let Some(value) = value {
            request.insert(name.to_owned(), bases.resolve(value)?);
        }
    }
    Ok(request)
}

impl Replacement {
    fn made(&self, text: &str) -> Result<String, Mistake> {
        if text.contains(&self.replace) {
            Ok(text.replacen(&self.replace, &self.with.repeat(self.times), 1))
        } else {
            Err(Mistake::NoSuchText(self.replace.clone()))
        }
    }
}
