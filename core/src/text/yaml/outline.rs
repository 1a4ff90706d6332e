//! What a YAML text says, as a flat list, and where its members at the top are.

use std::collections::BTreeSet;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

/// The largest text, in bytes. A kubelet configuration has some 2 KB.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting of lists and mappings.
pub const MAX_DEPTH: usize = 64;

/// Why a text cannot be read, or a member not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum YamlError {
    /// The text has too many bytes.
    #[error("it has {0} bytes, at most {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Lists and mappings are nested too deep.
    #[error("line {0} nests lists and mappings deeper than {MAX_DEPTH} levels")]
    TooDeep(usize),
    /// The text is not YAML: the line, and what is wrong there.
    #[error("line {0} is not valid YAML: {1}")]
    Syntax(usize, String),
    /// A key is there twice: the line of the second one. The message does not name the key: the text may be of a
    /// secret file.
    #[error("line {0} sets a key for a second time")]
    DuplicateKey(usize),
    /// A list, a mapping or an alias as a key.
    #[error("line {0} has a key that is no text")]
    KeyNotScalar(usize),
    /// The text is a list or a scalar.
    #[error("it is no mapping")]
    NoMapping,
    /// The text has more than one document.
    #[error("it has more than one document, and a second one in line {0}")]
    TooManyDocuments(usize),
    /// A member that is to be set has something else than a plain value: a list, a mapping, an alias, an anchor or
    /// a tag.
    #[error("`{0}` has a list, a mapping, an alias, an anchor or a tag; it must have a value of its own")]
    NoScalar(String),
    /// The members cannot be set without a change of others.
    #[error("nothing can be added to it without a change of the rest: write its members below each other")]
    NotEditable,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A scalar.
    Scalar {
        /// Its content.
        text: String,
        /// Whether it has no quotes, and is not written over several lines after `|` or `>`.
        is_plain: bool,
        /// Its tag.
        tag: Option<String>,
        /// Its anchor; 0 for none.
        anchor: usize,
    },
    /// An alias of the anchor of that number.
    Alias(usize),
    /// The beginning of a list or a mapping, with anchor and tag.
    Start(Kind, usize, Option<String>),
    /// The end of a list or a mapping.
    End(Kind),
}

/// What a collection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

/// How the mapping at the top is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A member a line, or nothing at all.
    Lines,
    /// In brackets, as JSON is.
    Brackets,
}

/// A member of the mapping at the top.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The first character of the key.
    pub start: usize,
    /// The end of the key.
    pub key_end: usize,
    /// How many characters stand before the key in its line.
    pub column: usize,
    /// The characters of a scalar value; of one in lines of its own, these lines alone.
    pub span: Range<usize>,
    /// Whether the value is a scalar in lines of its own, after `|` or `>`.
    pub is_block: bool,
    /// The tokens of the value.
    tokens: Range<usize>,
}

/// What a text says.
#[derive(Clone, Debug)]
pub struct Outline {
    tokens: Vec<Token>,
    /// The members at the top, in their order.
    pub entries: Vec<Entry>,
    /// How the mapping is written.
    pub layout: Layout,
    /// The first character of the mapping.
    pub start: usize,
    /// Whether the last scalar is in lines of its own, after `|` or `>`.
    pub ends_in_block: bool,
}

/// A list or a mapping whose end has not come yet.
struct Open {
    kind: Kind,
    keys: BTreeSet<String>,
    /// Whether a key comes next, in a mapping.
    expects_key: bool,
}

struct Reader {
    outline: Outline,
    open: Vec<Open>,
    documents: usize,
}

impl Outline {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Self, YamlError> {
        if text.len() > MAX_BYTES {
            return Err(YamlError::TooLarge(text.len()));
        }
        let outline = Self {
            tokens: Vec::new(),
            entries: Vec::new(),
            layout: Layout::Lines,
            start: 0,
            ends_in_block: false,
        };
        let mut reader = Reader { outline, open: Vec::new(), documents: 0 };
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| syntax(&error))?;
            let place = Place {
                start: span.start.index(),
                end: span.end.index(),
                column: span.start.col(),
                line: span.start.line(),
            };
            reader.event(event, &place)?;
        }
        let outline = reader.outline;
        match outline.tokens.first() {
            None | Some(Token::Start(Kind::Mapping, _, None)) => Ok(outline),
            // A document with a comment or a line `---` alone.
            Some(Token::Scalar { text, is_plain: true, tag: None, .. }) if text.is_empty() => {
                Ok(Self { tokens: Vec::new(), ..outline })
            }
            Some(_) => Err(YamlError::NoMapping),
        }
    }

    /// The member of that name.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The members at the top, with their values.
    pub fn members(&self) -> impl Iterator<Item = (&str, &[Token])> {
        self.entries.iter().map(|entry| (entry.key.as_str(), self.value(entry)))
    }

    /// The value of a member.
    pub fn value(&self, entry: &Entry) -> &[Token] {
        self.tokens.get(entry.tokens.clone()).unwrap_or_default()
    }
}

/// Where an event is, in characters.
struct Place {
    start: usize,
    end: usize,
    column: usize,
    line: usize,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, place: &Place) -> Result<(), YamlError> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(YamlError::TooManyDocuments(place.line));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_key = self.key(&text, place)?;
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                self.outline.ends_in_block = is_block;
                self.outline.tokens.push(Token::Scalar {
                    text: text.into_owned(),
                    is_plain: style == ScalarStyle::Plain,
                    tag: tag.as_deref().map(named),
                    anchor,
                });
                if !is_key {
                    self.end_of_value(Some((place.start..place.end, is_block)));
                }
            }
            Event::Alias(anchor) => {
                self.no_key(place)?;
                self.outline.tokens.push(Token::Alias(anchor));
                self.end_of_value(None);
            }
            Event::SequenceStart(anchor, tag) => self.start(Kind::List, anchor, tag.as_deref(), place)?,
            Event::MappingStart(anchor, tag) => self.start(Kind::Mapping, anchor, tag.as_deref(), place)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.outline.tokens.push(Token::End(open.kind));
                }
                self.end_of_value(None);
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Takes a scalar for the key of the open mapping; whether it is one.
    fn key(&mut self, text: &str, place: &Place) -> Result<bool, YamlError> {
        let is_top = self.open.len() == 1;
        let Some(open) = self.open.last_mut().filter(|open| open.expects_key) else { return Ok(false) };
        if !open.keys.insert(text.to_owned()) {
            return Err(YamlError::DuplicateKey(place.line));
        }
        open.expects_key = false;
        if is_top {
            let first = self.outline.tokens.len() + 1;
            self.outline.entries.push(Entry {
                key: text.to_owned(),
                start: place.start,
                key_end: place.end,
                column: place.column,
                span: place.end..place.end,
                is_block: false,
                tokens: first..first,
            });
        }
        Ok(true)
    }

    fn no_key(&self, place: &Place) -> Result<(), YamlError> {
        match self.open.last() {
            Some(Open { expects_key: true, .. }) => Err(YamlError::KeyNotScalar(place.line)),
            _ => Ok(()),
        }
    }

    fn start(&mut self, kind: Kind, anchor: usize, tag: Option<&Tag>, place: &Place) -> Result<(), YamlError> {
        self.no_key(place)?;
        if self.open.len() >= MAX_DEPTH {
            return Err(YamlError::TooDeep(place.line));
        }
        if self.outline.tokens.is_empty() {
            self.outline.start = place.start;
            // The beginning of a mapping without brackets has no length.
            self.outline.layout = if place.end > place.start { Layout::Brackets } else { Layout::Lines };
        }
        self.outline.tokens.push(Token::Start(kind, anchor, tag.map(named)));
        self.open.push(Open { kind, keys: BTreeSet::new(), expects_key: kind == Kind::Mapping });
        Ok(())
    }

    /// A value has ended: after it, a mapping expects a key.
    fn end_of_value(&mut self, scalar: Option<(Range<usize>, bool)>) {
        let is_top = self.open.len() == 1;
        let Some(open) = self.open.last_mut().filter(|open| open.kind == Kind::Mapping) else { return };
        open.expects_key = true;
        if let Some(entry) = self.outline.entries.last_mut().filter(|_| is_top) {
            entry.tokens.end = self.outline.tokens.len();
            if let Some((span, is_block)) = scalar {
                (entry.span, entry.is_block) = (span, is_block);
            }
        }
    }
}

fn named(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

fn syntax(error: &ScanError) -> YamlError {
    let line = error.marker().line();
    match error.info() {
        "recursion limit exceeded" => YamlError::TooDeep(line),
        info => YamlError::Syntax(line, info.to_owned()),
    }
}
