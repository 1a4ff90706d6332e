//! References to container images, as Kubernetes reads them.

/// The longest name of an image, in bytes.
const MOST: usize = 255;

/// A reference to an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageReference {
    /// Whether a tag or a digest says which image of that name is meant.
    pub names_one: bool,
}

/// Why a text is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageReferenceError {
    /// There is no name.
    #[error("repository name must have at least one component")]
    Empty,
    /// The name would be right in lower case.
    #[error("repository name must be lowercase")]
    Case,
    /// The text has another form.
    #[error("invalid reference format")]
    Form,
    /// The name is too long.
    #[error("repository name must not be more than 255 characters")]
    Length,
    /// Nobody knows the algorithm of the digest.
    #[error("unsupported digest algorithm")]
    Algorithm,
    /// The digest is too short or too long for its algorithm.
    #[error("invalid checksum digest length")]
    DigestLength,
    /// The digest is not written in lower case.
    #[error("invalid checksum digest format")]
    Digest,
}

/// Reads a reference: host and port, the path of a repository, a tag and a digest, of which all but the path may
/// be missing.
pub fn read(text: &str) -> Result<ImageReference, ImageReferenceError> {
    if text.is_empty() {
        return Err(ImageReferenceError::Empty);
    }
    let (named, digest) = text.split_once('@').map_or((text, None), |(named, digest)| (named, Some(digest)));
    let Some((path, has_tag)) = split_name(named).filter(|_| digest.is_none_or(is_digest)) else {
        let lower = text.to_lowercase();
        let is_case = lower != text && read(&lower).is_ok();
        return Err(if is_case { ImageReferenceError::Case } else { ImageReferenceError::Form });
    };
    if path.len() > MOST {
        return Err(ImageReferenceError::Length);
    }
    if let Some((algorithm, hex)) = digest.and_then(|digest| digest.split_once(':')) {
        let length = match algorithm {
            "sha256" => 64,
            "sha384" => 96,
            "sha512" => 128,
            _ => return Err(ImageReferenceError::Algorithm),
        };
        if hex.len() != length {
            return Err(ImageReferenceError::DigestLength);
        }
        if hex.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(ImageReferenceError::Digest);
        }
    }
    Ok(ImageReference { names_one: has_tag || digest.is_some() })
}

/// The path of a text without a digest, and whether a tag follows it.
fn split_name(text: &str) -> Option<(&str, bool)> {
    let is_path = |text: &str| text.split('/').all(is_part);
    let of = |rest: &'_ str| -> Option<(usize, bool)> {
        if is_path(rest) {
            return Some((rest.len(), false));
        }
        let (path, tag) = rest.rsplit_once(':')?;
        (is_path(path) && is_tag(tag)).then_some((path.len(), true))
    };
    let whole = of(text).and_then(|(end, has_tag)| Some((text.get(..end)?, has_tag)));
    let behind_host = || {
        let (host, rest) = text.split_once('/')?;
        let (end, has_tag) = of(rest).filter(|_| is_host(host))?;
        Some((rest.get(..end)?, has_tag))
    };
    // A first part that may be a host is one.
    behind_host().or(whole)
}

/// Whether a text is a part of a path: words of small letters and digits, with separators between them.
fn is_part(text: &str) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.iter().all(|byte| byte.is_some_and(is_word))
        && bytes.split(is_word).all(|separator| {
            matches!(separator, b"" | b"." | b"_" | b"__") || separator.iter().all(|byte| *byte == b'-')
        })
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=128).contains(&text.len())
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(|byte| is_word(byte) || matches!(byte, b'.' | b'-'))
}

fn is_host(text: &str) -> bool {
    let (name, port) = match (text.strip_prefix('['), text.rsplit_once(']')) {
        (Some(_), Some((address, port))) => {
            let address = address.get(1..).unwrap_or_default();
            let is_address =
                !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':');
            return is_address && (port.is_empty() || port.strip_prefix(':').is_some_and(is_number));
        }
        _ => text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port))),
    };
    let is_label = |label: &str| {
        let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = label.as_bytes();
        is_end(bytes.first())
            && is_end(bytes.last())
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    name.split('.').all(is_label) && port.is_none_or(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a digest.
fn is_digest(text: &str) -> bool {
    let Some((algorithm, hex)) = text.split_once(':') else { return false };
    let is_part = |part: &str| {
        part.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    algorithm.split(['-', '_', '+', '.']).all(is_part)
        && hex.len() >= 32
        && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_a_name_and_may_name_one_image() {
        for (text, names_one) in [
            ("nginx", false),
            ("library/nginx", false),
            ("registry.example.com:5000/a/b", false),
            ("[::1]:5000/a", false),
            ("a.b_c__d---e", false),
            ("nginx:1.27", true),
            ("localhost:5000", true),
            ("Registry/nginx", false),
            ("registry.example.com/a:latest", true),
            (&format!("nginx@sha256:{}", "a".repeat(64)), true),
        ] {
            assert_eq!(read(text), Ok(ImageReference { names_one }), "{text}");
        }
    }

    #[test]
    fn what_is_no_reference_is_reported() {
        for (text, error) in [
            ("", ImageReferenceError::Empty),
            ("Nginx", ImageReferenceError::Case),
            ("a b", ImageReferenceError::Form),
            ("a..b", ImageReferenceError::Form),
            ("-a", ImageReferenceError::Form),
            ("a//b", ImageReferenceError::Form),
            ("a:", ImageReferenceError::Form),
            ("a@sha256:12", ImageReferenceError::Form),
            (&"a".repeat(256), ImageReferenceError::Length),
            (&format!("a@md5:{}", "a".repeat(32)), ImageReferenceError::Algorithm),
            (&format!("a@sha256:{}", "a".repeat(40)), ImageReferenceError::DigestLength),
            (&format!("a@sha256:{}", "A".repeat(64)), ImageReferenceError::Digest),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }
}
