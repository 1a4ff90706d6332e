//! Folders of templates.

use std::fs;
use std::path::Path;

use crate::tree::{Template, compile};
use crate::{CompileError, Problem};

/// The templates of a folder, in the order in which their objects are created.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Name of the folder.
    pub name: String,
    /// The templates.
    pub templates: Vec<Template>,
}

/// Compiles the templates of a provider: a folder a bundle, in the order of their names.
pub fn bundles(folder: &Path) -> Result<Vec<Bundle>, CompileError> {
    entries(folder)?
        .into_iter()
        .filter(|name| folder.join(name).is_dir())
        .map(|name| bundle(&folder.join(&name), name))
        .collect()
}

fn bundle(folder: &Path, name: String) -> Result<Bundle, CompileError> {
    let mut templates = Vec::new();
    for file in entries(folder)? {
        let path = folder.join(&file);
        let named = path.display().to_string();
        if !file.ends_with(".yaml.hbs") {
            return Err(CompileError { file: named, line: 1, problem: Problem::OtherFile });
        }
        let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
        let mut template = compile(&named, &text)?;
        template.file = format!("{name}/{file}");
        templates.push(template);
    }
    templates.sort_by_cached_key(|template: &Template| template.identity.order());
    for pair in templates.windows(2) {
        if let [one, other] = pair
            && one.identity == other.identity
        {
            let file = folder.join(other.file.rsplit('/').next().unwrap_or_default()).display().to_string();
            let problem = Problem::SameObject(format!("{} of {}", one.identity, one.file));
            return Err(CompileError { file, line: 1, problem });
        }
    }
    if templates.is_empty() {
        return Err(CompileError { file: folder.display().to_string(), line: 1, problem: Problem::NoTemplate });
    }
    Ok(Bundle { name, templates })
}

/// The names of what is in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<String>, CompileError> {
    let fail = |error: std::io::Error| unreadable(folder, &error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.push(entry.map_err(fail)?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> CompileError {
    CompileError { file: path.display().to_string(), line: 1, problem: Problem::Unreadable(error.to_string()) }
}
