//! Folders that are written as a whole, or left as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// The files of a folder by name.
pub(super) fn read(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
    };
    entries.map(file).collect()
}

/// Puts these files in the place of a folder: a process that reads it meanwhile finds no half of it. A folder that
/// holds just these stays, with its times, by which make sees that nothing has changed.
pub(super) fn replace(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
    if read(folder).is_ok_and(|found| found == *files) {
        return Ok(());
    }
    swap(folder, files).with_context(|| format!("cannot write {}", folder.display()))
}

fn swap(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> std::io::Result<()> {
    let (new, old) = (folder.with_extension("new"), folder.with_extension("old"));
    for left_behind in [&new, &old] {
        if left_behind.exists() {
            fs::remove_dir_all(left_behind)?;
        }
    }
    fs::create_dir_all(&new)?;
    for (name, bytes) in files {
        fs::write(new.join(name), bytes)?;
    }
    if folder.exists() {
        fs::rename(folder, &old)?;
    }
    fs::rename(&new, folder)?;
    if old.exists() { fs::remove_dir_all(&old) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        read(folder).unwrap().into_keys().collect()
    }

    #[test]
    fn a_folder_is_replaced_as_a_whole() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("policies");
        let files = |name: &str| BTreeMap::from([(name.to_owned(), b"x".to_vec())]);
        replace(&folder, &files("a")).unwrap();
        replace(&folder, &files("b")).unwrap();
        assert_eq!(names(&folder), ["b"]);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_holds_the_files_is_not_written() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("policies");
        let files = BTreeMap::from([("a".to_owned(), b"x".to_vec())]);
        replace(&folder, &files).unwrap();
        let written = fs::metadata(folder.join("a")).unwrap().modified().unwrap();
        replace(&folder, &files).unwrap();
        assert_eq!(fs::metadata(folder.join("a")).unwrap().modified().unwrap(), written);
        fs::write(folder.join("more"), "").unwrap();
        replace(&folder, &files).unwrap();
        assert_eq!(names(&folder), ["a"]);
    }
}
