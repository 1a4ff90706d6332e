//! What the source files of a crate import and export.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module as its file has it, without its tests.
#[derive(Debug, Default)]
pub struct Module {
    /// Paths from the root of the crate that it names.
    pub uses: Vec<Vec<String>>,
    /// Paths of what it re-exports, by name.
    pub exports: BTreeMap<String, Vec<String>>,
}

/// The modules of a crate by their paths; `folder` is the crate's, from the top of the repository.
pub fn read_crate(folder: &str) -> BTreeMap<Vec<String>, Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(folder).join("src");
    let mut modules = BTreeMap::new();
    let mut open = vec![(root.clone(), Vec::new())];
    while let Some((folder, path)) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            if ["main", "tests", "testing"].contains(&stem.as_str()) {
                continue;
            }
            if file.is_dir() {
                open.push((file, [path.clone(), vec![stem]].concat()));
            } else if file.extension().is_some_and(|end| end == "rs") {
                let is_folder = ["mod", "lib"].contains(&stem.as_str());
                let own = if is_folder { path.clone() } else { [path.clone(), vec![stem]].concat() };
                modules.insert(own.clone(), module(&root, &file, &own));
            }
        }
    }
    modules
}

fn module(root: &Path, file: &PathBuf, own: &[String]) -> Module {
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut module = Module::default();
    let mut rest = code.as_str();
    while let Some((before, after)) = rest.split_once("use ") {
        let is_statement = before.lines().last().is_none_or(|line| line.trim().is_empty() || line.contains("pub"));
        if !is_statement {
            rest = after;
            continue;
        }
        let is_export = before.lines().last().is_some_and(|line| line.contains("pub"));
        let (tree, after) = after.split_once(';').unwrap_or((after, ""));
        for path in paths(tree) {
            let Some(path) = absolute(root, &path, own) else { continue };
            if let (true, Some(name)) = (is_export, path.last()) {
                module.exports.insert(name.clone(), path.clone());
            }
            module.uses.push(path);
        }
        rest = after;
    }
    // Paths in code.
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let end = code[at..].find(|char: char| !char.is_alphanumeric() && !"_:".contains(char));
            let path = code[at..].get(..end.unwrap_or_default()).unwrap_or_default().trim_end_matches(':');
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            module.uses.extend(absolute(root, &path, own));
        }
    }
    module
}

/// The paths of a tree of imports.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((start, list)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(|name| name.trim().to_owned()).filter(|name| name != "self").collect()];
    };
    let start: Vec<String> =
        start.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    let (mut depth, mut items) = (0_usize, vec![String::new()]);
    for char in list.chars() {
        match char {
            ',' if depth == 0 => items.push(String::new()),
            other => {
                depth = if other == '{' { depth + 1 } else { depth.saturating_sub(usize::from(other == '}')) };
                items.last_mut().unwrap().push(other);
            }
        }
    }
    let items = items.iter().filter(|item| !item.trim().is_empty());
    items.flat_map(|item| paths(item)).map(|path| [start.clone(), path].concat()).collect()
}

/// The path from the root of the crate; none for what is another crate's.
fn absolute(root: &Path, path: &[String], own: &[String]) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    match path.first().map(String::as_str) {
        Some("crate") => Some(path[1..].to_vec()),
        Some("self") => Some([own, &path[1..]].concat()),
        Some("super") => Some([own.get(..own.len().checked_sub(ups)?)?, &path[ups..]].concat()),
        // A member of this module, if there is such a file.
        Some(name)
            if root.join(own.join("/")).join(name).exists()
                || root.join(own.join("/")).join(format!("{name}.rs")).exists() =>
        {
            Some([own, path].concat())
        }
        _ => None,
    }
}
