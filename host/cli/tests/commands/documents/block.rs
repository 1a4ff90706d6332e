//! The fenced blocks of the pages.

use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block.
pub struct Block {
    /// The file, from the top of the repository.
    pub page: String,
    /// The line of the fence.
    pub line: usize,
    pub language: String,
    pub lines: Vec<String>,
    pub note: Note,
}

/// What the comment in the line before a block says.
#[derive(Clone)]
pub enum Note {
    None,
    /// `<!-- exits with 1 -->`
    Exits(i32),
    /// `<!-- not run: REASON; nearest test: NAME -->`
    NotRun {
        reason: String,
        nearest: String,
    },
}

impl Block {
    /// Where it is, for people.
    pub fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

impl Note {
    fn of(line: &str) -> Self {
        let comment = line.trim().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(code) = comment.and_then(|text| text.strip_prefix("exits with ")) {
            return Self::Exits(code.parse().unwrap());
        }
        let Some(text) = comment.and_then(|text| text.strip_prefix("not run: ")) else { return Self::None };
        let (reason, nearest) = text.split_once("; nearest test: ").unwrap_or((text, ""));
        Self::NotRun { reason: reason.to_owned(), nearest: nearest.to_owned() }
    }
}

/// All blocks of all pages.
pub fn blocks(root: &Path) -> Vec<Block> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "charts-templates/README.md", "web/README.md"].map(PathBuf::from).into();
    for folder in ["docs", "docs/how-to", "docs/rules"] {
        let names = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        pages.extend(
            names
                .map(|name| Path::new(folder).join(name))
                .filter(|name| name.extension().is_some_and(|it| it == "md")),
        );
    }
    pages.sort();
    pages
        .iter()
        .flat_map(|page| of_page(&page.display().to_string(), &fs::read_to_string(root.join(page)).unwrap()))
        .collect()
}

/// The blocks of a page.
pub fn of_page(page: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (index, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (open.take(), fence) {
            (Some(block), Some(_)) => blocks.push(block),
            (Some(mut block), None) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, Some(language)) => {
                let (page, language) = (page.to_owned(), language.trim().to_owned());
                open = Some(Block { page, line: index + 1, language, lines: Vec::new(), note: Note::of(before) });
            }
            (None, None) => {}
        }
        before = line;
    }
    assert!(open.is_none(), "{page}: the last block has no end");
    blocks
}
