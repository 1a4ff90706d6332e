"""How many calls a step makes."""

from collections import Counter


class Counted:
    """The calls of a step, as the simulator counts them, without the probes beyond the first of each wait."""

    def __init__(self, call):
        self.call = call

    def counts(self):
        actions = self.call.simulator.control("GET", "calls/counts")["actions"]
        return Counter({action: sum(count["codes"].values()) for action, count in actions.items()})

    def __enter__(self):
        self.before, self.further, self.waited = self.counts(), self.call.further.copy(), self.call.waited
        return self

    def __exit__(self, *_):
        self.actions = self.counts() - self.before - (self.call.further - self.further)
        self.total = self.actions.total()
        self.seconds = self.call.waited - self.waited
