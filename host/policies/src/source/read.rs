//! From text to trees, within limits: JSON where it is such, else events of a YAML parser, checked as they come.

mod mistake;
mod offsets;
mod tabs;
mod tags;
mod template;

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use offsets::Offsets;
use tabs::Tabs;
use tags::{check_tag, scalar_value};

use super::budget::{Budget, Fault};
use super::json::{self, JsonError};
use super::{Entry, ITEMS, MAX_BYTES, MAX_DEPTH, MAX_TEXT, Node, ReadError, ReadProblem, Source, Span, Value};

/// Reads YAML (and so JSON) with one or more documents. Documents without content are left out; a text
/// with none at all is an error.
pub fn read(name: &str, bytes: &[u8]) -> Result<(Arc<Source>, Vec<Node>), ReadError> {
    read_owned(name, bytes.to_vec())
}

/// As [`read`], without a copy of the text.
pub fn read_owned(name: &str, bytes: Vec<u8>) -> Result<(Arc<Source>, Vec<Node>), ReadError> {
    let source = Arc::new(Source::new(name, text(name, bytes)?));
    if source.text().trim_start().starts_with(['{', '[']) {
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
            Err(error) => return Err(template::or_template(json::mistake(&source).unwrap_or(error))),
            Ok(documents) => break documents,
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
fn text(name: &str, mut bytes: Vec<u8>) -> Result<String, ReadError> {
    let at = |text: String, offset, problem| ReadError {
        input: Arc::new(Source::new(name, text)),
        span: Some(Span::new(offset, offset)),
        problem,
    };
    if bytes.len() > MAX_TEXT {
        return Err(ReadError { span: None, ..at(String::new(), 0, ReadProblem::TooLarge) });
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    bytes.shrink_to_fit();
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let valid = error.as_bytes().get(..offset).unwrap_or_default();
        at(String::from_utf8_lossy(valid).into_owned(), offset, ReadProblem::NotUtf8)
    })?;
    match text.find('\0') {
        Some(nul) => Err(at(text, nul, ReadProblem::Nul)),
        None => Ok(text),
    }
}

struct Reader {
    source: Arc<Source>,
    offsets: Offsets,
    /// Containers that are open, outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Anchor>,
    budget: Budget,
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
            budget: Budget::default(),
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
        // Brackets are never around a block, so the innermost container says whether the parser is in brackets.
        let bracket = self.open.last().map(|open| open.start).filter(|start| self.is_bracket(*start));
        if let Some((at, words)) = mistake::find(&self.source, at, error.info(), bracket) {
            return self.error(ReadProblem::Syntax(words.to_owned()), Span::new(at, at));
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

    fn is_bracket(&self, at: usize) -> bool {
        self.source.text().get(at..).is_some_and(|rest| rest.starts_with(['[', '{']))
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        self.locate(&event, span);
        match event {
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                self.budget.count(usize::from(!self.expects_key()))?;
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

    /// Reports to the budget where a node begins.
    fn locate(&mut self, event: &Event<'_>, span: Span) {
        if !matches!(
            event,
            Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..)
        ) {
            return;
        }
        match self.open.as_slice() {
            [] => self.budget.begin_document(span.start),
            [_] => self.budget.leave_item(),
            _ if self.expects_item() => self.budget.begin_item(span.start),
            _ => {}
        }
    }

    /// Whether the next node is an item of the list that the document is.
    fn expects_item(&self) -> bool {
        let [root, Open { content: Content::Sequence(_), .. }] = self.open.as_slice() else { return false };
        matches!(&root.content, Content::Mapping { key: Some(Key::Text(key, _)), .. } if key == ITEMS)
    }

    fn start(&mut self, anchor: usize, span: Span, content: Content) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err((ReadProblem::TooDeep, span));
        }
        if self.expects_key() {
            return Err((ReadProblem::KeyNotScalar, span));
        }
        let nodes_before = self.budget.nodes();
        self.budget.count(1)?;
        self.open.push(Open { start: span.start, anchor, nodes_before, height: 1, content });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let Some(Open { start, anchor, nodes_before, height, content }) = self.open.pop() else { return Ok(()) };
        let (value, last) = match content {
            Content::Sequence(mut items) => {
                items.shrink_to_fit();
                let last = items.last().map(|item| item.span.end);
                (Value::Sequence(items), last)
            }
            Content::Mapping { mut entries, index, merges, .. } => {
                let last = entries.last().map(|entry| entry.value.span.end.max(entry.key_span.end));
                merge(&mut entries, index, merges);
                entries.shrink_to_fit();
                (Value::Mapping(entries), last)
            }
        };
        // The end of a container in brackets has a length; that of one by indentation has none and may
        // stand lines below its last value.
        let end = if span.is_empty() { last.unwrap_or(span.end) } else { span.end };
        let node = Node { value, span: self.trim(Span::new(start, end)) };
        self.keep_anchor(anchor, &node, self.budget.nodes() - nodes_before, height)?;
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
            self.budget.repeat(nodes, node.span)?;
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
        self.budget.repeat(nodes, span)?;
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
        if self.open.is_empty() {
            self.budget.leave_item();
        }
        if self.open.is_empty() || self.expects_item() {
            self.budget.check_size(node.span)?;
        }
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

#[cfg(test)]
mod tests;
