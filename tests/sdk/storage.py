"""OSS by its own SDK."""

import oss2
import pytest

from cloud import REGION
from simulator import KEY

# Each way to sign.
SIGNED = {"v1": oss2.AUTH_VERSION_1, "v4": oss2.AUTH_VERSION_4}


class Retried:
    """Calls again what was throttled: OSS says so by 503."""

    def __init__(self, inner, attempts):
        self.inner = inner
        self.attempts = attempts

    def __getattr__(self, name):
        value = getattr(self.inner, name)
        return self.again(value) if callable(value) else value

    def again(self, call):
        def calling(*arguments, **named):
            for attempt in range(self.attempts):
                try:
                    return call(*arguments, **named)
                except oss2.exceptions.ServerError as error:
                    throttled = error.status == 503 or "Throttl" in str(error.code)
                    if not throttled or attempt + 1 == self.attempts:
                        raise

        return calling


class Storage:
    """All buckets, by one way to sign."""

    def __init__(self, simulator, signed, attempts=1, key=KEY, **more):
        self.simulator = simulator
        version = SIGNED[signed]
        if key.token:
            self.auth = oss2.StsAuth(key.id, key.secret, key.token, version)
        else:
            self.auth = oss2.make_auth(key.id, key.secret, version)
        self.signed = signed
        self.attempts = attempts
        self.more = {"region": REGION, **more}

    def service(self):
        return Retried(oss2.Service(self.auth, self.simulator.url, **self.more), self.attempts)

    def bucket(self, name="backups", endpoint=None):
        bucket = oss2.Bucket(self.auth, endpoint or self.simulator.url, name, **self.more)
        return Retried(bucket, self.attempts)

    def another(self, **changes):
        return Storage(self.simulator, self.signed, **{"attempts": self.attempts, **changes})


def refused(code, status, call, *arguments, **named):
    """Asserts that a call is refused, as the SDK's own exception tells."""
    with pytest.raises(oss2.exceptions.ServerError) as caught:
        call(*arguments, **named)
    assert (caught.value.code, caught.value.status) == (code, status)
    assert caught.value.request_id
    return caught.value
