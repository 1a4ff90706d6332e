"""Buckets, as backups need them."""

from dataclasses import replace

import oss2
import pytest
from oss2 import models

from cloud import Cloud
from simulator import OTHER_KEY, READER_KEY, USER_KEY, Key
from storage import refused
from world import Make


def test_a_bucket_is_created_listed_and_deleted(storage):
    bucket = storage.bucket()
    refused("NoSuchBucket", 404, bucket.get_bucket_info)
    config = models.BucketCreateConfig(oss2.BUCKET_STORAGE_CLASS_STANDARD)
    for _ in range(2):
        bucket.create_bucket(oss2.BUCKET_ACL_PRIVATE, config)
    info = bucket.get_bucket_info()
    assert (info.name, info.location, info.storage_class) == ("backups", "oss-cn-shanghai", "Standard")
    assert info.acl.grant == "private"
    assert [row.name for row in storage.service().list_buckets().buckets] == ["backups"]
    bucket.delete_bucket()
    refused("NoSuchBucket", 404, bucket.delete_bucket)
    assert storage.simulator.inventory() == {}


def test_a_name_belongs_to_one_account(storage, bucket):
    other = storage.another(key=OTHER_KEY).bucket()
    refused("BucketAlreadyExists", 409, other.create_bucket)
    refused("AccessDenied", 403, other.get_bucket_info)
    assert storage.another(key=OTHER_KEY).service().list_buckets().buckets == []


@pytest.mark.parametrize("name", ["ab", "-backups", "backups-"])
def test_a_name_has_a_form(storage, name):
    try:
        bucket = storage.bucket(name)
    except oss2.exceptions.ClientError:
        return
    refused("InvalidBucketName", 400, bucket.create_bucket)


def test_a_bucket_with_something_in_it_stays(bucket):
    bucket.put_object("a", b"1")
    refused("BucketNotEmpty", 409, bucket.delete_bucket)
    bucket.delete_object("a")
    bucket.delete_bucket()


def test_what_is_written_is_encrypted_as_the_bucket_says(bucket):
    refused("NoSuchServerSideEncryptionRule", 404, bucket.get_bucket_encryption)
    bucket.put_bucket_encryption(models.ServerSideEncryptionRule("AES256"))
    assert bucket.get_bucket_encryption().sse_algorithm == "AES256"
    assert bucket.put_object("a", b"1").headers["x-oss-server-side-encryption"] == "AES256"
    bucket.delete_bucket_encryption()
    refused("NoSuchServerSideEncryptionRule", 404, bucket.get_bucket_encryption)


def test_who_may_read_is_kept(storage, bucket):
    assert bucket.get_bucket_acl().acl == "private"
    other = storage.another(key=OTHER_KEY).bucket()
    bucket.put_object("a", b"1")
    refused("AccessDenied", 403, other.get_object, "a")
    bucket.put_bucket_acl(oss2.BUCKET_ACL_PUBLIC_READ)
    assert bucket.get_bucket_acl().acl == "public-read"
    assert other.get_object("a").read() == b"1"
    refused("AccessDenied", 403, other.put_object, "a", b"2")


def test_a_bucket_tells_where_it_is(bucket):
    assert bucket.get_bucket_location().location == "oss-cn-shanghai"


def test_lifecycle_rules_are_kept(bucket):
    refused("NoSuchLifecycle", 404, bucket.get_bucket_lifecycle)
    tags = models.TaggingRule()
    tags.add("gc-marked-for-deletion", "true")
    rules = [
        models.LifecycleRule("abort", "", abort_multipart_upload=models.AbortMultipartUpload(days=7)),
        models.LifecycleRule("gc", "", expiration=models.LifecycleExpiration(days=4), tagging=models.Tagging(tags)),
    ]
    bucket.put_bucket_lifecycle(models.BucketLifecycle(rules))
    found = bucket.get_bucket_lifecycle().rules
    assert [(rule.id, rule.prefix, rule.status) for rule in found] == [("abort", "", "Enabled"), ("gc", "", "Enabled")]
    assert found[0].abort_multipart_upload.days == 7
    assert found[1].expiration.days == 4
    assert found[1].tagging.tag_set.tagging_rule == {"gc-marked-for-deletion": "true"}
    bucket.delete_bucket_lifecycle()
    refused("NoSuchLifecycle", 404, bucket.get_bucket_lifecycle)


def test_what_else_a_rule_has_is_kept(bucket):
    transitions = [models.StorageTransition(days=30, storage_class=oss2.BUCKET_STORAGE_CLASS_IA)]
    rules = [
        models.LifecycleRule("move", "logs/", storage_transitions=transitions),
        models.LifecycleRule("end", "", expiration=models.LifecycleExpiration(days=4)),
    ]
    bucket.put_bucket_lifecycle(models.BucketLifecycle(rules))
    found = bucket.get_bucket_lifecycle().rules
    assert [(rule.id, rule.prefix) for rule in found] == [("move", "logs/"), ("end", "")]
    assert [(move.days, move.storage_class) for move in found[0].storage_transitions] == [(30, "IA")]
    assert found[1].storage_transitions == []


def test_a_bucket_tells_how_it_encrypts(bucket):
    assert bucket.get_bucket_info().bucket_encryption_rule.sse_algorithm is None, "the SDK reads `None` so"
    bucket.put_bucket_encryption(models.ServerSideEncryptionRule("AES256"))
    assert bucket.get_bucket_info().bucket_encryption_rule.sse_algorithm == "AES256"


def test_an_answer_may_be_damaged_on_its_way(storage, bucket):
    bucket.put_object("a", b"1")
    for how, answer in {"empty": b"", "html": b"<html>", "cut": b"<?xml", "noEnd": b"<?xml"}.items():
        storage.simulator.fault(action="oss:ListObjects", times=1, fault={"kind": "garbled", "how": how})
        listed = bucket.inner._do("GET", bucket.inner.bucket_name, "").read()
        assert listed.startswith(answer) and (how == "noEnd") == listed.endswith(b"</ListBucketResult>"), how
        assert b"<IsTruncated>" not in listed or how == "cut", how


class TestRetention:
    """Retention policies: nobody deletes what they protect."""

    def test_a_policy_is_locked_and_extended(self, bucket):
        refused("NoSuchWORMConfiguration", 404, bucket.get_bucket_worm)
        worm = bucket.init_bucket_worm(1).worm_id
        found = bucket.get_bucket_worm()
        assert (found.worm_id, found.state, found.retention_period_days) == (worm, "InProgress", 1)
        bucket.complete_bucket_worm(worm)
        refused("WORMConfigurationLocked", 403, bucket.abort_bucket_worm)
        bucket.extend_bucket_worm(worm, 3)
        found = bucket.get_bucket_worm()
        assert (found.state, found.retention_period_days) == ("Locked", 3)
        with pytest.raises(oss2.exceptions.ServerError):
            bucket.extend_bucket_worm(worm, 2)

    def test_a_policy_that_is_not_locked_expires(self, storage, bucket):
        bucket.init_bucket_worm(1)
        storage.simulator.step(24 * 3600 + 1)
        assert bucket.get_bucket_worm().state == "Expired"

    def test_a_policy_that_is_not_locked_can_be_given_up(self, bucket):
        bucket.init_bucket_worm(1)
        bucket.abort_bucket_worm()
        refused("NoSuchWORMConfiguration", 404, bucket.get_bucket_worm)

    def test_what_is_protected_stays_until_its_time_is_over(self, storage, bucket):
        bucket.put_object("a", b"1")
        bucket.complete_bucket_worm(bucket.init_bucket_worm(2).worm_id)
        refused("FileImmutable", 409, bucket.delete_object, "a")
        refused("FileImmutable", 409, bucket.put_object, "a", b"2")
        assert bucket.get_object("a").read() == b"1"
        storage.simulator.step(2 * 24 * 3600 + 1)
        bucket.delete_object("a")


LEFT_OUT = {
    "cors": lambda bucket: bucket.get_bucket_cors(),
    "versions": lambda bucket: bucket.put_bucket_versioning(models.BucketVersioningConfig("Enabled")),
    "policy": lambda bucket: bucket.put_bucket_policy("{}"),
    "append": lambda bucket: bucket.append_object("a", 0, b"1"),
    "symlink": lambda bucket: bucket.put_symlink("a", "b"),
    "processing": lambda bucket: bucket.get_object("a", process="image/resize"),
    "an unknown header": lambda bucket: bucket.put_object("a", b"1", headers={"x-oss-colour": "red"}),
}


@pytest.mark.parametrize("call", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_is_left_out_is_refused(storage, bucket, call):
    before = storage.simulator.inventory()
    refused("NotImplemented", 400, call, bucket)
    assert storage.simulator.inventory() == before


def test_the_host_of_a_region_names_its_buckets(storage, redirected):
    host = f"http://oss-cn-shanghai.aliyuncs.com:{storage.simulator.port}"
    bucket = storage.bucket(endpoint=host)
    bucket.create_bucket()
    bucket.put_object("a/b", b"1")
    assert bucket.get_object("a/b").read() == b"1"
    assert storage.bucket().get_object("a/b").read() == b"1"


def test_a_bucket_is_in_one_region(storage, bucket, redirected):
    port = storage.simulator.port
    elsewhere = storage.another(region="cn-beijing").bucket(endpoint=f"http://oss-cn-beijing.aliyuncs.com:{port}")
    error = refused("AccessDenied", 403, elsewhere.get_bucket_info)
    assert error.details["Endpoint"].startswith("oss-cn-shanghai")


TAMPERED = {
    "unknown key": (Key("nobody", "secret"), "InvalidAccessKeyId"),
    "wrong secret": (Key(OTHER_KEY.id, "wrong"), "SignatureDoesNotMatch"),
}


@pytest.mark.parametrize(("key", "code"), TAMPERED.values(), ids=TAMPERED.keys())
def test_credentials_that_are_not_good_are_refused(storage, bucket, key, code):
    refused(code, 403, storage.another(key=key).bucket().get_bucket_info)


def test_temporary_credentials_are_good_until_they_expire(storage, bucket):
    cloud = Cloud(storage.simulator, "new", attempts=storage.attempts)
    role = Make(cloud).role("backup")
    given = cloud.another(key=USER_KEY).sts("AssumeRole", RoleArn=role, RoleSessionName="me", DurationSeconds=900)
    given = given["Credentials"]
    key = Key(given["AccessKeyId"], given["AccessKeySecret"], given["SecurityToken"])
    session = storage.another(key=key).bucket()
    session.put_object("a", b"1")
    assert bucket.get_object("a").read() == b"1"
    refused("InvalidAccessKeyId", 403, storage.another(key=replace(key, token=None)).bucket().get_object, "a")
    refused("InvalidSecurityToken", 403, storage.another(key=replace(key, token="other")).bucket().get_object, "a")
    cloud.step(901)
    refused("SecurityTokenExpired", 403, session.get_object, "a")


def test_a_user_may_do_what_is_allowed_and_nothing_else(storage):
    bucket = storage.another(key=OTHER_KEY).bucket()
    bucket.create_bucket()
    bucket.put_object("a", b"1")
    reader = storage.another(key=READER_KEY).bucket()
    assert reader.get_object("a").read() == b"1"
    refused("AccessDenied", 403, reader.put_object, "a", b"2")
    refused("AccessDenied", 403, reader.delete_object, "a")
    assert bucket.get_object("a").read() == b"1"


def test_a_request_without_a_signature_is_refused(storage, bucket):
    anonymous = oss2.Bucket(oss2.AnonymousAuth(), storage.simulator.url, "backups", region="cn-shanghai")
    refused("AccessDenied", 403, anonymous.get_object, "a")
