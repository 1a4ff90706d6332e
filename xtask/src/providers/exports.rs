//! The entry points of the npm package for one module each, in the list `exports` of its `package.json`.

use std::fmt::Write as _;
use std::path::Path;

use super::{modules, of_node};
use crate::marked::Part;

/// The entry points stand between that of the whole package and that of the worker.
const EXPORTS: Part<'_> = Part {
    file: "web/package.json",
    begin: "    \".\": { \"types\": \"./dist/index.d.ts\", \"default\": \"./dist/index.js\" },\n",
    end: "    \"./worker\": {\n",
    command: super::COMMAND,
};

/// Writes them, or with `check` fails where one is stale.
pub(super) fn finish(root: &Path, check: bool) -> anyhow::Result<()> {
    let of_pages = modules().map(|name| (name, "default"));
    let mut all: Vec<(String, &str)> = of_pages.chain(of_node().map(|name| (name, "node"))).collect();
    all.sort_unstable();
    let mut exports = String::new();
    for (name, condition) in all {
        let entry = name.replacen('-', "/", 1);
        let file = format!("./dist/generated/entries/{name}");
        writeln!(exports, "    \"./{entry}\": {{ \"types\": \"{file}.d.ts\", \"{condition}\": \"{file}.js\" }},")?;
    }
    EXPORTS.finish(root, &exports, check)
}
