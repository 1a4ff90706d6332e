//! Templates as YAML: tags become marks that YAML reads as plain content, line by line, so that a place in the
//! YAML is the place in the template.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::expression::Tag;
use crate::hole::{BlockKind, Hole};
use crate::{CompileError, Problem};

/// Begins a mark.
pub(crate) const BEGIN: char = '\u{e000}';
/// Ends a mark.
pub(crate) const END: char = '\u{e001}';

/// A template whose tags are marks.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    /// The YAML.
    pub(crate) yaml: String,
    /// The holes, by the number in their marks, and whether a hole is a whole value.
    pub(crate) holes: Vec<(Hole, bool)>,
    /// The blocks, by the number in their marks.
    pub(crate) blocks: Vec<(BlockKind, Hole)>,
}

/// What a mark stands for, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A hole.
    Hole(usize),
    /// What a block holds.
    Body(usize),
    /// What stands there instead of a block.
    Otherwise(usize),
}

impl Mark {
    /// Reads what stands between [`BEGIN`] and [`END`].
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (sort, number) = text.split_at_checked(1)?;
        let number = number.parse().ok()?;
        Some(match sort {
            "h" => Self::Hole(number),
            "b" => Self::Body(number),
            "e" => Self::Otherwise(number),
            _ => return None,
        })
    }

    /// The mark that is the whole of a text.
    pub(crate) fn whole(text: &str) -> Option<Self> {
        Self::read(text.strip_prefix(BEGIN)?.strip_suffix(END)?)
    }
}

/// A block that is open.
struct Open {
    kind: BlockKind,
    number: usize,
    line: usize,
    /// How far the lines of the block stand from the margin.
    indent: usize,
    /// Whether the lines are items of a list.
    is_list: bool,
    has_else: bool,
    /// Whether the part of the block that is open has a line.
    has_lines: bool,
}

impl Open {
    /// Takes a line, or the block that begins there. The first one of a part is a member or an item like all of
    /// the block; what stands further right belongs to one before it, as do the items of a list at the indentation
    /// of its key.
    fn hold(&mut self, indent: usize, is_item: bool) -> Result<(), Problem> {
        let fits = if self.has_lines {
            indent > self.indent || indent == self.indent && (is_item || !self.is_list)
        } else {
            indent == self.indent && is_item == self.is_list
        };
        self.has_lines = true;
        if fits { Ok(()) } else { Err(Problem::BlockContent) }
    }
}

/// How far lines of a block are moved to the right, so that they stand under the mark of their block.
const SHIFT: usize = 4;

/// Turns tags into marks.
pub(crate) fn mark(file: &str, text: &str) -> Result<Marked, CompileError> {
    let mut marked = Marked::default();
    let mut open: Vec<Open> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        let fail = |problem| CompileError { file: file.to_owned(), line: number, problem };
        if has_private_use(line) {
            return Err(fail(Problem::PrivateUse));
        }
        let content = line.trim_start_matches(' ');
        if content.starts_with('\t') {
            return Err(fail(Problem::Tabulator));
        }
        match alone(content, number).map_err(fail)? {
            Some(Tag::Open(kind, hole)) => {
                let first = content_after(&lines, index).ok_or_else(|| fail(Problem::EmptyBlock))?;
                let (indent, is_list) = (first.indent, first.is_item);
                if let Some(outer) = open.last_mut() {
                    outer.hold(indent, is_list).map_err(fail)?;
                }
                let block = marked.blocks.len();
                marked.blocks.push((kind, hole));
                let dash = if is_list { "- " } else { "" };
                marked.push(indent + SHIFT * open.len(), &format!("{dash}\"{BEGIN}b{block}{END}\":"));
                let (line, has_else, has_lines) = (number, false, false);
                open.push(Open { kind, number: block, line, indent, is_list, has_else, has_lines });
            }
            Some(tag @ (Tag::Else | Tag::Close(_))) => {
                let fitting = |block: &&mut Open| match tag {
                    Tag::Close(kind) => block.kind == kind,
                    _ => !block.has_else,
                };
                let name = open
                    .last()
                    .map(|block| format!("`{{{{#{}}}}}` of line {} is open", block.kind.name(), block.line));
                let Some(block) = open.last_mut().filter(fitting) else {
                    let found = content.trim_end().trim_start_matches('{').trim_end_matches('}').to_owned();
                    let open = name.unwrap_or_else(|| "no block is open".to_owned());
                    return Err(fail(Problem::NothingOpen { found, open }));
                };
                if !block.has_lines {
                    return Err(fail(Problem::EmptyBlock));
                }
                if tag == Tag::Else {
                    block.has_else = true;
                    block.has_lines = false;
                    let indent = block.indent + if block.is_list { 2 } else { 0 };
                    let mark = format!("\"{BEGIN}e{}{END}\":", block.number);
                    let outer = open.len() - 1;
                    marked.push(indent + SHIFT * outer, &mark);
                } else {
                    open.pop();
                    marked.push(0, "");
                }
            }
            Some(_) => marked.push(0, ""),
            None => {
                let is_blank = content.is_empty() || content.starts_with('#');
                let indent = line.len() - content.len();
                if let Some(block) = open.last_mut().filter(|_| !is_blank) {
                    block.hold(indent, is_item(content)).map_err(fail)?;
                }
                let content = holes(content, number, &mut marked.holes).map_err(fail)?;
                let shift = if content.is_empty() { 0 } else { indent + SHIFT * open.len() };
                marked.push(shift, &content);
            }
        }
    }
    match open.pop() {
        Some(Open { kind, line, .. }) => {
            Err(CompileError { file: file.to_owned(), line, problem: Problem::Open(kind.name().to_owned()) })
        }
        None => Ok(marked),
    }
}

impl Marked {
    fn push(&mut self, indent: usize, line: &str) {
        self.yaml.extend(std::iter::repeat_n(' ', indent));
        self.yaml.push_str(line);
        self.yaml.push('\n');
    }

    /// The number of a hole that no scalar and no key has, and its line.
    pub(crate) fn unused(&self, used: &HashSet<usize>) -> Option<usize> {
        self.holes.iter().enumerate().find(|(number, _)| !used.contains(number)).map(|(_, (hole, _))| hole.line)
    }
}

/// Whether a line has a character of the private use area, or an escape of YAML that stands for one.
fn has_private_use(line: &str) -> bool {
    const AREA: std::ops::RangeInclusive<u32> = 0xe000..=0xf8ff;
    let escaped = |sign: &str, digits: usize| {
        line.split(sign).skip(1).any(|after| {
            let code = after.get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            code.is_some_and(|code| AREA.contains(&code))
        })
    };
    line.chars().any(|char| AREA.contains(&u32::from(char))) || escaped("\\u", 4) || escaped("\\U", 8)
}

/// The tag of a block, or the comment, that is all of a line.
fn alone(content: &str, line: usize) -> Result<Option<Tag>, Problem> {
    let Some(inner) = content.trim_end().strip_prefix("{{") else { return Ok(None) };
    let Some((tag, rest)) = inner.split_once("}}") else { return Err(Problem::Unclosed) };
    let tag = Tag::read(tag, line)?;
    match tag {
        Tag::Text(_) | Tag::Json(_) => Ok(None),
        _ if rest.is_empty() => Ok(Some(tag)),
        _ => Err(Problem::NotAlone),
    }
}

struct First {
    indent: usize,
    is_item: bool,
}

/// The first line behind a tag that is neither blank, a comment nor a tag.
fn content_after(lines: &[&str], index: usize) -> Option<First> {
    let contents = lines.get(index + 1..)?.iter().map(|line| (line, line.trim_start_matches(' ')));
    let mut contents = contents.filter(|(_, content)| !content.is_empty() && !content.starts_with('#'));
    let (line, content) = contents.find(|(_, content)| !content.starts_with("{{"))?;
    Some(First { indent: line.len() - content.len(), is_item: is_item(content) })
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// A line whose holes are marks.
fn holes(content: &str, line: usize, holes: &mut Vec<(Hole, bool)>) -> Result<String, Problem> {
    let mut marked = String::new();
    let mut rest = content;
    while let Some((before, after)) = rest.split_once("{{") {
        let (tag, behind) = after.split_once("}}").ok_or(Problem::Unclosed)?;
        if before.ends_with('\\') || behind.starts_with('}') {
            return Err(Problem::UnknownTag(tag.to_owned()));
        }
        let hole = match Tag::read(tag, line)? {
            Tag::Text(hole) => (hole, false),
            Tag::Json(hole) => (hole, true),
            tag if tag.is_of_block() => return Err(Problem::NotAlone),
            _ => return Err(Problem::NotAlone),
        };
        marked.push_str(before);
        let _ = write!(marked, "{BEGIN}h{}{END}", holes.len());
        holes.push(hole);
        rest = behind;
    }
    marked.push_str(rest);
    Ok(marked)
}
