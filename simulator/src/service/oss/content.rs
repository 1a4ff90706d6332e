//! The bytes of objects, and their digests.

use super::errors::{ENTITY_TOO_LARGE, STORAGE_EXCEEDED};
use crate::action::{Call, CloudError};
use crate::settings::Quota;
use crate::world::World;

/// The longest object and the longest part: in the cloud it is 5 GiB.
pub const LONGEST: usize = 64 << 20;

/// How long all objects and parts together may be.
pub(super) const QUOTA: Quota = Quota::new("objectBytes", 256 << 20);
/// How many objects, uploads and parts there may be together.
pub(super) const COUNT_QUOTA: Quota = Quota::new("objects", 100_000);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::oss::testing::Oss;
    use crate::settings::Settings;

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
