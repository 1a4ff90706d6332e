//! Contents of files in an OperatingSystemConfig.

use crate::text::base64;

/// How the content of a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// In base64.
    Base64,
}

/// Why a content cannot be read. No error shows the content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// There is no such encoding.
    #[error("its encoding is `{0}`; known are `b64` and the empty text")]
    Unknown(String),
    /// The content is not what its encoding says.
    #[error("its encoding is `b64`, and its data is no base64")]
    Base64,
    /// The content is no text.
    #[error("its content is no text in UTF-8")]
    Text,
}

impl Encoding {
    /// The encoding of a name.
    pub fn of(name: &str) -> Result<Self, EncodingError> {
        match name {
            "" => Ok(Self::Plain),
            "b64" => Ok(Self::Base64),
            // A long name would make a long message.
            other => Err(EncodingError::Unknown(other.chars().take(32).collect())),
        }
    }

    /// The bytes that a content stands for.
    pub fn bytes(self, data: &str) -> Result<Vec<u8>, EncodingError> {
        match self {
            Self::Plain => Ok(data.as_bytes().to_vec()),
            Self::Base64 => base64::decode(data).ok_or(EncodingError::Base64),
        }
    }

    /// The text that a content stands for.
    pub fn text(self, data: &str) -> Result<String, EncodingError> {
        String::from_utf8(self.bytes(data)?).map_err(|_| EncodingError::Text)
    }

    /// The content that stands for a text.
    pub fn data(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Base64 => base64::encode(text.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_by_their_encoding() {
        let read = |name: &str, data: &str| Encoding::of(name).and_then(|encoding| encoding.text(data));
        assert_eq!(read("", "a b"), Ok("a b".to_owned()));
        assert_eq!(read("b64", "YSBi"), Ok("a b".to_owned()));
        assert_eq!(read("b64", "YS\nBi"), Ok("a b".to_owned()));
        assert_eq!(read("b64", "%%%"), Err(EncodingError::Base64));
        assert_eq!(read("b64", "/w=="), Err(EncodingError::Text));
        assert_eq!(read("gzip", ""), Err(EncodingError::Unknown("gzip".to_owned())));
        assert_eq!(Encoding::Base64.data("a b"), "YSBi");
    }
}
