//! Templates as trees with holes.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use crate::blocks::{BEGIN, END, Mark, Marked, mark};
use crate::hole::{BlockKind, Hole, Name};
use crate::yaml::{Yaml, read};
use crate::{CompileError, Identity, Problem, scalar, yaml};

/// A compiled template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The file, as errors name it.
    pub file: String,
    /// The object.
    pub root: Node,
    /// Which object the template makes.
    pub identity: Identity,
}

/// A value with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A value without holes, as JSON text.
    Json(String),
    /// A text with holes.
    Text(Vec<Piece>),
    /// A hole that is a whole value.
    Value(Hole),
    /// An object.
    Object(Vec<Part>),
    /// A list.
    List(Vec<Part>),
}

/// A part of an object or of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A member of an object.
    Member(Vec<Piece>, Node),
    /// An item of a list.
    Item(Node),
    /// Parts that depend on a value.
    Block {
        /// How they depend on it.
        kind: BlockKind,
        /// The value.
        of: Hole,
        /// The parts.
        body: Vec<Part>,
        /// The parts that stand there instead.
        otherwise: Vec<Part>,
    },
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Fixed text.
    Text(String),
    /// A hole.
    Hole(Hole),
}

/// Compiles a template. `file` is the name in errors.
pub fn compile(file: &str, text: &str) -> Result<Template, CompileError> {
    let marked = mark(file, text)?;
    let fail = |line, problem| CompileError { file: file.to_owned(), line, problem };
    let document = read(&marked.yaml).map_err(|(line, problem)| fail(line, problem))?;
    let mut compiler = Compiler { marked: &marked, used: HashSet::new() };
    let root = compiler.node(&document).map_err(|(line, problem)| fail(line, problem))?;
    if let Some(line) = marked.unused(&compiler.used) {
        return Err(fail(line, Problem::HoleInComment));
    }
    let identity = Identity::of(&document, |text| compiler.spelled(text)).map_err(|problem| fail(1, problem))?;
    Ok(Template { file: file.to_owned(), root: root.folded(), identity })
}

/// A problem, and its line.
type Fault = (usize, Problem);

struct Compiler<'m> {
    marked: &'m Marked,
    /// The holes that a scalar or a key has.
    used: HashSet<usize>,
}

impl Compiler<'_> {
    fn node(&mut self, yaml: &Yaml) -> Result<Node, Fault> {
        match &yaml.value {
            yaml::Value::Plain(text) => self.plain(text).map_err(|problem| (yaml.line, problem)),
            yaml::Value::Quoted { text, is_double } => {
                let pieces = self.pieces(text).map_err(|problem| (yaml.line, problem))?;
                let has_holes = pieces.iter().any(|piece| matches!(piece, Piece::Hole(_)));
                if has_holes && !is_double {
                    Err((yaml.line, Problem::UnquotedHole))
                } else {
                    Ok(Node::Text(pieces))
                }
            }
            yaml::Value::List(items) => Ok(Node::List(self.items(items)?)),
            yaml::Value::Mapping(entries) => Ok(Node::Object(self.members(entries, &mut BTreeSet::new())?)),
        }
    }

    fn plain(&mut self, text: &str) -> Result<Node, Problem> {
        if let Some(Mark::Hole(number)) = Mark::whole(text)
            && let Some((hole, true)) = self.marked.holes.get(number)
        {
            self.used.insert(number);
            return Ok(Node::Value(hole.clone()));
        }
        if text.contains(BEGIN) {
            return Err(Problem::UnquotedHole);
        }
        let json = scalar::json(text)?;
        Ok(json.map_or_else(|| Node::Text(vec![Piece::Text(text.to_owned())]), |json| Node::Json(json.to_owned())))
    }

    fn pieces(&mut self, text: &str) -> Result<Vec<Piece>, Problem> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (mark, behind) = after.split_once(END).ok_or(Problem::PrivateUse)?;
            let Some(Mark::Hole(number)) = Mark::read(mark) else { return Err(Problem::BlockContent) };
            let Some((hole, is_json)) = self.marked.holes.get(number) else { return Err(Problem::PrivateUse) };
            if *is_json {
                return Err(Problem::QuotedJson);
            }
            self.used.insert(number);
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Hole(hole.clone()));
            rest = behind;
        }
        if !rest.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(pieces)
    }

    fn items(&mut self, items: &[Yaml]) -> Result<Vec<Part>, Fault> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &Yaml) -> Result<Part, Fault> {
        let yaml::Value::Mapping(entries) = &item.value else { return Ok(Part::Item(self.node(item)?)) };
        let Some((key, body)) = entries.first() else { return Ok(Part::Item(self.node(item)?)) };
        let Some(Mark::Body(number)) = key.text().and_then(Mark::whole) else {
            return Ok(Part::Item(self.node(item)?));
        };
        let is_otherwise = |key: &Yaml| key.text().and_then(Mark::whole) == Some(Mark::Otherwise(number));
        let otherwise = match entries.get(1..).unwrap_or_default() {
            [] => None,
            [(key, otherwise)] if is_otherwise(key) => Some(otherwise),
            // What stands under a block belongs to no item.
            [(key, _), ..] => {
                let line =
                    entries.iter().find(|(key, _)| key.text().is_some_and(|key| Mark::whole(key).is_none()));
                return Err((line.map_or(key.line, |(key, _)| key.line), Problem::BlockContent));
            }
        };
        self.block(number, item.line, body, otherwise, &mut BTreeSet::new())
    }

    /// The members of a mapping. `names` are the keys that may be there next to them.
    fn members<'y>(
        &mut self,
        entries: &'y [(Yaml, Yaml)],
        names: &mut BTreeSet<&'y str>,
    ) -> Result<Vec<Part>, Fault> {
        let mut parts = Vec::new();
        let mut entries = entries.iter().peekable();
        while let Some((key, value)) = entries.next() {
            let text = key.text().ok_or((key.line, Problem::Key))?;
            if let Some(Mark::Body(number)) = Mark::whole(text) {
                let is_otherwise =
                    |(key, _): &&(Yaml, Yaml)| key.text().and_then(Mark::whole) == Some(Mark::Otherwise(number));
                let otherwise = entries.next_if(is_otherwise).map(|(_, otherwise)| otherwise);
                parts.push(self.block(number, key.line, value, otherwise, names)?);
                continue;
            }
            if !names.insert(text) {
                return Err((key.line, Problem::DuplicateKey(self.spelled(text))));
            }
            let has_hole = text.contains(BEGIN);
            if has_hole && !matches!(key.value, yaml::Value::Quoted { is_double: true, .. }) {
                return Err((key.line, Problem::UnquotedHole));
            }
            if let yaml::Value::Plain(text) = &key.value
                && scalar::json(text).map_err(|problem| (key.line, problem))?.is_some()
            {
                return Err((key.line, Problem::Key));
            }
            let pieces = self.pieces(text).map_err(|problem| (key.line, problem))?;
            parts.push(Part::Member(pieces, self.node(value)?));
        }
        Ok(parts)
    }

    fn block<'y>(
        &mut self,
        number: usize,
        line: usize,
        body: &'y Yaml,
        otherwise: Option<&'y Yaml>,
        names: &mut BTreeSet<&'y str>,
    ) -> Result<Part, Fault> {
        let Some((kind, of)) = self.marked.blocks.get(number) else { return Err((line, Problem::PrivateUse)) };
        let (mut siblings, mut instead) = (names.clone(), names.clone());
        let mut parts = |yaml: &'y Yaml, names: &mut BTreeSet<&'y str>| match &yaml.value {
            yaml::Value::List(items) => self.items(items),
            yaml::Value::Mapping(entries) => self.members(entries, names),
            _ => Err((yaml.line, Problem::BlockContent)),
        };
        let body = parts(body, &mut siblings)?;
        let otherwise = otherwise.map_or_else(|| Ok(Vec::new()), |yaml| parts(yaml, &mut instead))?;
        if *kind == BlockKind::Each
            && let Some(repeated) = siblings.difference(names).find(|name| !name.contains(BEGIN))
        {
            return Err((line, Problem::RepeatedKey((*repeated).to_owned())));
        }
        names.append(&mut siblings);
        names.append(&mut instead);
        Ok(Part::Block { kind: *kind, of: of.clone(), body, otherwise })
    }

    /// A text with its marks spelled as in the template.
    fn spelled(&self, text: &str) -> String {
        let mut spelled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (mark, behind) = after.split_once(END).unwrap_or((after, ""));
            spelled.push_str(before);
            if let Some(Mark::Hole(number)) = Mark::read(mark)
                && let Some((hole, _)) = self.marked.holes.get(number)
            {
                let _ = write!(spelled, "{{{{{hole}}}}}");
            }
            rest = behind;
        }
        spelled.push_str(rest);
        spelled
    }
}

impl std::fmt::Display for Hole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let up = "../".repeat(self.up);
        match self.name {
            Name::Key => write!(f, "@{up}key"),
            Name::Index => write!(f, "@{up}index"),
            Name::Value if self.keys.is_empty() => write!(f, "{up}this"),
            Name::Value => write!(f, "{up}{}", self.keys.join(".")),
        }
    }
}

impl Node {
    /// The same value, with JSON text for whatever has no hole.
    fn folded(self) -> Self {
        match self {
            Self::Text(pieces) => match pieces.as_slice() {
                [Piece::Text(text)] => Self::Json(quoted(text)),
                _ => Self::Text(pieces),
            },
            Self::Object(parts) => {
                let parts = folded(parts);
                constant(&parts, '{', '}').map_or(Self::Object(parts), Self::Json)
            }
            Self::List(parts) => {
                let parts = folded(parts);
                constant(&parts, '[', ']').map_or(Self::List(parts), Self::Json)
            }
            other => other,
        }
    }
}

fn folded(parts: Vec<Part>) -> Vec<Part> {
    let fold = |part| match part {
        Part::Member(key, value) => Part::Member(key, value.folded()),
        Part::Item(value) => Part::Item(value.folded()),
        Part::Block { kind, of, body, otherwise } => {
            Part::Block { kind, of, body: folded(body), otherwise: folded(otherwise) }
        }
    };
    parts.into_iter().map(fold).collect()
}

/// The JSON text of parts without holes.
fn constant(parts: &[Part], open: char, close: char) -> Option<String> {
    let texts: Option<Vec<String>> = parts.iter().map(Part::constant).collect();
    Some(format!("{open}{}{close}", texts?.join(",")))
}

impl Part {
    /// The JSON text of a part without holes.
    pub(crate) fn constant(&self) -> Option<String> {
        match self {
            Self::Member(key, Node::Json(json)) => match key.as_slice() {
                [Piece::Text(key)] => Some(format!("{}:{json}", quoted(key))),
                _ => None,
            },
            Self::Item(Node::Json(json)) => Some(json.clone()),
            _ => None,
        }
    }
}

/// A text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            char if char < ' ' => _ = write!(json, "\\u{:04x}", u32::from(char)),
            char => json.push(char),
        }
    }
    json.push('"');
    json
}
