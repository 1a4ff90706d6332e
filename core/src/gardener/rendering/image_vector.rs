//! Image vectors: which container images a control plane runs, as Gardener finds and overrides them
//! (`pkg/utils/imagevector`).

use std::fmt;

use crate::document::Value;
use crate::kube::semver::SemVer;

/// An image, or one of several of a name that differ in what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageSource<'v> {
    /// The name.
    pub name: &'v str,
    /// Where it is, without the tag.
    pub repository: Option<&'v str>,
    /// The tag, or a digest; without one, the tag is the Kubernetes version of the Shoot.
    pub tag: Option<&'v str>,
    /// Kubernetes versions of the cluster that it runs in; none for all.
    pub runtime_version: Option<&'v str>,
    /// Kubernetes versions of the Shoot; none for all.
    pub target_version: Option<&'v str>,
    /// Architectures; empty for all.
    pub architectures: &'v [&'v str],
    /// The whole reference, instead of repository and tag.
    pub reference: Option<&'v str>,
}

/// The images that there are.
#[derive(Clone, Debug)]
pub struct ImageVector<'v>(Vec<ImageSource<'v>>);

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageVectorError {
    /// An override cannot be read: its index, and what is wrong.
    Override(usize, &'static str),
    /// No image of the name is for these versions.
    NotFound {
        /// The name.
        name: &'static str,
        /// The Kubernetes version of the Shoot.
        target: String,
    },
    /// A constraint on versions cannot be read.
    Constraint(String),
}

impl fmt::Display for ImageVectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Override(index, problem) => write!(f, "`images[{index}]` {problem}"),
            Self::NotFound { name, target } => {
                write!(f, "the image vector has no image `{name}` for Kubernetes {target}")
            }
            Self::Constraint(text) => {
                write!(f, "the image vector has the constraint `{text}`, which cannot be read")
            }
        }
    }
}

impl<'v> ImageVector<'v> {
    /// The images of a policy, with those that an operator replaces: an image of the same name, versions and
    /// architectures takes the place of the policy's, and takes from it what it leaves out; another one is added.
    pub fn of(own: &[ImageSource<'v>], overrides: &'v [Value<'v>]) -> Result<Self, ImageVectorError> {
        let mut sources = own.to_vec();
        for (index, value) in overrides.iter().enumerate() {
            let (image, architectures) =
                read(value).map_err(|problem| ImageVectorError::Override(index, problem))?;
            let same = |known: &&mut ImageSource<'v>| {
                known.name == image.name
                    && known.runtime_version == image.runtime_version
                    && known.target_version == image.target_version
                    && known.architectures.iter().copied().eq(architectures.iter().filter_map(Value::as_str))
            };
            match sources.iter_mut().find(same) {
                Some(known) => *known = merged(known, &image),
                // Components of a control plane run on both architectures: an image for one alone is never asked
                // for.
                None if architectures.is_empty() => sources.push(image),
                None => {
                    return Err(ImageVectorError::Override(
                        index,
                        "has `architectures` that no image of the policy has",
                    ));
                }
            }
        }
        Ok(Self(sources))
    }

    /// The reference of the image that fits best: `runtime` is the Kubernetes version of the cluster that the
    /// image runs in, `target` that of the Shoot; an empty version fits every constraint.
    pub fn find(&self, name: &'static str, runtime: &str, target: &str) -> Result<String, ImageVectorError> {
        let mut best: Option<(u8, &ImageSource<'_>)> = None;
        for source in self.0.iter().filter(|source| source.name == name) {
            let Some(by_runtime) = score(source.runtime_version, runtime)? else { continue };
            let Some(by_target) = score(source.target_version, target)? else { continue };
            let score = by_runtime + by_target;
            // The first one of several counts.
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, source));
            }
        }
        let not_found = || ImageVectorError::NotFound { name, target: target.to_owned() };
        best.and_then(|(_, source)| source.reference(target)).ok_or_else(not_found)
    }
}

impl ImageSource<'_> {
    fn reference(&self, target: &str) -> Option<String> {
        if let Some(reference) = self.reference {
            return Some(reference.to_owned());
        }
        let repository = self.repository?;
        let tag = match self.tag {
            Some(tag) => tag.to_owned(),
            None if target.is_empty() => return Some(repository.to_owned()),
            None => format!("v{}", target.trim_start_matches('v')),
        };
        let sign = if tag.starts_with("sha256:") { '@' } else { ':' };
        Some(format!("{repository}{sign}{tag}"))
    }
}

/// How well a constraint fits a version; none where it does not.
fn score(constraint: Option<&str>, version: &str) -> Result<Option<u8>, ImageVectorError> {
    let Some(constraint) = constraint.filter(|_| !version.is_empty()) else { return Ok(Some(0)) };
    let unreadable = || ImageVectorError::Constraint(constraint.to_owned());
    // What comes before a release counts as the release.
    let release = version.split(['-', '+']).next().unwrap_or_default();
    let version = SemVer::parse(release).ok_or_else(|| ImageVectorError::Constraint(version.to_owned()))?;
    if !version.satisfies(constraint).ok_or_else(unreadable)? {
        return Ok(None);
    }
    let names_one = constraint.starts_with('=') || is_version(constraint);
    Ok(Some(if names_one { 2 } else { 1 }))
}

/// Whether a constraint begins with a version, and so with three numbers.
fn is_version(constraint: &str) -> bool {
    let text = constraint.strip_prefix('v').unwrap_or(constraint);
    let numbers = text.split('.').take(3).filter(|part| part.starts_with(|first: char| first.is_ascii_digit()));
    let whole = text.split('.').take(2).all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    whole && numbers.count() == 3
}

/// What an override says of an image, and its architectures.
fn read<'v>(value: &'v Value<'v>) -> Result<(ImageSource<'v>, &'v [Value<'v>]), &'static str> {
    let text = |key| match value.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_ref())),
        Some(_) => Err("has a member that is no text"),
    };
    let image = ImageSource {
        name: text("name")?.filter(|name| !name.is_empty()).ok_or("has no `name`")?,
        repository: text("repository")?,
        tag: text("tag")?,
        runtime_version: text("runtimeVersion")?,
        target_version: text("targetVersion")?,
        architectures: &[],
        reference: text("ref")?,
    };
    if image.reference.is_some() && (image.repository.is_some() || image.tag.is_some()) {
        return Err("has `ref` next to `repository` or `tag`");
    }
    Ok((image, value.get("architectures").map(Value::items).unwrap_or_default()))
}

/// An image with what an override says.
fn merged<'v>(known: &ImageSource<'v>, by: &ImageSource<'v>) -> ImageSource<'v> {
    let reference = by.reference.or_else(|| known.reference.filter(|_| by.repository.is_none()));
    let is_parted = reference.is_none();
    ImageSource {
        repository: by.repository.or(known.repository).filter(|_| is_parted),
        tag: by.tag.or(known.tag).filter(|_| is_parted),
        reference,
        ..*known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    const OWN: &[ImageSource<'static>] = &[
        ImageSource {
            name: "a",
            repository: Some("registry/a"),
            tag: Some("v1"),
            runtime_version: None,
            target_version: None,
            architectures: &[],
            reference: None,
        },
        ImageSource {
            name: "b",
            repository: Some("registry/b"),
            tag: None,
            runtime_version: Some(">= 1.30"),
            target_version: Some("< 1.32"),
            architectures: &[],
            reference: None,
        },
        ImageSource {
            name: "b",
            repository: Some("registry/b"),
            tag: Some("v9"),
            runtime_version: Some(">= 1.30"),
            target_version: Some("1.31.4"),
            architectures: &[],
            reference: None,
        },
    ];

    fn find(overrides: &str, name: &'static str, runtime: &str, target: &str) -> Result<String, String> {
        let overrides = parse(overrides).unwrap();
        let vector = ImageVector::of(OWN, overrides.items()).map_err(|error| error.to_string())?;
        vector.find(name, runtime, target).map_err(|error| error.to_string())
    }

    #[test]
    fn the_image_fits_the_versions_and_the_most_exact_one_counts() {
        let table = [
            ("a", "1.30.0", "1.31.0", Ok("registry/a:v1")),
            ("b", "1.30.0", "1.31.0", Ok("registry/b:v1.31.0")),
            ("b", "1.30.0-gke.1", "1.31.0", Ok("registry/b:v1.31.0")),
            ("b", "1.30.0", "1.31.4", Ok("registry/b:v9")),
            ("b", "1.29.0", "1.31.4", Err("the image vector has no image `b` for Kubernetes 1.31.4")),
            ("b", "1.30.0", "1.32.0", Err("the image vector has no image `b` for Kubernetes 1.32.0")),
            ("b", "", "", Ok("registry/b")),
            ("b", "x", "1.31.0", Err("the image vector has the constraint `x`, which cannot be read")),
        ];
        for (name, runtime, target, expected) in table {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(find("[]", name, runtime, target), expected, "{name} {runtime} {target}");
        }
    }

    #[test]
    fn an_operator_replaces_images_and_adds_others() {
        let table = [
            (r#"[{"name":"a","tag":"v2"}]"#, Ok("registry/a:v2")),
            (r#"[{"name":"a","repository":"mirror/a"}]"#, Ok("mirror/a:v1")),
            (r#"[{"name":"a","tag":"sha256:0f"}]"#, Ok("registry/a@sha256:0f")),
            (r#"[{"name":"a","ref":"mirror/a@sha256:1e"}]"#, Ok("mirror/a@sha256:1e")),
            (r#"[{"name":"a","ref":"x"},{"name":"a","repository":"y","tag":"z"}]"#, Ok("y:z")),
            (r#"[{"name":"a","targetVersion":">= 1.31","repository":"new/a","tag":"v3"}]"#, Ok("new/a:v3")),
            (r#"[{"name":"a","targetVersion":">= 1.32","repository":"new/a","tag":"v3"}]"#, Ok("registry/a:v1")),
            (r#"[{"tag":"v2"}]"#, Err("`images[0]` has no `name`")),
            (r#"[{"name":"a"},{"name":"a","tag":2}]"#, Err("`images[1]` has a member that is no text")),
            (r#"[{"name":"a","ref":"x","tag":"y"}]"#, Err("`images[0]` has `ref` next to `repository` or `tag`")),
        ];
        for (overrides, expected) in table {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(find(overrides, "a", "1.31.0", "1.31.0"), expected, "{overrides}");
        }
    }
}
