"""The cloud calls of the existing Gardener extension for Alibaba Cloud, call by call as it makes them.

Where it waits, a generator yields: five seconds pass then. So tasks that it runs side by side do so here, too.
"""
