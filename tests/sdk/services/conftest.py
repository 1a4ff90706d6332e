"""The cloud's storage, for each test a fresh world."""

import pytest

from storage import SIGNED, Storage


@pytest.fixture(params=SIGNED)
def storage(simulator, request, attempts):
    """All buckets, by each way to sign."""
    return Storage(simulator, request.param, attempts)


@pytest.fixture
def bucket(storage):
    """A bucket that is there."""
    bucket = storage.bucket()
    bucket.create_bucket()
    return bucket
