"""Objects, as `etcd` is backed up and pruned. The SDK checks their CRC by itself."""

import oss2
import pytest
from oss2 import models

from storage import refused

MEBI = 1 << 20
CONTENT = bytes(range(256)) * 64
NAMES = ["a", "shoot/v2/Full-0001", "ä ö+%/☃", "with space", "a&b=c", "x" * 1000]


def test_an_object_is_what_was_put(bucket):
    for name in NAMES:
        put = bucket.put_object(name, CONTENT, headers={"x-oss-meta-who": "etcd", "Content-Type": "text/plain"})
        got = bucket.get_object(name)
        assert got.read() == CONTENT
        assert (got.etag, got.content_length) == (put.etag, len(CONTENT))
        head = bucket.head_object(name)
        assert (head.etag, head.content_length, head.content_type) == (put.etag, len(CONTENT), "text/plain")
        assert head.headers["x-oss-meta-who"] == "etcd"
        assert bucket.get_object_meta(name).etag == put.etag
    assert sorted(row.key for row in oss2.ObjectIterator(bucket.inner)) == sorted(NAMES)


def test_an_object_that_does_not_exist_is_not_found(bucket):
    refused("NoSuchKey", 404, bucket.get_object, "nobody")
    with pytest.raises(oss2.exceptions.NotFound):
        bucket.head_object("nobody")
    assert not bucket.object_exists("nobody")
    bucket.delete_object("nobody")


def test_a_part_of_an_object_can_be_read(bucket):
    bucket.put_object("a", CONTENT)
    for range, part in [((0, 9), CONTENT[:10]), ((100, None), CONTENT[100:]), ((None, 5), CONTENT[-5:])]:
        got = bucket.get_object("a", byte_range=range)
        assert (got.status, got.read()) == (206, part)


def test_a_body_that_is_not_the_one_of_its_digest_is_refused(bucket):
    wrong = oss2.utils.content_md5(b"other")
    refused("InvalidDigest", 400, bucket.put_object, "a", CONTENT, headers={"Content-MD5": wrong})
    assert not bucket.object_exists("a")


@pytest.mark.parametrize("listing", ["list_objects", "list_objects_v2"])
def test_listings_have_pages_prefixes_and_folders(bucket, listing):
    for name in ["a/1", "a/2", "a/3", "b/1", "c", "ä+ /☃"]:
        bucket.put_object(name, b"")
    seen, more = [], {}
    while more is not None:
        page = getattr(bucket, listing)(max_keys=2, **more)
        assert len(page.object_list) <= 2
        seen += [row.key for row in page.object_list]
        token = {"list_objects": ("marker", "next_marker")}.get(
            listing, ("continuation_token", "next_continuation_token")
        )
        more = {token[0]: getattr(page, token[1])} if page.is_truncated else None
    assert seen == ["a/1", "a/2", "a/3", "b/1", "c", "ä+ /☃"]
    page = getattr(bucket, listing)(delimiter="/")
    assert ([row.key for row in page.object_list], page.prefix_list) == (["c"], ["a/", "b/", "ä+ /"])
    page = getattr(bucket, listing)(prefix="a/")
    assert [row.key for row in page.object_list] == ["a/1", "a/2", "a/3"]


def test_many_go_at_once(bucket):
    names = ["a", "b&c", "<d>", "ä ☃"]
    for name in names:
        bucket.put_object(name, b"1")
    assert sorted(bucket.batch_delete_objects([*names, "nobody"]).deleted_keys) == sorted([*names, "nobody"])
    assert bucket.list_objects().object_list == []


def test_tags_are_kept(bucket):
    bucket.put_object("a", b"1")
    tags = models.TaggingRule()
    tags.add("gc-marked-for-deletion", "true")
    tags.add("b", "c d+/")
    bucket.put_object_tagging("a", models.Tagging(tags))
    assert bucket.get_object_tagging("a").tag_set.tagging_rule == {"gc-marked-for-deletion": "true", "b": "c d+/"}
    bucket.delete_object_tagging("a")
    assert bucket.get_object_tagging("a").tag_set.tagging_rule == {}


def test_an_object_is_copied(bucket):
    bucket.put_object("a", CONTENT)
    bucket.copy_object("backups", "a", "b")
    assert bucket.get_object("b").read() == CONTENT


class TestUploads:
    """Uploads in parts."""

    PARTS = [b"a" * MEBI, b"b" * MEBI, b"the rest"]

    def test_parts_become_an_object(self, bucket):
        upload = bucket.init_multipart_upload("big").upload_id
        parts = []
        for number, content in enumerate(self.PARTS, 1):
            done = bucket.upload_part("big", upload, number, content)
            parts.append(models.PartInfo(number, done.etag, part_crc=done.crc, size=len(content)))
        assert [part.part_number for part in bucket.list_parts("big", upload).parts] == [1, 2, 3]
        assert [row.upload_id for row in bucket.list_multipart_uploads().upload_list] == [upload]
        assert not bucket.object_exists("big")
        bucket.complete_multipart_upload("big", upload, parts)
        assert bucket.get_object("big").read() == b"".join(self.PARTS)
        assert bucket.head_object("big").etag.endswith("-3")
        assert bucket.list_multipart_uploads().upload_list == []

    def test_an_upload_can_be_given_up(self, bucket):
        upload = bucket.init_multipart_upload("big").upload_id
        bucket.upload_part("big", upload, 1, self.PARTS[0])
        bucket.abort_multipart_upload("big", upload)
        refused("NoSuchUpload", 404, bucket.upload_part, "big", upload, 2, self.PARTS[1])
        assert bucket.list_multipart_uploads().upload_list == []

    def test_a_part_that_was_not_sent_is_missing(self, bucket):
        upload = bucket.init_multipart_upload("big").upload_id
        refused("InvalidPart", 400, bucket.complete_multipart_upload, "big", upload, [models.PartInfo(1, '"0"')])


def test_an_object_is_not_overwritten_where_that_is_forbidden(bucket):
    bucket.put_object("a", b"1")
    refused("FileAlreadyExists", 409, bucket.put_object, "a", b"2", headers={"x-oss-forbid-overwrite": "true"})
    assert bucket.get_object("a").read() == b"1"


def test_an_object_that_is_known_is_not_sent_again(bucket):
    tag = bucket.put_object("a", b"1").etag
    with pytest.raises(oss2.exceptions.NotModified):
        bucket.get_object("a", headers={"If-None-Match": f'"{tag}"'})
    with pytest.raises(oss2.exceptions.PreconditionFailed):
        bucket.get_object("a", headers={"If-Match": '"other"'})


def test_an_object_of_10_mib_goes_both_ways(bucket):
    content = CONTENT * (10 * MEBI // len(CONTENT))
    bucket.put_object("big", content)
    assert bucket.get_object("big").read() == content


def test_a_link_is_good_without_a_key(storage, bucket):
    bucket.put_object("a", CONTENT)
    session = oss2.Session()
    url = bucket.sign_url("GET", "a", 60, slash_safe=True)
    request = oss2.http.Request("GET", url)
    assert session.do_request(request, 10).read() == CONTENT
    tampered = oss2.http.Request("GET", url.replace("/a?", "/b?"))
    assert session.do_request(tampered, 10).status == 403
