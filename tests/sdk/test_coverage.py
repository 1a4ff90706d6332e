"""Every action that is declared was called by an SDK, with success."""


def test_every_action_was_called(running, called):
    declared = {f"{service['code']}:{action['name']}" for service in running.actions() for action in service["actions"]}
    missing = declared - called
    assert not missing, f"no test of services/, which runs before this one, has called {', '.join(sorted(missing))}"
