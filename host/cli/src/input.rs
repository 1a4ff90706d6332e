//! What stands in the files that a command line names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output::Skipped;
use super::{CommandError, Streams};
use trellis_policies::file;
use trellis_policies::manifest::{Document, ManifestError};
use trellis_policies::source::{self, MAX_TEXT, Node, ReadProblem, Source};

/// The files of a command, each read at most once.
pub(super) struct Input<'a, 's> {
    streams: &'a mut Streams<'s>,
    stdin_is_read: bool,
    /// Documents that are no objects. Standard error has named them.
    pub(super) skipped: Vec<Skipped>,
}

impl<'a, 's> Input<'a, 's> {
    pub(super) fn new(streams: &'a mut Streams<'s>) -> Self {
        Self { streams, stdin_is_read: false, skipped: Vec::new() }
    }

    /// The objects in all of some files; in standard input where no file is named and no person types.
    pub(super) fn documents(&mut self, files: &[PathBuf]) -> Result<Vec<Document>, Vec<CommandError>> {
        let (documents, errors) = self.readable(files)?;
        if errors.is_empty() { Ok(documents) } else { Err(errors) }
    }

    /// The objects in those files that can be read, and what is wrong with the others.
    pub(super) fn readable(
        &mut self,
        files: &[PathBuf],
    ) -> Result<(Vec<Document>, Vec<CommandError>), Vec<CommandError>> {
        if files.is_empty() && self.streams.stdin_is_terminal {
            return Err(vec![CommandError::NoInput]);
        }
        let stdin = [PathBuf::from("-")];
        let files = if files.is_empty() { &stdin } else { files };
        let (mut documents, mut errors) = (Vec::new(), Vec::new());
        for file in files {
            match self.nodes(file).and_then(|(input, roots)| Ok(self.objects(&input, roots)?)) {
                Ok(found) => documents.extend(found),
                // Among others, as in a folder, such a file is no mistake.
                Err(CommandError::Read(error)) if error.problem == ReadProblem::Empty && files.len() > 1 => {
                    self.skip(Skipped::empty(&error.input));
                }
                Err(error) => errors.push(error),
            }
        }
        Ok((documents, errors))
    }

    /// The objects in those files that can be read, and what is wrong with the others. Documents that are no
    /// objects are left out, and nothing is said of them.
    pub(super) fn context(&mut self, files: &[PathBuf]) -> (Vec<Document>, Vec<CommandError>) {
        let (mut documents, mut errors) = (Vec::new(), Vec::new());
        for file in files {
            let found = self.nodes(file).and_then(|(input, mut roots)| {
                roots.retain(Document::is_object);
                Ok(Document::all_of(&input, roots)?)
            });
            match found {
                Ok(found) => documents.extend(found),
                Err(CommandError::Read(error)) if error.problem == ReadProblem::Empty => {}
                Err(error) => errors.push(error),
            }
        }
        (documents, errors)
    }

    /// The objects of a text. A document that is none is named and left out.
    fn objects(&mut self, input: &Arc<Source>, roots: Vec<Node>) -> Result<Vec<Document>, ManifestError> {
        let (objects, others): (Vec<Node>, Vec<Node>) = roots.into_iter().partition(Document::is_object);
        for other in others {
            self.skip(Skipped::no_object(input, &other));
        }
        Document::all_of(input, objects)
    }

    fn skip(&mut self, skipped: Skipped) {
        self.streams.say(&format!("{skipped}\n"));
        self.skipped.push(skipped);
    }

    /// The documents of one file, `-` for standard input.
    pub(super) fn nodes(&mut self, path: &Path) -> Result<(Arc<Source>, Vec<Node>), CommandError> {
        let (name, bytes) = if path.as_os_str() == "-" {
            if std::mem::replace(&mut self.stdin_is_read, true) {
                return Err(CommandError::StdinTwice);
            }
            ("<stdin>".to_owned(), file::limited(&mut self.streams.stdin, MAX_TEXT as u64))
        } else {
            (path.display().to_string(), file::read(path, MAX_TEXT as u64))
        };
        let bytes = bytes.map_err(|error| CommandError::File { name: name.clone(), error })?;
        Ok(source::read_owned(&name, bytes)?)
    }
}
