//! Image vectors: which container images templates refer to, in the format of Gardener.

use std::fs;
use std::path::Path;

use crate::folder::unreadable;
use crate::yaml::{Value, Yaml, read};
use crate::{CompileError, Problem};

/// An image, or one of several of a name that differ in what they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageEntry {
    /// The name.
    pub name: String,
    /// Where it is, without the tag.
    pub repository: String,
    /// The tag, or a digest; without one, the tag is the Kubernetes version of the Shoot.
    pub tag: Option<String>,
    /// Kubernetes versions of the cluster that it runs in; none for all.
    pub runtime_version: Option<String>,
    /// Kubernetes versions of the Shoot; none for all.
    pub target_version: Option<String>,
    /// Architectures; none for all.
    pub architectures: Vec<String>,
}

/// Reads an image vector.
pub fn images(path: &Path) -> Result<Vec<ImageEntry>, CompileError> {
    let fail = |line, problem| CompileError { file: path.display().to_string(), line, problem };
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let document = read(&text).map_err(|(line, problem)| fail(line, problem))?;
    let Some(Value::List(entries)) = document.get("images").map(|images| &images.value) else {
        return Err(fail(1, Problem::Image("is not there: the file has no list `images`".to_owned())));
    };
    entries.iter().map(|entry| image(entry).map_err(|problem| fail(entry.line, Problem::Image(problem)))).collect()
}

fn image(entry: &Yaml) -> Result<ImageEntry, String> {
    let Value::Mapping(members) = &entry.value else { return Err("is no mapping".to_owned()) };
    let mut image = ImageEntry::default();
    for (key, value) in members {
        let text = || value.text().map(str::to_owned).ok_or_else(|| "has a member that is no text".to_owned());
        match key.text().unwrap_or_default() {
            "name" => image.name = text()?,
            "repository" => image.repository = text()?,
            "tag" => image.tag = Some(text()?),
            "runtimeVersion" => image.runtime_version = Some(text()?),
            "targetVersion" => image.target_version = Some(text()?),
            "architectures" => {
                let Value::List(all) = &value.value else {
                    return Err("has `architectures` that are no list".to_owned());
                };
                image.architectures = all.iter().filter_map(Yaml::text).map(str::to_owned).collect();
            }
            // For people and for scanners.
            "sourceRepository" | "resourceId" | "labels" => {}
            other => return Err(format!("has the unknown member `{other}`")),
        }
    }
    match (image.name.as_str(), image.repository.as_str()) {
        ("", _) => Err("has no `name`".to_owned()),
        (name, "") => Err(format!("`{name}` has no `repository`")),
        _ => Ok(image),
    }
}

/// The code of an image vector: the constant `IMAGES`.
pub fn images_code(images: &[ImageEntry]) -> String {
    let entry = |image: &ImageEntry| {
        let ImageEntry { name, repository, tag, runtime_version, target_version, architectures } = image;
        format!(
            "ImageSource {{ name: {name:?}, repository: Some({repository:?}), tag: {tag:?}, runtime_version: {runtime_version:?}, \
             target_version: {target_version:?}, architectures: &{architectures:?}, reference: None }}"
        )
    };
    let entries: Vec<String> = images.iter().map(entry).collect();
    format!("/// The image vector.\npub const IMAGES: &[ImageSource<'static>] = &[{}];\n", entries.join(",\n"))
}
