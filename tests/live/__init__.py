"""The hub, the door and the shell, on a stage: a small house with audiences made up for the tests."""
