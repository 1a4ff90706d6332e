//! What stands between `{{` and `}}`.

use crate::Problem;
use crate::hole::{BlockKind, Hole, Name};

/// Words that mean something else in Handlebars than a name.
const RESERVED: [&str; 15] = [
    "as",
    "each",
    "else",
    "false",
    "if",
    "log",
    "lookup",
    "null",
    "raw",
    "this",
    "toJson",
    "true",
    "undefined",
    "unless",
    "with",
];

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// `{{path}}`: a part of a text.
    Text(Hole),
    /// `{{toJson path}}`: a whole value.
    Json(Hole),
    /// `{{#if path}}`
    Open(BlockKind, Hole),
    /// `{{else}}`
    Else,
    /// `{{/if}}`
    Close(BlockKind),
    /// `{{! … }}`
    Comment,
}

impl Tag {
    /// Reads what stands between the braces of a tag.
    pub(crate) fn read(text: &str, line: usize) -> Result<Self, Problem> {
        let unknown = || Problem::UnknownTag(text.to_owned());
        let inner = text.trim();
        if inner.starts_with('!') {
            return Ok(Self::Comment);
        }
        if inner == "else" {
            return Ok(Self::Else);
        }
        if let Some(name) = inner.strip_prefix('/') {
            return Ok(Self::Close(BlockKind::read(name).ok_or_else(unknown)?));
        }
        let hole = |path: &str| Hole::read(path, line).ok_or_else(unknown);
        match (inner.strip_prefix('#'), inner.split_once(' ')) {
            (Some(opening), _) => {
                let (name, path) = opening.split_once(' ').ok_or_else(unknown)?;
                Ok(Self::Open(BlockKind::read(name).ok_or_else(unknown)?, hole(path.trim())?))
            }
            (None, Some(("toJson", path))) => Ok(Self::Json(hole(path.trim())?)),
            (None, Some(_)) => Err(unknown()),
            (None, None) => Ok(Self::Text(hole(inner)?)),
        }
    }

    /// Whether the tag opens, divides or ends a block.
    pub(crate) fn is_of_block(&self) -> bool {
        matches!(self, Self::Open(..) | Self::Else | Self::Close(_))
    }
}

impl BlockKind {
    fn read(name: &str) -> Option<Self> {
        Some(match name {
            "if" => Self::If,
            "unless" => Self::Unless,
            "each" => Self::Each,
            "with" => Self::With,
            _ => return None,
        })
    }

    /// Its name in a template.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::If => "if",
            Self::Unless => "unless",
            Self::Each => "each",
            Self::With => "with",
        }
    }
}

impl Hole {
    /// Reads a path: `../` as often as needed, then `this` or names joined by dots; or `@key` or `@index`, with
    /// `../` behind the sign.
    fn read(path: &str, line: usize) -> Option<Self> {
        let local = path.strip_prefix('@');
        let mut rest = local.unwrap_or(path);
        let mut up = 0;
        while let Some(outer) = rest.strip_prefix("../") {
            rest = outer;
            up += 1;
        }
        let (name, keys) = match rest {
            "key" if local.is_some() => (Name::Key, Vec::new()),
            "index" if local.is_some() => (Name::Index, Vec::new()),
            _ if local.is_some() => return None,
            "this" => (Name::Value, Vec::new()),
            _ => {
                let keys = rest.strip_prefix("this.").unwrap_or(rest);
                (Name::Value, keys.split('.').map(str::to_owned).collect())
            }
        };
        let is_name = |key: &String| {
            key.starts_with(|first: char| first.is_ascii_alphabetic())
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !RESERVED.contains(&key.as_str())
        };
        keys.iter().all(is_name).then_some(Self { up, name, keys, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_hole_a_block_or_a_comment() {
        let hole = |up, name, keys: &[&str]| Hole {
            up,
            name,
            keys: keys.iter().map(|&key| key.to_owned()).collect(),
            line: 3,
        };
        let table = [
            ("a", Some(Tag::Text(hole(0, Name::Value, &["a"])))),
            (" images.csiAttacher ", Some(Tag::Text(hole(0, Name::Value, &["images", "csiAttacher"])))),
            ("this", Some(Tag::Text(hole(0, Name::Value, &[])))),
            ("this.a", Some(Tag::Text(hole(0, Name::Value, &["a"])))),
            ("../../a", Some(Tag::Text(hole(2, Name::Value, &["a"])))),
            ("@key", Some(Tag::Text(hole(0, Name::Key, &[])))),
            ("@index", Some(Tag::Text(hole(0, Name::Index, &[])))),
            ("@../index", Some(Tag::Text(hole(1, Name::Index, &[])))),
            ("../@index", None),
            ("@../a", None),
            ("log", None),
            ("toJson a", Some(Tag::Json(hole(0, Name::Value, &["a"])))),
            ("#if a", Some(Tag::Open(BlockKind::If, hole(0, Name::Value, &["a"])))),
            ("#each  a", Some(Tag::Open(BlockKind::Each, hole(0, Name::Value, &["a"])))),
            ("else", Some(Tag::Else)),
            ("/with", Some(Tag::Close(BlockKind::With))),
            ("! what it is for", Some(Tag::Comment)),
            ("", None),
            ("a b", None),
            ("a-b", None),
            ("a..b", None),
            (".", None),
            ("..", None),
            ("a.[b]", None),
            ("toYaml a", None),
            ("#for a", None),
            ("#if", None),
            ("else if a", None),
            ("> partial", None),
            ("{a}", None),
            ("~a", None),
            ("&a", None),
            ("@root.a", None),
            ("true", None),
        ];
        for (text, expected) in table {
            assert_eq!(Tag::read(text, 3).ok(), expected, "{text}");
        }
    }
}
