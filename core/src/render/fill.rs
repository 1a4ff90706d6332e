//! Fills the holes of templates.

use super::{Block, BlockKind, Bundle, Hole, Name, Node, Part, Piece, RenderError, RenderProblem, Template};
use crate::document::{JsonText, Value, write_escaped, write_string};

impl Bundle {
    /// The objects, filled with values.
    pub fn fill(&self, values: &Value<'_>) -> Result<Vec<JsonText>, RenderError> {
        self.templates.iter().map(|template| fill(template, values)).collect()
    }
}

/// Fills a template with values. The object's members stand in the order of the template.
pub fn fill(template: &Template, values: &Value<'_>) -> Result<JsonText, RenderError> {
    let mut writer = Writer { file: template.file, text: String::with_capacity(1 << 10), keys: None };
    writer.node(&template.root, &Scope { value: values, key: None, index: None, outer: None })?;
    Ok(JsonText::from_json(writer.text))
}

/// What paths begin with.
struct Scope<'s> {
    value: &'s Value<'s>,
    /// The key of the member, where `each` goes through an object.
    key: Option<&'s str>,
    /// The number of the item or member that `each` is at.
    index: Option<usize>,
    outer: Option<&'s Scope<'s>>,
}

/// What fills a hole.
enum Filling<'s> {
    Value(&'s Value<'s>),
    Key(&'s str),
    Index(usize),
}

struct Writer {
    file: &'static str,
    text: String,
    /// The keys of the object that is being written, where values name some of them.
    keys: Option<Vec<String>>,
}

type Written = Result<(), RenderError>;

impl Writer {
    fn node(&mut self, node: &Node, scope: &Scope<'_>) -> Written {
        match node {
            Node::Json(json) => self.text.push_str(json),
            Node::Text(pieces) => self.pieces(pieces, scope)?,
            Node::Value(hole) => match self.filling(hole, scope)? {
                Filling::Value(value) => value.write(&mut self.text),
                Filling::Key(key) => write_string(key, &mut self.text),
                Filling::Index(index) => self.text.push_str(&index.to_string()),
            },
            Node::Object(parts) => {
                let keys = parts.iter().any(names_key).then(Vec::new);
                let outer = std::mem::replace(&mut self.keys, keys);
                self.collection(['{', '}'], parts, scope)?;
                self.keys = outer;
            }
            Node::List(parts) => {
                let outer = self.keys.take();
                self.collection(['[', ']'], parts, scope)?;
                self.keys = outer;
            }
        }
        Ok(())
    }

    /// Writes an object or a list. One in which nothing is left is null, as what stands behind a key in YAML is
    /// then.
    fn collection(&mut self, [open, close]: [char; 2], parts: &[Part], scope: &Scope<'_>) -> Written {
        let start = self.text.len();
        self.text.push(open);
        self.parts(parts, scope)?;
        if self.text.len() == start + 1 {
            self.text.truncate(start);
            self.text.push_str("null");
        } else {
            self.text.push(close);
        }
        Ok(())
    }

    fn parts(&mut self, parts: &[Part], scope: &Scope<'_>) -> Written {
        for part in parts {
            match part {
                Part::Json(json) => {
                    self.separate();
                    self.text.push_str(json);
                }
                Part::Member(key, value) => {
                    self.separate();
                    let start = self.text.len();
                    self.pieces(key, scope)?;
                    self.is_new_key(start, key)?;
                    self.text.push(':');
                    self.node(value, scope)?;
                }
                Part::Item(value) => {
                    self.separate();
                    self.node(value, scope)?;
                }
                Part::Block(block) => self.block(block, scope)?,
            }
        }
        Ok(())
    }

    /// Checks that the key that was written last is not in the object, where values name keys.
    fn is_new_key(&mut self, start: usize, pieces: &[Piece]) -> Written {
        let Some(keys) = &mut self.keys else { return Ok(()) };
        let key = self.text.get(start..).unwrap_or_default();
        if keys.iter().any(|known| known == key) {
            static ANY: Hole = Hole { up: 0, name: Name::Key, keys: &[], line: 0 };
            let hole = pieces.iter().find_map(|piece| match piece {
                Piece::Hole(hole) => Some(hole),
                Piece::Json(_) => None,
            });
            return Err(RenderError::new(self.file, hole.unwrap_or(&ANY), RenderProblem::DuplicateKey));
        }
        keys.push(key.to_owned());
        Ok(())
    }

    fn block(&mut self, block: &Block, scope: &Scope<'_>) -> Written {
        let Block { kind, of, body, otherwise } = block;
        let made;
        let value = match self.filling(of, scope)? {
            Filling::Value(value) => value,
            Filling::Key(key) => {
                made = Value::string(key);
                &made
            }
            Filling::Index(index) => {
                made = Value::Number(index.to_string().into());
                &made
            }
        };
        match kind {
            BlockKind::If => self.parts(if is_truthy(value) { body } else { otherwise }, scope),
            BlockKind::Unless => self.parts(if is_truthy(value) { otherwise } else { body }, scope),
            BlockKind::With if is_truthy(value) => {
                self.parts(body, &Scope { value, outer: Some(scope), ..*scope })
            }
            BlockKind::With => self.parts(otherwise, scope),
            BlockKind::Each => self.each(value, block, scope),
        }
    }

    fn each(&mut self, value: &Value<'_>, block: &Block, scope: &Scope<'_>) -> Written {
        let inner = |value, key, index| Scope { value, key, index: Some(index), outer: Some(scope) };
        match value {
            Value::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.parts(block.body, &inner(item, None, index))?;
                }
                Ok(())
            }
            Value::Object(members) if !members.is_empty() => {
                for (index, (key, member)) in members.iter().enumerate() {
                    self.parts(block.body, &inner(member, Some(key), index))?;
                }
                Ok(())
            }
            Value::Null | Value::Array(_) | Value::Object(_) => self.parts(block.otherwise, scope),
            _ => Err(RenderError::new(self.file, &block.of, RenderProblem::NoItems)),
        }
    }

    fn pieces(&mut self, pieces: &[Piece], scope: &Scope<'_>) -> Written {
        self.text.push('"');
        for piece in pieces {
            match piece {
                Piece::Json(json) => self.text.push_str(json),
                Piece::Hole(hole) => {
                    let fail = |problem| RenderError::new(self.file, hole, problem);
                    match self.filling(hole, scope)? {
                        Filling::Value(Value::String(text)) => write_escaped(text, &mut self.text),
                        Filling::Value(Value::Number(number)) => self.text.push_str(number),
                        Filling::Value(Value::Bool(value)) => {
                            self.text.push_str(if *value { "true" } else { "false" });
                        }
                        Filling::Value(Value::Null) => return Err(fail(RenderProblem::Missing)),
                        Filling::Value(_) => return Err(fail(RenderProblem::NoText)),
                        Filling::Key(key) => write_escaped(key, &mut self.text),
                        Filling::Index(index) => self.text.push_str(&index.to_string()),
                    }
                }
            }
        }
        self.text.push('"');
        Ok(())
    }

    fn filling<'s>(&self, hole: &Hole, scope: &'s Scope<'_>) -> Result<Filling<'s>, RenderError> {
        let missing = || RenderError::new(self.file, hole, RenderProblem::Missing);
        let mut scope = scope;
        for _ in 0..hole.up {
            scope = scope.outer.ok_or_else(missing)?;
        }
        match hole.name {
            Name::Key => Ok(Filling::Key(scope.key.ok_or_else(missing)?)),
            Name::Index => Ok(Filling::Index(scope.index.ok_or_else(missing)?)),
            Name::Value => {
                let start = scope.value;
                let found = hole.keys.iter().try_fold(start, |value, key| value.member(key));
                Ok(Filling::Value(found.ok_or_else(missing)?))
            }
        }
    }

    /// Separates an entry from the one before it.
    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), Some(b'{' | b'[')) {
            self.text.push(',');
        }
    }
}

/// Whether a value names the key of a member, or of one that a block holds.
fn names_key(part: &Part) -> bool {
    match part {
        Part::Member(key, _) => key.iter().any(|piece| matches!(piece, Piece::Hole(_))),
        Part::Block(Block { body, otherwise, .. }) => body.iter().chain(*otherwise).any(names_key),
        Part::Json(_) | Part::Item(_) => false,
    }
}

/// Whether `if` holds: the value is neither false, empty, 0 nor null.
fn is_truthy(value: &Value<'_>) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(digits) => {
            let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
            mantissa.bytes().any(|digit| (b'1'..=b'9').contains(&digit))
        }
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
