//! Writes the expectations of cases anew. All other lines of a file stay as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use super::error::CorpusError;
use super::file::Expanded;
use super::{File, expectation, files, yaml};

/// What a case begins with.
const CASE: &str = "  - name:";
/// What the expectation of a case begins with; its further lines are indented deeper.
const EXPECT: &str = "    expect:";

/// Makes the answers of the policies the expected ones, in all files below a folder. Returns the files that changed.
///
/// Every answer is known before the first file is written, and a file is replaced as a whole.
pub fn update(root: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut changed = Vec::new();
    for file in files(root)? {
        let text = updated(&file)?;
        if text != file.text {
            changed.push((file.path, text));
        }
    }
    for (path, text) in &changed {
        let beside = path.with_extension("yaml.new");
        let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
        written.map_err(|error| CorpusError::unreadable(path, error))?;
    }
    Ok(changed.into_iter().map(|(path, _)| path).collect())
}

/// The text of a file with the answers of the policies.
fn updated(file: &File) -> Result<String, CorpusError> {
    let malformed = |message: String| CorpusError::Malformed { path: file.path.clone(), message };
    let cases = file.cases()?;
    let (head, blocks) = blocks(&file.text);
    if blocks.len() != cases.len() {
        let lines = format!("{} lines that begin with `{CASE}`", blocks.len());
        return Err(malformed(format!("{} cases, and {lines}", cases.len())));
    }
    let written: String = blocks.iter().zip(&cases).map(|(block, case)| with_answer(block, case)).collect();
    let written = File { path: file.path.clone(), text: head + &written, bases: Rc::clone(&file.bases) };
    for (case, old) in written.cases()?.iter().zip(&cases) {
        if case.case.expected != Some(answer(old)) {
            let name = &case.case.name;
            return Err(malformed(format!("case `{name}`: the written expectation is read as another")));
        }
    }
    Ok(written.text)
}

/// The text before the first case, and the text of each case.
fn blocks(text: &str) -> (String, Vec<String>) {
    let (mut head, mut blocks) = (String::new(), Vec::<String>::new());
    for line in text.split_inclusive('\n') {
        if line.starts_with(CASE) {
            blocks.push(String::new());
        }
        blocks.last_mut().unwrap_or(&mut head).push_str(line);
    }
    (head, blocks)
}

fn answer(expanded: &Expanded) -> String {
    let case = &expanded.case;
    trellis_core::call(&case.provider, &case.function, &case.request)
}

fn with_answer(block: &str, expanded: &Expanded) -> String {
    let answer = answer(expanded);
    if expanded.case.expected.as_ref() == Some(&answer) {
        return block.to_owned();
    }
    let expect = match expectation::shorten(&expanded.case.function, &expanded.subject(), &answer) {
        Value::Object(members) => format!("{EXPECT}\n{}", yaml::object(&members, 6)),
        word => yaml::member("expect", &word, 4),
    };
    let lines: Vec<&str> = block.split_inclusive('\n').collect();
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let end = lines.iter().rposition(is_content).map_or(0, |last| last + 1);
    let start = lines.iter().position(|line| line.starts_with(EXPECT)).unwrap_or(end);
    let old = lines.iter().skip(start).enumerate().take_while(|(index, line)| match index {
        0 => line.starts_with(EXPECT),
        _ => line.starts_with("     "),
    });
    let after = start + old.count();
    let before = lines.iter().take(start).copied();
    before.chain([expect.as_str()]).chain(lines.iter().skip(after).copied()).collect()
}
