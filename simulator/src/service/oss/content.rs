//! The bytes of objects, and their digests.

use std::fmt::Write as _;

use crc::{CRC_64_XZ, Crc, Table};
use hyper::body::Bytes;
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};

use super::errors::{ENTITY_TOO_LARGE, STORAGE_EXCEEDED};
use crate::action::{Call, CloudError};
use crate::world::{Quota, World};

/// The longest object and the longest part: in the cloud it is 5 GiB.
pub const LONGEST: usize = 64 << 20;

/// How long all objects and parts together may be.
pub(super) const QUOTA: Quota = Quota::new("objectBytes", 256 << 20);
/// How many objects, uploads and parts there may be together.
pub(super) const COUNT_QUOTA: Quota = Quota::new("objects", 100_000);

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

/// Refuses content for which there is no room.
pub(super) fn room(world: &World, call: &Call<'_>, length: usize) -> Result<(), CloudError> {
    if length > LONGEST {
        return Err((&ENTITY_TOO_LARGE).into());
    }
    let (mut count, mut bytes) = (0, length);
    for bucket in world.accounts().flat_map(|(_, account)| account.oss.buckets.values()) {
        let parts = || bucket.uploads.values().flat_map(|upload| upload.parts.values());
        count += bucket.objects.len() + bucket.uploads.len() + parts().count();
        bytes += bucket.objects.values().map(|object| object.content.bytes.len()).sum::<usize>();
        bytes += parts().map(|part| part.content.bytes.len()).sum::<usize>();
    }
    call.within(&COUNT_QUOTA, count, &STORAGE_EXCEEDED)?;
    if bytes > call.settings.quota(&QUOTA) { Err((&STORAGE_EXCEEDED).into()) } else { Ok(()) }
}

/// Bytes as base64 in files.
mod base64_text {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use hyper::body::Bytes;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::Settings;
    use crate::service::oss::testing::Oss;

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

    #[test]
    fn all_content_together_is_bounded() {
        let quotas = [("objectBytes".to_owned(), 10)].into();
        let cloud = Oss::with(Settings { quotas, ..Settings::default() });
        cloud.call("PutBucket", &[("bucket", "bucket")]);
        let put = |content: &[u8]| {
            let answer = cloud.call_or("PutObject", &[("bucket", "bucket"), ("key", "a")], content);
            answer.map(|_| ()).map_err(|error| error.error.code)
        };
        assert_eq!(put(&[0; 11]), Err("QuotaExceeded"));
        assert_eq!(put(&[0; 5]), Ok(()));
        assert_eq!(put(&[0; 6]), Err("QuotaExceeded"), "before the new content replaces the old, both are there");
        assert_eq!(put(&vec![0; LONGEST + 1]), Err("EntityTooLarge"));
        assert_eq!(put(&[0; 5]), Ok(()));
        let other = [("bucket", "bucket"), ("key", "b")];
        let begun = cloud.call("InitiateMultipartUpload", &other).fields;
        let id = begun["InitiateMultipartUploadResult"]["UploadId"].as_str().unwrap();
        let part = [other[0], other[1], ("uploadId", id), ("partNumber", "1")];
        assert_eq!(cloud.call_or("UploadPart", &part, &[0; 6]).unwrap_err().code(), "QuotaExceeded");
        cloud.call_or("UploadPart", &part, &[0; 1]).unwrap();
        let copy = [other[0], other[1], ("x-oss-copy-source", "/bucket/a")];
        assert_eq!(cloud.attempt("CopyObject", &copy), Err("QuotaExceeded"));
    }

    #[test]
    fn the_number_of_objects_is_bounded_whatever_their_length() {
        let quotas = [("objects".to_owned(), 3)].into();
        let cloud = Oss::with(Settings { quotas, ..Settings::default() });
        cloud.call("PutBucket", &[("bucket", "bucket")]);
        let upload = [("bucket", "bucket"), ("key", "a")];
        for _ in 0..2 {
            cloud.call("InitiateMultipartUpload", &upload);
        }
        cloud.call("PutObject", &[("bucket", "bucket"), ("key", "b")]);
        assert_eq!(cloud.attempt("PutObject", &[("bucket", "bucket"), ("key", "c")]), Err("QuotaExceeded"));
        assert_eq!(cloud.attempt("InitiateMultipartUpload", &upload), Err("QuotaExceeded"));
    }
}
