//! What is wrong with a template, and where.

/// A template cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct CompileError {
    /// The template's file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line of a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// YAML that no reader accepts.
    #[error("the text is no YAML: {0}")]
    Yaml(String),
    /// Anchors, aliases, tags, several documents.
    #[error("{0} cannot be compiled")]
    Unsupported(&'static str),
    /// A line that begins with a tabulator.
    #[error("a tabulator indents the line; indent with spaces")]
    Tabulator,
    /// A character that the compiler uses as a mark.
    #[error("the text has a character of the private use area")]
    PrivateUse,
    /// `{{` without `}}` in the line.
    #[error("`{{{{` has no `}}}}` in its line")]
    Unclosed,
    /// A tag that is neither a hole nor a block.
    #[error("`{{{{{0}}}}}` is neither a path, `toJson` with a path, a block nor a comment")]
    UnknownTag(String),
    /// A block's tag next to other text.
    #[error("the tag of a block stands alone in its line")]
    NotAlone,
    /// `{{else}}` or `{{/…}}` where no block is open, or another one.
    #[error("`{{{{{found}}}}}` ends nothing: {open}")]
    NothingOpen {
        /// The tag.
        found: String,
        /// What is open.
        open: String,
    },
    /// A block without its end.
    #[error("`{{{{#{0}}}}}` has no end")]
    Open(String),
    /// A block with nothing in it.
    #[error("the block has no line between its tags")]
    EmptyBlock,
    /// The lines of a block are neither members nor items like those around it.
    #[error("a block holds whole members of a mapping, or whole items of a list, at their indentation")]
    BlockContent,
    /// A hole in a scalar without double quotes.
    #[error("a hole stands in double quotes, or, as a whole value, as `{{{{toJson path}}}}`")]
    UnquotedHole,
    /// `toJson` in quotes or as a part of a scalar.
    #[error("`toJson` is a whole value, without quotes")]
    QuotedJson,
    /// A hole in a YAML comment.
    #[error("a hole stands in a YAML comment; write the comment as `{{{{! … }}}}`")]
    HoleInComment,
    /// A plain scalar that YAML 1.1 and 1.2 read in different ways.
    #[error("`{0}` means different things to different readers of YAML; put it in double quotes")]
    Ambiguous(String),
    /// A key that is there twice.
    #[error("the key `{0}` is there twice")]
    DuplicateKey(String),
    /// A key without a hole in a block for each item.
    #[error("the key `{0}` is there for each item; it needs a hole")]
    RepeatedKey(String),
    /// A key that is no text.
    #[error("a key is a text")]
    Key,
    /// What every Kubernetes object has.
    #[error("the object has no {0} that is a text without holes")]
    Identity(&'static str),
    /// Two objects that are the same one.
    #[error("{0} is the same object")]
    SameObject(String),
    /// A folder of templates without one.
    #[error("the folder has no template")]
    NoTemplate,
    /// A file that is no template.
    #[error("the file is no template; templates end in `.yaml.hbs`")]
    OtherFile,
    /// An image that lacks a member, or has one that is unknown.
    #[error("the image {0}")]
    Image(String),
}
