//! The files that a command line names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Streams, Trouble};
use crate::file;
use crate::manifest::Document;
use crate::source::{self, MAX_BYTES, Node, Source};

/// The files of a command, each read at most once.
pub(super) struct Input<'a, 's> {
    streams: &'a mut Streams<'s>,
    stdin_is_read: bool,
}

impl<'a, 's> Input<'a, 's> {
    pub(super) fn new(streams: &'a mut Streams<'s>) -> Self {
        Self { streams, stdin_is_read: false }
    }

    /// The objects in some files; in standard input where no file is named and no person types.
    pub(super) fn documents(&mut self, files: &[PathBuf]) -> Result<Vec<Document>, Vec<Trouble>> {
        if files.is_empty() && self.streams.stdin_is_terminal {
            return Err(vec![Trouble::NoInput]);
        }
        let stdin = [PathBuf::from("-")];
        let files = if files.is_empty() { &stdin } else { files };
        let (mut documents, mut troubles) = (Vec::new(), Vec::new());
        for file in files {
            let read = self.nodes(file).and_then(|(input, roots)| Ok(Document::all_of(&input, roots)?));
            match read {
                Ok(found) => documents.extend(found),
                Err(trouble) => troubles.push(trouble),
            }
        }
        if troubles.is_empty() { Ok(documents) } else { Err(troubles) }
    }

    /// The documents of one file, `-` for standard input.
    pub(super) fn nodes(&mut self, path: &Path) -> Result<(Arc<Source>, Vec<Node>), Trouble> {
        let (name, bytes) = if path.as_os_str() == "-" {
            if std::mem::replace(&mut self.stdin_is_read, true) {
                return Err(Trouble::StdinTwice);
            }
            ("<stdin>".to_owned(), file::limited(&mut self.streams.stdin, MAX_BYTES as u64))
        } else {
            (path.display().to_string(), file::read(path, MAX_BYTES as u64))
        };
        let bytes = bytes.map_err(|error| Trouble::File { name: name.clone(), error })?;
        Ok(source::read(&name, &bytes)?)
    }
}
