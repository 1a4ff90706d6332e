//! What can be wrong with a text before anybody looks at its meaning.

use std::sync::Arc;

use super::{MAX_BYTES, MAX_DEPTH, MAX_DOCUMENT_NODES, MAX_NODES, MAX_TEXT, Part, Source, Span};

/// A text that cannot be read, and where the trouble is.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ReadError {
    /// The text.
    pub input: Arc<Source>,
    /// The place, unless it is the text as a whole.
    pub span: Option<Span>,
    /// The trouble.
    pub problem: ReadProblem,
}

/// Why a text cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadProblem {
    /// Too many bytes.
    #[error("the input is larger than {} MiB", MAX_TEXT >> 20)]
    TooLarge,
    /// Too many bytes in a document or an item of a list.
    #[error("{part} has {bytes} bytes, and an object may have {MAX_BYTES}")]
    PartTooLarge {
        /// The document or item.
        part: Part,
        /// Its size.
        bytes: usize,
    },
    /// Not UTF-8.
    #[error("the input is not UTF-8 text from here on")]
    NotUtf8,
    /// A NUL, or another character that YAML forbids.
    #[error("the input has a NUL character")]
    Nul,
    /// Nothing but white space and comments.
    #[error("the input has no document")]
    Empty,
    /// Not JSON, which the text means to be.
    #[error("this is not valid JSON: {0}")]
    NotJson(String),
    /// Not YAML, before a program fills in what it marks.
    #[error("this looks like a template")]
    Template,
    /// Not YAML.
    #[error("this is not valid YAML: {0}")]
    Syntax(String),
    /// Too many levels.
    #[error("lists and mappings are nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    /// Too many nodes in a document or an item of a list.
    #[error(
        "{0} has more than {MAX_DOCUMENT_NODES} values, which is the limit of an object, counting those that aliases repeat"
    )]
    TooManyNodes(Part),
    /// Too many nodes in the text.
    #[error("the input has more than {MAX_NODES} values in all")]
    TooManyNodesInAll,
    /// Too many nodes in anchors or by aliases.
    #[error("anchors keep and aliases repeat more than {MAX_DOCUMENT_NODES} values")]
    RepeatsTooManyNodes,
    /// Too much text in anchors or by aliases.
    #[error("anchors keep or aliases repeat more than {} MiB", MAX_BYTES >> 20)]
    RepeatsTooMuch,
    /// The same key twice in a mapping.
    #[error("the key `{key}` is already set in line {first_line}")]
    DuplicateKey {
        /// The key.
        key: String,
        /// Line of the first.
        first_line: usize,
    },
    /// A list, a mapping or null as a key.
    #[error("a key must be a text, a number or a boolean")]
    KeyNotScalar,
    /// Infinity, or not a number.
    #[error("`{0}` is not a number that a computer can hold")]
    NotFinite(String),
    /// A tag other than those of the YAML core schema.
    #[error("the tag `{0}` has no meaning in a manifest")]
    UnknownTag(String),
    /// A tag that does not fit its value.
    #[error("the value does not fit its tag `{0}`")]
    TagMismatch(String),
    /// An alias before or without its anchor.
    #[error("the alias `{0}` has no anchor before it in this document")]
    UnknownAlias(String),
    /// `<<` with something else than a mapping, or a list of them.
    #[error("`<<` merges mappings, and this is none")]
    MergeNotMapping,
}

impl ReadProblem {
    /// The same problem without the text that was read, for inputs in which that may be part of a secret.
    pub fn without_text(self) -> Self {
        let hidden = || "…".to_owned();
        match self {
            Self::NotFinite(_) => Self::NotFinite(hidden()),
            Self::UnknownTag(_) => Self::UnknownTag(hidden()),
            Self::UnknownAlias(_) => Self::UnknownAlias("*…".to_owned()),
            other => other,
        }
    }

    /// What the person can do.
    pub fn help(&self) -> String {
        match self {
            Self::TooLarge | Self::TooManyNodesInAll => {
                "give fewer objects at a time, such as those of one namespace".to_owned()
            }
            Self::PartTooLarge { .. } => {
                "no object of an API server is as large: leave it out, or shorten it".to_owned()
            }
            Self::NotUtf8 => "save the file as UTF-8".to_owned(),
            Self::Nul => "save the file as UTF-8 text, and remove NUL characters".to_owned(),
            Self::Empty => "name a file with at least one manifest".to_owned(),
            Self::NotJson(_) => "write it as JSON has it".to_owned(),
            Self::Template => "render it first (`helm template`, `envsubst`), and give what comes out".to_owned(),
            Self::Syntax(message) => syntax_help(message).to_owned(),
            Self::TooDeep => "no manifest needs that: look for brackets that are never closed".to_owned(),
            Self::TooManyNodes(Part::Item(_)) => {
                "no object of an API server is as large: leave the item out, or write out what its aliases repeat"
                    .to_owned()
            }
            Self::TooManyNodes(Part::Document(_)) => {
                "write several objects as several documents, or as the `items` of a `List`; leave out what is none"
                    .to_owned()
            }
            Self::RepeatsTooMuch | Self::RepeatsTooManyNodes => {
                "write out what the aliases repeat, and shorten it".to_owned()
            }
            Self::DuplicateKey { .. } => "keep one of the two and remove the other".to_owned(),
            Self::KeyNotScalar => "write the key as a quoted text".to_owned(),
            Self::NotFinite(text) => format!("write a finite number, or quote it if it is a text: `\"{text}\"`"),
            Self::UnknownTag(_) => "remove the tag; quote the value if it is a text".to_owned(),
            Self::TagMismatch(_) => "remove the tag, or write a value of its type".to_owned(),
            Self::UnknownAlias(name) => {
                let anchor = name.replacen('*', "&", 1);
                format!("set the anchor `{anchor}` earlier in the document, or quote the value if it is a text")
            }
            Self::MergeNotMapping => "give `<<` an alias of a mapping, or a list of such".to_owned(),
        }
    }
}

/// What usually fixes a syntax error that the parser words so.
fn syntax_help(message: &str) -> &'static str {
    const HELPS: [(&str, &str); 15] = [
        ("has no `: `", "write `key: value`, with a space behind the colon"),
        ("has no space behind its dash", "put a space behind the dash"),
        ("bracket is left open", "close the bracket"),
        ("is indented further", "indent the line as far as the lines next to it"),
        ("is an item of a list", "remove the dash, or write one in front of the next line too"),
        ("in quoted scalar", "close the quote that is opened here"),
        ("tab", "indent with spaces, not with tabs"),
        ("mapping values are not allowed", "quote the value if it has `: ` in it, or check the indentation"),
        ("unexpected character", "quote the value"),
        ("unexpected end of stream", "close the quote that is opened here"),
        ("Unicode", "write the character itself: JSON's pairs of `\\u` escapes are not YAML"),
        ("followed by a valid YAML whitespace", "put a space after it"),
        ("bracket", "check that every bracket has its partner"),
        ("expected <document start>", "put `---` between documents"),
        ("':' indicator", "close the bracket that is open before this line"),
    ];
    let fits = |(part, _): &&(&str, &str)| message.contains(part);
    HELPS
        .iter()
        .find(fits)
        .map_or("check indentation, quotes and brackets here and in the line above", |found| found.1)
}
