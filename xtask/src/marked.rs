//! Pages of which a part between two marks is generated.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

/// A generated part of a page.
pub(crate) struct Part<'p> {
    /// Path of the page from the top of the repository.
    pub(crate) file: &'p str,
    /// The line before the part.
    pub(crate) begin: &'p str,
    /// The line after the part.
    pub(crate) end: &'p str,
    /// The command that writes the part.
    pub(crate) command: &'p str,
}

impl Part<'_> {
    /// Writes the part, or with `check` fails where the page has another one.
    pub(crate) fn finish(&self, root: &Path, content: &str, check: bool) -> anyhow::Result<()> {
        let Self { file, begin, end, command } = self;
        let path = root.join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
        let around = || {
            let (before, rest) = text.split_once(begin)?;
            let (_, after) = rest.split_once(end)?;
            Some((before, after))
        };
        let (before, after) = around().with_context(|| format!("{file} lacks the marks of its generated part"))?;
        let wanted = format!("{before}{begin}{content}{end}{after}");
        if !check {
            fs::write(&path, wanted).with_context(|| format!("cannot write {file}"))?;
        } else if text != wanted {
            bail!("{file} is stale; run `{command}` and commit the result");
        }
        Ok(())
    }
}
