//! Manifests as files of a folder, which Trellis writes whole or not at all.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::error::RenderError;
use super::mask::Mask;
use super::output::manifest;
use super::renderer::Rendered;
use crate::CommandError;
use trellis_policies::source::{Node, read_own};

/// Longest name of a file, in bytes, without what makes it unlike others.
const MAX_NAME: usize = 200;

/// The texts of the files, by their paths within the folder.
type Files = BTreeMap<PathBuf, String>;

/// Whether a folder can be written: it is not there, or it is empty.
pub(super) fn check(folder: &Path) -> Result<(), RenderError> {
    match fs::read_dir(folder).and_then(|mut entries| entries.next().transpose()) {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(RenderError::Taken(folder.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RenderError::Folder { folder: folder.to_owned(), error }),
    }
}

/// Writes the objects of all control planes: a folder a ManagedResource, a file an object. Of several control
/// planes, each has a folder of its own.
pub(super) fn write(folder: &Path, rendered: &[Rendered<'_>], mask: Mask) -> Result<usize, CommandError> {
    let files = files(rendered, mask)?;
    check(folder)?;
    let put = put(folder, &files, mask);
    put.map_err(|error| RenderError::Folder { folder: folder.to_owned(), error })?;
    Ok(files.len())
}

fn files(rendered: &[Rendered<'_>], mask: Mask) -> Result<Files, CommandError> {
    let mut files = Files::new();
    for one in rendered {
        let identity = one.document.identity();
        let own = safe(&format!("{}-{}-{}", identity.kind, identity.namespace, identity.name));
        let start = if rendered.len() > 1 { PathBuf::from(own) } else { PathBuf::new() };
        for resource in one.answer.managed_resources.iter().flatten() {
            let folder = start.join(safe(&resource.name));
            for object in &resource.objects {
                let stem = safe(&title(object.get()));
                // Objects of one kind and name may be in several namespaces.
                let numbered = (2..).map(|number| format!("{stem}-{number}.yaml"));
                let mut names = std::iter::once(format!("{stem}.yaml")).chain(numbered);
                let free = names.find_map(|name| Some(folder.join(name)).filter(|path| !files.contains_key(path)));
                files.insert(free.unwrap_or_default(), manifest(object.get(), mask)?);
            }
        }
    }
    Ok(files)
}

/// `Deployment-a`
fn title(object: &str) -> String {
    let roots = read_own(object);
    let text =
        |path: &[&str]| roots.first().and_then(|root| root.at(path)).and_then(Node::as_str).unwrap_or_default();
    format!("{}-{}", text(&["kind"]), text(&["metadata", "name"]))
}

/// A name that every file system takes.
fn safe(name: &str) -> String {
    let keep = |sign: char| if matches!(sign, 'a'..='z' | '0'..='9' | '.' | '-') { sign } else { '-' };
    let name: String = name.to_lowercase().chars().map(keep).take(MAX_NAME).collect();
    if name.starts_with('.') { format!("-{name}") } else { name }
}

/// Writes the files into a new folder next to the one that is meant, and gives the new folder its name.
fn put(folder: &Path, files: &Files, mask: Mask) -> io::Result<()> {
    let name = folder.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let new = parent.join(format!(".{name}.new-{}", std::process::id()));
    builder(mask).create(&new)?;
    let written = fill(&new, files).and_then(|()| {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(&new, folder)
    });
    if written.is_err() {
        // What is left there does no harm, and the error says what went wrong.
        let _ = fs::remove_dir_all(&new);
    }
    written
}

fn fill(new: &Path, files: &Files) -> io::Result<()> {
    for (path, text) in files {
        let path = new.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = fs::File::create_new(&path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    Ok(())
}

/// Only its owner may enter a folder with secrets.
#[cfg(unix)]
fn builder(mask: Mask) -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt as _;

    let mut builder = DirBuilder::new();
    if mask.shows_secrets {
        builder.mode(0o700);
    }
    builder
}

/// Elsewhere, a folder gets the permissions of the one that it is in.
#[cfg(not(unix))]
fn builder(_: Mask) -> DirBuilder {
    DirBuilder::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        assert_eq!(safe("ClusterRole-system:csi/x é"), "clusterrole-system-csi-x--");
        assert_eq!(safe("../x"), "-..-x");
        assert_eq!(safe(&"x".repeat(300)).len(), MAX_NAME);
    }

    #[test]
    fn a_folder_is_written_whole_and_never_over_another() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        let files = Files::from([(PathBuf::from("c/d.yaml"), "e".to_owned())]);
        let mask = Mask { shows_secrets: false };
        check(&folder).unwrap();
        put(&folder, &files, mask).unwrap();
        assert_eq!(fs::read_to_string(folder.join("c/d.yaml")).unwrap(), "e");
        assert!(check(&folder).unwrap_err().to_string().contains("has files already"));
        put(&folder, &files, mask).unwrap_err();
        assert_eq!(fs::read_dir(place.path().join("a")).unwrap().count(), 1, "nothing is left next to it");
        fs::remove_dir_all(folder.join("c")).unwrap();
        put(&folder, &files, mask).unwrap();
    }
}
