//! The bytes of objects, and their digests.

use std::fmt::Write as _;

use crc::{CRC_64_XZ, Crc, Table};
use hyper::body::Bytes;
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};

/// The checksum that the cloud calls CRC-64 ECMA, and others CRC-64/XZ.
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// Bytes with their digests. A copy shares the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Content {
    /// The bytes.
    #[serde(with = "base64_text")]
    pub bytes: Bytes,
    /// Their MD5 in upper-case hexadecimal digits; of an object of parts another digest, with the number of parts.
    pub e_tag: String,
    /// Their CRC-64.
    pub crc64: u64,
}

impl Content {
    /// The content of an object or a part.
    pub fn new(bytes: Bytes) -> Self {
        Self { e_tag: hex(&Md5::digest(&bytes)), crc64: CRC64.checksum(&bytes), bytes }
    }

    /// The content of parts, in order.
    pub fn join<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let length = parts.clone().map(|part| part.bytes.len()).sum();
        let mut bytes = Vec::with_capacity(length);
        let mut digest = Md5::new();
        for part in parts.clone() {
            bytes.extend_from_slice(&part.bytes);
            digest.update(&part.e_tag);
        }
        let crc64 = CRC64.checksum(&bytes);
        Self { bytes: bytes.into(), e_tag: format!("{}-{}", hex(&digest.finalize()), parts.count()), crc64 }
    }

    /// The digest as it stands in headers and XML.
    pub fn quoted(&self) -> String {
        format!("\"{}\"", self.e_tag)
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(digest.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

/// Bytes as base64 in files.
mod base64_text {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use hyper::body::Bytes;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_cloud() {
        let content = Content::new(Bytes::from_static(b"123456789"));
        assert_eq!(content.e_tag, "25F9E794323B453885F5181F1B624D0B");
        assert_eq!(content.crc64, 0x995d_c9bb_df19_39fa);
    }

    #[test]
    fn content_is_kept_in_files() {
        let content = Content::new(Bytes::from_static(&[0, 255, 10]));
        let text = serde_json::to_string(&content).unwrap();
        assert!(text.contains("\"AP8K\""), "{text}");
        assert_eq!(serde_json::from_str::<Content>(&text).unwrap(), content);
    }
}
