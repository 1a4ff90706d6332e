"""The cloud as a test calls it: `cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")`."""

from contextlib import contextmanager

import pytest

from generations import GENERATIONS, SERVICES
from simulator import KEY

REGION = "cn-shanghai"


class Cloud:
    """All services by one generation of the SDK."""

    def __init__(self, simulator, generation, key=KEY, region=REGION, attempts=1, **more):
        self.simulator = simulator
        self.generation = generation
        self.attempts = attempts
        self.client = GENERATIONS[generation](simulator, key, region, **more)
        self.key = key
        self.region = region
        self.more = more

    def __getattr__(self, service):
        if service not in SERVICES:
            raise AttributeError(service)
        return lambda action, **parameters: self.call(service, action, parameters)

    def call(self, service, action, parameters):
        """Calls an action, again where it was throttled."""
        for attempt in range(self.attempts):
            try:
                return self.client.call(service, action, parameters)
            except self.client.Error as error:
                code, _ = self.client.outcome(error)
                if not code.startswith("Throttling") or attempt + 1 == self.attempts:
                    raise

    def another(self, **changes):
        """The same with another key, region or so."""
        arguments = {"key": self.key, "region": self.region, "attempts": self.attempts, **self.more, **changes}
        return Cloud(self.simulator, self.generation, **arguments)

    @contextmanager
    def refuses(self, code, status):
        """What is done within is refused, as the SDK's own exception tells."""
        with pytest.raises(self.client.Error) as caught:
            yield
        assert self.client.outcome(caught.value) == (code, status)

    def step(self, seconds=None):
        """Lets simulated time pass."""
        self.simulator.step() if seconds is None else self.simulator.step(seconds)
