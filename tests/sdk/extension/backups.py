"""Buckets for backups, and what goes with an entry."""

import oss2
from oss2.models import (
    AbortMultipartUpload,
    BucketCreateConfig,
    BucketLifecycle,
    LifecycleExpiration,
    LifecycleRule,
    ServerSideEncryptionRule,
    Tagging,
    TaggingRule,
)

ABORT = LifecycleRule("", "", status=LifecycleRule.ENABLED, abort_multipart_upload=AbortMultipartUpload(days=7))


def reconcile(bucket, days=None, locked=False):
    """A bucket, with retention where days are given."""
    try:
        bucket.get_bucket_info()
    except oss2.exceptions.NoSuchBucket:
        bucket.create_bucket(input=BucketCreateConfig(oss2.BUCKET_STORAGE_CLASS_STANDARD))
        bucket.put_bucket_encryption(ServerSideEncryptionRule(sse_algorithm=oss2.SERVER_SIDE_ENCRYPTION_AES256))
        bucket.put_bucket_lifecycle(BucketLifecycle([ABORT]))
    worm = retention(bucket)
    if days is None:
        if worm and worm.state in ("InProgress", "Expired"):
            bucket.abort_bucket_worm()
        return
    worm = retention(bucket)
    if is_right(worm, days, locked):
        return
    worm = retention(bucket)
    if worm and worm.state == "Locked":
        bucket.extend_bucket_worm(worm.worm_id, days)
        return
    if worm and worm.state == "Expired":
        bucket.abort_bucket_worm()
        worm = None
    id = worm.worm_id if worm else bucket.init_bucket_worm(days).worm_id
    if locked:
        bucket.complete_bucket_worm(id)


def retention(bucket):
    """The retention policy, if there is one."""
    try:
        return bucket.get_bucket_worm()
    except oss2.exceptions.ServerError as error:
        assert error.code == "NoSuchWORMConfiguration"
        return None


def is_right(worm, days, locked):
    if worm is None or worm.state == "Expired":
        return False
    return worm.retention_period_days == days if worm.state == "Locked" else not locked


def delete_bucket(bucket):
    """A bucket with all that is in it."""
    try:
        bucket.delete_bucket()
    except oss2.exceptions.BucketNotEmpty:
        delete_objects(bucket, "")
        bucket.delete_bucket()
    except oss2.exceptions.NoSuchBucket:
        return


def delete_entry(bucket, prefix):
    """The objects of an entry; those that must stay are marked, to expire by a rule of the bucket."""
    delete_objects(bucket, prefix)
    left = [row.key for row in bucket.list_objects(prefix).object_list]
    mark = TaggingRule()
    mark.add("gc-marked-for-deletion", "true")
    for key in left:
        bucket.put_object_tagging(key, Tagging(mark))
    if left:
        days = LifecycleExpiration(days=4)
        status = LifecycleRule.ENABLED
        expire = LifecycleRule("GC-forTaggedObjects", "", status=status, expiration=days, tagging=Tagging(mark))
        bucket.put_bucket_lifecycle(BucketLifecycle([expire, ABORT]))


def delete_objects(bucket, prefix):
    """Page by page, quietly."""
    marker, more = "", True
    while more:
        page = bucket.list_objects(prefix, marker=marker, max_keys=1000)
        if page.object_list:
            bucket.batch_delete_objects([row.key for row in page.object_list])
        marker, more = page.next_marker, page.is_truncated
