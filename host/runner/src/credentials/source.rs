//! Where credentials come from.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use zeroize::Zeroizing;

use super::{Credential, CredentialError, ReadsCredentials, SecretData};
use trellis_policies::file;
use trellis_policies::source::{self, MAX_BYTES};

/// Where credentials come from.
#[derive(Debug)]
pub struct CredentialSource(Kind);

enum Kind {
    Fixed(Arc<dyn Credential>),
    File { path: PathBuf, reader: Arc<dyn ReadsCredentials>, last: Mutex<Arc<dyn Credential>> },
    Watched(watch::Receiver<Watched>),
}

impl fmt::Debug for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Fixed(_) => "Fixed",
            Self::File { .. } => "File",
            Self::Watched(_) => "Watched",
        })
    }
}

/// What a watch reports of credentials: they may change, go, and come again.
pub type Watched = Result<Arc<dyn Credential>, Arc<CredentialError>>;

impl CredentialSource {
    /// Credentials that stay as they are.
    pub fn fixed(credential: Arc<dyn Credential>) -> Self {
        Self(Kind::Fixed(credential))
    }

    /// A file with a Secret, which is read again for each call, so that new credentials are used at once. What is
    /// no regular file, such as a pipe, can be read only once.
    pub fn file(path: &Path, reader: Arc<dyn ReadsCredentials>) -> Result<Self, CredentialError> {
        let credential = read(path, &*reader)?;
        if !path.is_file() {
            return Ok(Self::fixed(credential));
        }
        Ok(Self(Kind::File { path: path.to_owned(), reader, last: Mutex::new(credential) }))
    }

    /// Credentials that somebody watches, such as those of a Secret. Each call takes them as they are then.
    pub fn watched(receiver: watch::Receiver<Watched>) -> Self {
        Self(Kind::Watched(receiver))
    }

    pub(super) fn current(&self) -> Watched {
        Ok(match &self.0 {
            Kind::Watched(receiver) => return receiver.borrow().clone(),
            Kind::Fixed(credential) => Arc::clone(credential),
            Kind::File { path, reader, last } => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                // Somebody may just be writing the file: until it can be read, its former credentials stay in use.
                if path.is_file()
                    && let Ok(credential) = read(path, &**reader)
                {
                    *last = credential;
                }
                Arc::clone(&last)
            }
        })
    }
}

fn read(path: &Path, reader: &dyn ReadsCredentials) -> Result<Arc<dyn Credential>, CredentialError> {
    let place = path.display().to_string();
    let bytes = file::read(path, MAX_BYTES as u64)
        .map_err(|error| CredentialError::Unreadable { place: place.clone(), error })
        .map(Zeroizing::new)?;
    let (_, documents) = source::read(&place, &bytes).map_err(|error| CredentialError::Malformed {
        place: place.clone(),
        problem: error.problem.without_text(),
    })?;
    let secrets: Vec<_> = documents
        .iter()
        .filter(|document| document.get("kind").and_then(source::Node::as_str) == Some("Secret"))
        .collect();
    match secrets[..] {
        [secret] => reader.of_secret(&SecretData::of_manifest(secret, &place)),
        _ => Err(CredentialError::Secrets { place, count: secrets.len() }),
    }
}

#[cfg(test)]
mod tests;
