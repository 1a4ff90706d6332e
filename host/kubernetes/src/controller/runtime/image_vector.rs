//! Images that replace those of the policy: a file in Gardener's format, named by `IMAGEVECTOR_OVERWRITE`.

use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use trellis_policies::cluster::raw;
use trellis_policies::file;
use trellis_policies::source::{self, MAX_BYTES};

/// The variable that names the file (reference: gardener-contract 6.4).
pub const VARIABLE: &str = "IMAGEVECTOR_OVERWRITE";

/// Why a file is no image vector.
#[derive(Debug, thiserror::Error)]
pub enum ImageVectorError {
    /// It cannot be read.
    #[error("{VARIABLE}: cannot read `{}`: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// It is neither YAML nor JSON.
    #[error("{VARIABLE}: `{}` cannot be read as YAML: {problem}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: String,
    },
    /// It is something else.
    #[error("{VARIABLE}: `{}` has no list `images`", file.display())]
    NoImages {
        /// The file.
        file: PathBuf,
    },
}

/// The list of images in a file.
pub fn read(path: &Path) -> Result<Box<RawValue>, ImageVectorError> {
    let named = || path.to_owned();
    let bytes = file::read(path, MAX_BYTES as u64)
        .map_err(|error| ImageVectorError::Unreadable { file: named(), error })?;
    let (_, roots) = source::read(&path.display().to_string(), &bytes).map_err(|error| {
        ImageVectorError::Malformed { file: named(), problem: error.problem.without_text().to_string() }
    })?;
    let list = match roots.as_slice() {
        [root] => root.get("images").filter(|images| images.as_sequence().is_some()),
        _ => None,
    };
    list.and_then(|images| raw(images.to_json())).ok_or_else(|| ImageVectorError::NoImages { file: named() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_list_of_images_is_refused_with_its_variable() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("images.yaml");
        std::fs::write(&file, "images:\n- name: a\n  repository: r\n  tag: t\n").unwrap();
        assert!(read(&file).unwrap().get().contains("\"repository\":\"r\""));
        std::fs::write(&file, "image: []\n").unwrap();
        assert!(read(&file).unwrap_err().to_string().starts_with("IMAGEVECTOR_OVERWRITE: `"));
    }
}
