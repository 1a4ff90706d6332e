//! JSON as JSON reads it. Most JSON is YAML too, but not pairs of escaped surrogates, nor documents that follow
//! each other without a separator.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use hifijson::token::{Expect, Lex};
use serde::de::IgnoredAny;

use hifijson::{SliceLexer, num::LexWrite, str::LexAlloc};

use super::budget::{Budget, Fault};
use super::{Entry, ITEMS, MAX_DEPTH, Node, ReadError, ReadProblem, Source, Span, Value};

/// A text that is not JSON, or the trouble with one that is.
pub enum JsonError {
    /// Something else, perhaps YAML.
    NotJson,
    /// JSON that is refused, and where.
    Refused(ReadProblem, Span),
}

impl JsonError {
    fn refused((problem, span): Fault) -> Self {
        Self::Refused(problem, span)
    }
}

impl<E: Into<hifijson::Error>> From<E> for JsonError {
    fn from(_: E) -> Self {
        Self::NotJson
    }
}

/// Reads the documents of a text, one after the other, within the limits.
pub fn read(source: &Source) -> Result<Vec<Node>, JsonError> {
    documents(Reader { source, budget: Budget::default(), is_in_items: false, max_depth: MAX_DEPTH })
}

/// Reads what this program wrote, whatever its size; nothing where that is not JSON.
pub fn read_own(text: &str) -> Vec<Node> {
    let source = Source::new("", text);
    let budget = Budget::unlimited();
    documents(Reader { source: &source, budget, is_in_items: false, max_depth: 4 * MAX_DEPTH }).unwrap_or_default()
}

/// What is wrong with a text that starts as JSON does, with a quoted key on a line of its own.
pub fn mistake(source: &Arc<Source>) -> Option<ReadError> {
    let text = source.text();
    let rest = text.trim_start().strip_prefix('{')?;
    let start = rest.trim_start();
    let is_json = start.starts_with('"') && rest.get(..rest.len() - start.len())?.contains('\n');
    let error = serde_json::from_str::<IgnoredAny>(text).err().filter(|_| is_json)?;
    let line = source.line(error.line());
    let mut at = text.floor_char_boundary((line.start + error.column().saturating_sub(1)).min(text.len()));
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    if words.starts_with("expected `,`") || words.starts_with("EOF") {
        // What is missing is missing behind the value before.
        at = text.get(..at)?.trim_end().len();
    }
    let problem = ReadProblem::NotJson(words.to_owned());
    Some(ReadError { input: Arc::clone(source), span: Some(Span::new(at, at)), problem })
}

fn documents(mut reader: Reader<'_>) -> Result<Vec<Node>, JsonError> {
    let text = reader.source.text();
    let mut lexer = SliceLexer::new(text.as_bytes());
    let mut documents = Vec::new();
    while let Some(next) = lexer.ws_peek() {
        documents.push(reader.node(0, next, &mut lexer)?);
    }
    documents.retain(|document| document.value != Value::Null);
    Ok(documents)
}

struct Reader<'s> {
    source: &'s Source,
    budget: Budget,
    /// Whether what is read stands in the `items` of a document.
    is_in_items: bool,
    max_depth: usize,
}

impl Reader<'_> {
    fn at(&self, lexer: &SliceLexer<'_>) -> usize {
        self.source.text().len() - lexer.as_slice().len()
    }

    fn node(&mut self, depth: usize, next: u8, lexer: &mut SliceLexer<'_>) -> Result<Node, JsonError> {
        let start = self.at(lexer);
        let here = Span::new(start, start + 1);
        let is_item = depth == 2 && self.is_in_items;
        match depth {
            0 => {
                self.is_in_items = false;
                self.budget.begin_document(start);
            }
            1 => self.budget.leave_item(),
            _ if is_item => self.budget.begin_item(start),
            _ => {}
        }
        self.budget.count(1).map_err(JsonError::refused)?;
        if depth >= self.max_depth && matches!(next, b'[' | b'{') {
            return Err(JsonError::Refused(ReadProblem::TooDeep, here));
        }
        let value = match next {
            b'a'..=b'z' => lexer.null_or_bool().ok_or(Expect::Value)?.map_or(Value::Null, Value::Bool),
            b'0'..=b'9' | b'-' => {
                let digits = lexer.num_string().validated()?.0;
                if !digits.parse().is_ok_and(f64::is_finite) {
                    let span = Span::new(start, self.at(lexer));
                    return Err(JsonError::Refused(ReadProblem::NotFinite(digits.to_owned()), span));
                }
                Value::Number(digits.to_owned())
            }
            b'"' => Value::String(lexer.discarded().str_string()?.into_owned()),
            b'[' => {
                let mut items = Vec::new();
                lexer.discarded().seq(b']', Lex::ws_peek, |next, lexer| {
                    items.push(self.node(depth + 1, next, lexer)?);
                    Ok::<_, JsonError>(())
                })?;
                items.shrink_to_fit();
                Value::Sequence(items)
            }
            b'{' => Value::Mapping(self.entries(depth, lexer)?),
            _ => return Err(JsonError::NotJson),
        };
        let span = Span::new(start, self.at(lexer));
        if is_item {
            self.budget.check_size(span).map_err(JsonError::refused)?;
        } else if depth == 0 {
            self.budget.leave_item();
            self.budget.check_size(span).map_err(JsonError::refused)?;
        }
        Ok(Node { value, span })
    }

    fn entries(&mut self, depth: usize, lexer: &mut SliceLexer<'_>) -> Result<Vec<Entry>, JsonError> {
        let mut entries = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        lexer.discarded().seq(b'}', Lex::ws_peek, |next, lexer| {
            let start = self.at(lexer);
            lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
            let key = lexer.str_string().map(Cow::into_owned).map_err(hifijson::Error::from)?;
            let key_span = Span::new(start, self.at(lexer));
            if let Some(first_line) = lines.insert(key.clone(), self.source.position(start).line) {
                return Err(JsonError::Refused(ReadProblem::DuplicateKey { key, first_line }, key_span));
            }
            lexer.expect(Lex::ws_peek, b':').ok_or(Expect::Colon)?;
            let next = lexer.ws_peek().ok_or(Expect::Value)?;
            if depth == 0 {
                self.is_in_items = key == ITEMS && next == b'[';
            }
            entries.push(Entry { key, key_span, value: self.node(depth + 1, next, lexer)? });
            Ok(())
        })?;
        entries.shrink_to_fit();
        Ok(entries)
    }
}
