//! From text to trees, within limits: JSON where it is such, else events of a YAML parser, checked as they come.

mod offsets;
mod tabs;

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use offsets::Offsets;
use tabs::Tabs;

use super::json::{self, JsonError};
use super::scalar;
use super::{Entry, MAX_BYTES, MAX_DEPTH, MAX_NODES, Node, ReadError, ReadProblem, Source, Span, Value};

/// Reads YAML (and so JSON) with one or more documents. Documents without content are left out; a text
/// with none at all is an error.
pub fn read(name: &str, bytes: &[u8]) -> Result<(Arc<Source>, Vec<Node>), ReadError> {
    let text = text(name, bytes)?;
    let source = Arc::new(Source::new(name, text));
    if text.trim_start().starts_with(['{', '[']) {
        match json::read(&source) {
            Ok(documents) => return Ok((source, documents)),
            Err(JsonError::Refused(problem, span)) => {
                return Err(ReadError { input: source, span: Some(span), problem });
            }
            // YAML may start with a bracket too, and its parser says better what is wrong.
            Err(JsonError::NotJson) => {}
        }
    }
    let mut tabs = Tabs::of(source.text());
    let documents = loop {
        match documents(&source, tabs.text()) {
            Err(error) if tabs.replace(&error) => {}
            read => break read?,
        }
    };
    if documents.is_empty() {
        return Err(ReadError { input: source, span: None, problem: ReadProblem::Empty });
    }
    Ok((source, documents))
}

/// The documents of a source, whose text the parser takes in the form `text`, with every value at the same place.
fn documents(source: &Arc<Source>, text: &str) -> Result<Vec<Node>, ReadError> {
    let mut reader = Reader::new(Arc::clone(source));
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => {
                let span = reader.offsets.span(source.text(), span.start.index(), span.end.index());
                reader.event(event, span).map_err(|(problem, span)| reader.error(problem, span))?;
            }
            Err(error) => return Err(reader.syntax_error(&error)),
        }
    }
    Ok(reader.documents)
}

/// The text of an input, without byte order mark.
fn text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, ReadError> {
    let whole = |problem| ReadError { input: Arc::new(Source::new(name, "")), span: None, problem };
    if bytes.len() > MAX_BYTES {
        return Err(whole(ReadProblem::TooLarge));
    }
    let at = |text: &str, offset, problem| ReadError {
        input: Arc::new(Source::new(name, text)),
        span: Some(Span::new(offset, offset)),
        problem,
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok());
        at(valid.unwrap_or_default(), error.valid_up_to(), ReadProblem::NotUtf8)
    })?;
    match text.find('\0') {
        Some(nul) => Err(at(text, nul, ReadProblem::Nul)),
        None => Ok(text),
    }
}

type Fault = (ReadProblem, Span);

struct Reader {
    source: Arc<Source>,
    offsets: Offsets,
    /// Containers that are open, outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Anchor>,
    nodes: usize,
    /// Bytes that anchors keep.
    kept: usize,
    /// Bytes that aliases repeat.
    repeated: usize,
    documents: Vec<Node>,
}

/// A container whose end has not come yet.
struct Open {
    start: usize,
    /// 0 for none.
    anchor: usize,
    /// Nodes counted before it.
    nodes_before: usize,
    /// Levels inside, as far as seen.
    height: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping { entries: Vec<Entry>, index: HashMap<String, Span>, merges: Vec<Node>, key: Option<Key> },
}

/// A key whose value has not come yet.
enum Key {
    Text(String, Span),
    Merge,
}

struct Anchor {
    node: Node,
    nodes: usize,
    /// Length as JSON.
    bytes: usize,
    height: usize,
}

impl Reader {
    fn new(source: Arc<Source>) -> Self {
        let offsets = Offsets::new(source.text());
        Self {
            source,
            offsets,
            open: Vec::new(),
            anchors: HashMap::new(),
            nodes: 0,
            kept: 0,
            repeated: 0,
            documents: Vec::new(),
        }
    }

    fn error(&self, problem: ReadProblem, span: Span) -> ReadError {
        let problem = if self.source.may_have_secrets() { problem.without_text() } else { problem };
        ReadError { input: Arc::clone(&self.source), span: Some(span), problem }
    }

    fn syntax_error(&self, error: &ScanError) -> ReadError {
        let mut at = self.offsets.byte(self.source.text(), error.marker().index());
        if error.info() == tabs::IN_INDENT {
            // The parser points to the value before the line with the tab.
            at = tabs::indenting(self.source.text(), at).unwrap_or(at);
        }
        let span = Span::new(at, at);
        match error.info() {
            "recursion limit exceeded" => self.error(ReadProblem::TooDeep, span),
            info if info.contains("unknown anchor") => {
                let line = self.source.line(self.source.position(at).line);
                let rest = self.source.slice(Span::new(at, line.end));
                let name = rest.split([' ', ',', ']', '}', '\t']).next().unwrap_or_default();
                self.error(ReadProblem::UnknownAlias(name.to_owned()), Span::new(at, at + name.len()))
            }
            info => self.error(ReadProblem::Syntax(info.to_owned()), span),
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                let nodes = usize::from(!self.expects_key());
                self.count(nodes, span)?;
                let node = Node { value: scalar_value(&text, style, tag.as_deref(), span)?, span };
                // A quoted `<<` is a key like any other.
                let merge = style == ScalarStyle::Plain && tag.is_none() && text == "<<";
                self.keep_anchor(anchor, &node, 1, 0)?;
                self.add(node, merge)?;
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), "seq", span)?;
                self.start(anchor, span, Content::Sequence(Vec::new()))?;
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), "map", span)?;
                let content =
                    Content::Mapping { entries: Vec::new(), index: HashMap::new(), merges: Vec::new(), key: None };
                self.start(anchor, span, content)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span)?,
            Event::Alias(anchor) => self.alias(anchor, span)?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Whether the next node is the key of an entry.
    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping { key: None, .. }, .. }))
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), Fault> {
        self.nodes += nodes;
        if self.nodes > MAX_NODES { Err((ReadProblem::TooManyNodes, span)) } else { Ok(()) }
    }

    fn start(&mut self, anchor: usize, span: Span, content: Content) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err((ReadProblem::TooDeep, span));
        }
        if self.expects_key() {
            return Err((ReadProblem::KeyNotScalar, span));
        }
        let nodes_before = self.nodes;
        self.count(1, span)?;
        self.open.push(Open { start: span.start, anchor, nodes_before, height: 1, content });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let Some(Open { start, anchor, nodes_before, height, content }) = self.open.pop() else { return Ok(()) };
        let (value, last) = match content {
            Content::Sequence(items) => {
                let last = items.last().map(|item| item.span.end);
                (Value::Sequence(items), last)
            }
            Content::Mapping { mut entries, index, merges, .. } => {
                let last = entries.last().map(|entry| entry.value.span.end.max(entry.key_span.end));
                merge(&mut entries, index, merges);
                (Value::Mapping(entries), last)
            }
        };
        // The end of a container in brackets has a length; that of one by indentation has none and may
        // stand lines below its last value.
        let end = if span.is_empty() { last.unwrap_or(span.end) } else { span.end };
        let node = Node { value, span: self.trim(Span::new(start, end)) };
        self.keep_anchor(anchor, &node, self.nodes - nodes_before, height)?;
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height + 1);
        }
        self.add(node, false)
    }

    fn trim(&self, span: Span) -> Span {
        Span::new(span.start, span.start + self.source.slice(span).trim_end().len())
    }

    fn keep_anchor(&mut self, id: usize, node: &Node, nodes: usize, height: usize) -> Result<(), Fault> {
        if id != 0 {
            self.count(nodes, node.span)?;
            let bytes = node.to_json().len();
            self.kept += bytes;
            if self.kept > MAX_BYTES {
                return Err((ReadProblem::RepeatsTooMuch, node.span));
            }
            self.anchors.insert(id, Anchor { node: node.clone(), nodes, bytes, height });
        }
        Ok(())
    }

    fn alias(&mut self, id: usize, span: Span) -> Result<(), Fault> {
        let Some(anchor) = self.anchors.get(&id) else {
            return Err((ReadProblem::UnknownAlias(self.source.slice(span).to_owned()), span));
        };
        if self.open.len() + anchor.height > MAX_DEPTH {
            return Err((ReadProblem::TooDeep, span));
        }
        let (nodes, bytes, height) = (anchor.nodes, anchor.bytes, anchor.height);
        self.count(nodes, span)?;
        self.repeated += bytes;
        if self.repeated > MAX_BYTES {
            return Err((ReadProblem::RepeatsTooMuch, span));
        }
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height + 1);
        }
        let Some(anchor) = self.anchors.get(&id) else { return Ok(()) };
        let node = Node { value: anchor.node.value.clone(), span };
        self.add(node, false)
    }

    /// Puts a complete node where it belongs.
    fn add(&mut self, node: Node, is_merge_key: bool) -> Result<(), Fault> {
        let Some(open) = self.open.last_mut() else {
            if node.value != Value::Null {
                self.documents.push(node);
            }
            return Ok(());
        };
        let (entries, index, merges, key) = match &mut open.content {
            Content::Sequence(items) => {
                items.push(node);
                return Ok(());
            }
            Content::Mapping { entries, index, merges, key } => (entries, index, merges, key),
        };
        match key.take() {
            Some(Key::Text(text, key_span)) => entries.push(Entry { key: text, key_span, value: node }),
            Some(Key::Merge) => match node.value {
                Value::Mapping(_) => merges.push(node),
                Value::Sequence(items) if items.iter().all(|item| matches!(item.value, Value::Mapping(_))) => {
                    merges.extend(items);
                }
                _ => return Err((ReadProblem::MergeNotMapping, node.span)),
            },
            None if is_merge_key => *key = Some(Key::Merge),
            None => {
                let text = match node.value {
                    Value::String(text) | Value::Number(text) => text,
                    Value::Bool(value) => value.to_string(),
                    _ => return Err((ReadProblem::KeyNotScalar, node.span)),
                };
                if let Some(first) = index.insert(text.clone(), node.span) {
                    let first_line = self.source.position(first.start).line;
                    return Err((ReadProblem::DuplicateKey { key: text, first_line }, node.span));
                }
                *key = Some(Key::Text(text, node.span));
            }
        }
        Ok(())
    }
}

/// Adds the entries of merged mappings that are not there yet; earlier mappings go first.
fn merge(entries: &mut Vec<Entry>, mut index: HashMap<String, Span>, merges: Vec<Node>) {
    for mapping in merges {
        let Value::Mapping(additions) = mapping.value else { continue };
        for entry in additions {
            if !index.contains_key(&entry.key) {
                index.insert(entry.key.clone(), entry.key_span);
                entries.push(entry);
            }
        }
    }
}

fn scalar_value(text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Result<Value, Fault> {
    let resolve = || scalar::resolve(text).map_err(|_| (ReadProblem::NotFinite(text.to_owned()), span));
    let Some(tag) = tag else {
        return if style == ScalarStyle::Plain { resolve() } else { Ok(Value::String(text.to_owned())) };
    };
    if !tag.is_yaml_core_schema() {
        // A lone `!` says: a text.
        let is_text = tag.handle.is_empty() && tag.suffix == "!";
        return if is_text { Ok(Value::String(text.to_owned())) } else { Err(unknown_tag(tag, span)) };
    }
    let value = match tag.suffix.as_str() {
        "str" | "timestamp" => return Ok(Value::String(text.to_owned())),
        "int" | "float" | "bool" | "null" => resolve()?,
        _ => return Err(unknown_tag(tag, span)),
    };
    let fits = match (tag.suffix.as_str(), &value) {
        ("int", Value::Number(digits)) => !digits.contains(['.', 'e', 'E']),
        ("float", Value::Number(_)) | ("bool", Value::Bool(_)) | ("null", Value::Null) => true,
        _ => false,
    };
    if fits { Ok(value) } else { Err((ReadProblem::TagMismatch(format!("!!{}", tag.suffix)), span)) }
}

fn check_tag(tag: Option<&Tag>, expected: &str, span: Span) -> Result<(), Fault> {
    match tag {
        Some(tag) if !(tag.is_yaml_core_schema() && tag.suffix == expected) => Err(unknown_tag(tag, span)),
        _ => Ok(()),
    }
}

fn unknown_tag(tag: &Tag, span: Span) -> Fault {
    let name = if tag.is_yaml_core_schema() { format!("!!{}", tag.suffix) } else { tag.to_string() };
    (ReadProblem::UnknownTag(name), span)
}

#[cfg(test)]
mod tests;
