//! Folders whose files are all generated and committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

/// A folder and everything that belongs in it.
pub(crate) struct Folder {
    /// Path from the top of the repository.
    pub(crate) path: PathBuf,
    /// Contents by path inside the folder.
    pub(crate) files: BTreeMap<PathBuf, String>,
    /// A folder inside the folder that another step writes.
    pub(crate) foreign: Option<&'static str>,
}

/// The text of JSON with sorted members. serde_json alone sorts them or not, depending on the features that other
/// crates ask for.
pub(crate) fn sorted_json(mut value: Value) -> anyhow::Result<String> {
    value.sort_all_objects();
    Ok(serde_json::to_string_pretty(&value)?)
}

/// Writes the folder. With `check` it writes nothing and names the stale files; `command` is the command that
/// writes them again.
pub(crate) fn finish(root: &Path, folder: &Folder, check: bool, command: &str) -> anyhow::Result<()> {
    let base = root.join(&folder.path);
    let surplus = surplus(&base, folder)?;
    if check {
        let stale: Vec<String> = folder
            .files
            .iter()
            .filter_map(|(file, wanted)| difference(&base.join(file), wanted))
            .chain(surplus.iter().map(|file| format!("{}: no longer generated", file.display())))
            .collect();
        if !stale.is_empty() {
            bail!("stale generated files; run `{command}` and commit the result\n{}", stale.join("\n"));
        }
        println!("{}: {} files up to date", folder.path.display(), folder.files.len());
    } else {
        for (file, content) in &folder.files {
            let path = base.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&base))
                .and_then(|()| fs::write(&path, content))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        for file in &surplus {
            fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
        println!("{}: {} files written", folder.path.display(), folder.files.len());
    }
    Ok(())
}

/// Writes single files, by their paths from the top of the repository, or with `check` says which of them are
/// stale.
pub(crate) fn finish_files(
    root: &Path,
    files: &BTreeMap<PathBuf, String>,
    check: bool,
    command: &str,
) -> anyhow::Result<()> {
    for (file, content) in files {
        let path = root.join(file);
        if !check {
            fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        } else if let Some(difference) = difference(&path, content) {
            bail!("a generated file is stale; run `{command}` and commit the result\n{difference}");
        }
        println!("{}: {}", file.display(), if check { "up to date" } else { "written" });
    }
    Ok(())
}

/// The first difference of a file from what it should hold; `None` where there is none.
fn difference(path: &Path, wanted: &str) -> Option<String> {
    let Ok(found) = fs::read_to_string(path) else {
        return Some(format!("{}: missing", path.display()));
    };
    if found == wanted {
        return None;
    }
    let same = found.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end of file)").to_owned();
    Some(format!("{}:{}\n  - {}\n  + {}", path.display(), same + 1, line(&found), line(wanted)))
}

/// Files below `base` that the folder does not list.
fn surplus(base: &Path, folder: &Folder) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![base.to_owned()];
    while let Some(directory) = open.pop().filter(|directory| directory.is_dir()) {
        for entry in fs::read_dir(&directory).with_context(|| format!("cannot list {}", directory.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                if folder.foreign.is_none_or(|foreign| path != base.join(foreign)) {
                    open.push(path);
                }
            } else if !path.strip_prefix(base).is_ok_and(|file| folder.files.contains_key(file)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(content: &str) -> Folder {
        let files = BTreeMap::from([(PathBuf::from("alicloud/A.json"), content.to_owned())]);
        Folder { path: PathBuf::from("schemas"), files, foreign: Some("foreign") }
    }

    #[test]
    fn what_was_written_is_up_to_date() {
        let root = tempfile::tempdir().unwrap();
        finish(root.path(), &folder("a\n"), false, "write").unwrap();
        finish(root.path(), &folder("a\n"), true, "write").unwrap();
    }

    #[test]
    fn a_check_names_the_stale_line_and_the_command_that_fixes_it() {
        let root = tempfile::tempdir().unwrap();
        finish(root.path(), &folder("a\nold\n"), false, "write").unwrap();
        let message = finish(root.path(), &folder("a\nnew\n"), true, "cargo write").unwrap_err().to_string();
        assert!(message.contains("A.json:2\n  - old\n  + new"), "{message}");
        assert!(message.contains("`cargo write`"), "{message}");
    }

    #[test]
    fn a_file_that_is_no_longer_generated_fails_the_check_and_goes_with_the_next_write() {
        let root = tempfile::tempdir().unwrap();
        finish(root.path(), &folder("a\n"), false, "write").unwrap();
        let surplus = root.path().join("schemas/alicloud/B.json");
        fs::write(&surplus, "b").unwrap();
        finish(root.path(), &folder("a\n"), true, "write").unwrap_err();
        finish(root.path(), &folder("a\n"), false, "write").unwrap();
        assert!(!surplus.exists());
    }

    #[test]
    fn the_folder_of_another_step_stays() {
        let root = tempfile::tempdir().unwrap();
        let foreign = root.path().join("schemas/foreign/B.json");
        fs::create_dir_all(foreign.parent().unwrap()).unwrap();
        fs::write(&foreign, "b").unwrap();
        finish(root.path(), &folder("a\n"), false, "write").unwrap();
        finish(root.path(), &folder("a\n"), true, "write").unwrap();
        assert!(foreign.exists());
    }
}
