//! Names that pages use and that have to be there: targets of make, tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The targets of the Makefile and which of them CI makes, and the test binaries.
pub struct Names {
    root: PathBuf,
    /// The words of a target's rule.
    targets: BTreeMap<String, BTreeSet<String>>,
    made_by_ci: BTreeSet<String>,
}

impl Names {
    pub fn read(root: &Path) -> Self {
        let targets = targets(&fs::read_to_string(root.join("Makefile")).unwrap());
        let mut made_by_ci = BTreeSet::new();
        let mut next: Vec<String> = fs::read_to_string(root.join(".ci/run"))
            .unwrap()
            .lines()
            .filter(|line| !line.trim_start().starts_with('#') && line.contains("make "))
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter(|word| targets.contains_key(word))
            .collect();
        while let Some(target) = next.pop() {
            if let Some(words) = targets.get(&target).filter(|_| made_by_ci.insert(target)) {
                next.extend(words.iter().filter(|word| targets.contains_key(*word)).cloned());
            }
        }
        Self { root: root.to_owned(), targets, made_by_ci }
    }

    /// Whether a file has this text.
    pub fn has(&self, file: &str, text: &str) -> bool {
        fs::read_to_string(self.root.join(file)).is_ok_and(|content| content.contains(text))
    }

    /// What keeps CI from running commands of make and cargo as they stand.
    pub fn check(&self, text: &str) -> Result<(), String> {
        text.split('#').next().unwrap_or_default().split(" && ").try_for_each(|part| {
            let words: Vec<&str> = part.split_whitespace().skip_while(|word| word.contains('=')).collect();
            match words.as_slice() {
                ["make", targets @ ..] => targets
                    .iter()
                    .filter(|word| !word.contains('='))
                    .try_for_each(|target| self.check_target(target)),
                ["cargo", "test", arguments @ ..] if !arguments.contains(&"--ignored") => {
                    self.check_test(arguments)
                }
                _ => Err(format!(
                    "CI does not run `{}` as it stands: mark the block, or leave it out",
                    words.join(" ")
                )),
            }
        })
    }

    /// A target is made where it or, as `make test`, all of its parts are.
    fn check_target(&self, target: &str) -> Result<(), String> {
        let Some(words) = self.targets.get(target) else {
            return Err(format!("the Makefile has no target `{target}`"));
        };
        let mut parts = words.iter().filter(|word| self.targets.contains_key(*word)).peekable();
        let is_made = parts.peek().is_some() && parts.all(|part| self.made_by_ci.contains(part));
        if is_made || self.made_by_ci.contains(target) {
            Ok(())
        } else {
            Err(format!("`.ci/run` does not make `{target}`: mark the block"))
        }
    }

    /// CI runs all tests of all packages.
    fn check_test(&self, arguments: &[&str]) -> Result<(), String> {
        let folders = [
            "charts-templates",
            "core",
            "host/cli",
            "host/kubernetes",
            "host/policies",
            "host/runner",
            "host/testing",
            "simulator",
            "tests",
            "wasm",
            "xtask",
        ];
        let manifest =
            |folder: &str| fs::read_to_string(self.root.join(folder).join("Cargo.toml")).unwrap_or_default();
        for pair in arguments.windows(2) {
            let known = match pair {
                ["-p" | "--package", name] => {
                    folders.iter().any(|folder| manifest(folder).contains(&format!("name = \"{name}\"")))
                }
                ["--test", name] => folders.iter().any(|folder| {
                    let tests = self.root.join(folder).join("tests");
                    tests.join(format!("{name}.rs")).is_file() || tests.join(name).join("main.rs").is_file()
                }),
                _ => true,
            };
            if !known {
                return Err(format!("the workspace has no `{}`", pair.join(" ")));
            }
        }
        Ok(())
    }
}

/// The targets of a Makefile, each with the words of its rule that may name others: what comes first, and what it
/// makes.
fn targets(makefile: &str) -> BTreeMap<String, BTreeSet<String>> {
    let variables: Vec<(String, &str)> = makefile
        .lines()
        .filter_map(|line| line.split_once(" := "))
        .map(|(name, value)| (format!("$({name})"), value))
        .collect();
    let words = |text: &str| -> Vec<String> {
        let text = variables.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
        text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-').map(str::to_owned).collect()
    };
    let mut targets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current: Vec<String> = Vec::new();
    for line in makefile.lines() {
        let mut found = Vec::new();
        if let Some(recipe) = line.strip_prefix('\t') {
            found.extend(recipe.split_once("$(MAKE)").map(|(_, made)| words(made)).unwrap_or_default());
        } else if let Some((names, rest)) = line.split_once(':').filter(|(names, rest)| is_rule(names, rest)) {
            current = names.split_whitespace().map(str::to_owned).collect();
            found.extend(words(rest.split("##").next().unwrap_or_default()));
        }
        for target in &current {
            targets.entry(target.clone()).or_default().extend(found.iter().cloned());
        }
    }
    targets
}

fn is_rule(names: &str, rest: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    !rest.starts_with('=') && !names.is_empty() && names.split_whitespace().all(is_name)
}

/// The names of all tests in Rust, JavaScript, Go and Python.
pub fn tests(root: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders: Vec<PathBuf> =
        ["charts-templates", "core", "host", "page", "simulator", "tests", "web", "xtask"]
            .map(|name| root.join(name))
            .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() && !["node_modules", "dist", "target"].iter().any(|name| path.ends_with(name)) {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|it| ["rs", "js", "go", "py"].iter().any(|end| it == *end))
            {
                names.extend(names_in(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    names
}

/// The names of the tests in a file.
fn names_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        let function = ["fn ", "async fn ", "func ", "def "].iter().find_map(|start| line.strip_prefix(start));
        let script = ["test(\"", "test(`"].iter().find_map(|start| line.strip_prefix(start));
        if let Some(name) = script.and_then(|rest| rest.split(['"', '`']).next()) {
            names.push(name.to_owned());
        } else if let Some(name) = function.and_then(|rest| rest.split('(').next()) {
            if is_test || name.starts_with("Test") || name.starts_with("test_") {
                names.push(name.to_owned());
            }
            is_test = false;
        } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        }
    }
    names
}
