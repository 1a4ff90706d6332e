//! Writes the expectations of cases again. All other lines of a file stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use super::error::CorpusError;
use super::file::Expanded;
use super::{Case, File, expectation, files, yaml};

/// What a case begins with.
const CASE: &str = "  - name:";
/// What the expectation of a case begins with; its further lines are indented deeper.
const EXPECT: &str = "    expect:";

/// Makes the answers of the policies the expected ones, in all files below a folder. Returns the files that
/// changed.
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
        let temporary = path.with_extension("yaml.new");
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
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
    let answers: BTreeMap<&str, String> =
        cases.iter().map(|case| (case.case.name.as_str(), answer(&case.case))).collect();
    let is_current = |case: &Expanded| case.case.expected.as_ref() == answers.get(case.case.name.as_str());
    let written = blocks.iter().zip(&cases).map(|(block, case)| {
        let other = cases.iter().find(|other| case.like.as_ref() == Some(&other.case.name));
        // Where the other case has another answer, other entries are those of both cases.
        if is_current(case) && other.is_none_or(is_current) {
            return block.clone();
        }
        let answer = |case: &Expanded| answers.get(case.case.name.as_str()).map_or("", String::as_str);
        let like = other.and_then(|other| serde_json::from_str(answer(other)).ok()).unwrap_or_default();
        with_expectation(
            block,
            &expectation::shorten(&case.case.function, &case.finding_context(&like), answer(case)),
        )
    });
    let text = head + &written.collect::<String>();
    let written = File { path: file.path.clone(), text, bases: Rc::clone(&file.bases) };
    if let Some(case) = written.cases()?.iter().find(|case| !is_current(case)) {
        let name = &case.case.name;
        return Err(malformed(format!("case `{name}`: the written expectation is read as another")));
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

fn answer(case: &Case) -> String {
    trellis_core::call(&case.provider, &case.function, &case.request)
}

/// The text of a case with another expectation.
fn with_expectation(block: &str, expect: &Value) -> String {
    let expect = match expect {
        Value::Object(members) => format!("{EXPECT}\n{}", yaml::object(members, 6)),
        word => yaml::member("expect", word, 4),
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
