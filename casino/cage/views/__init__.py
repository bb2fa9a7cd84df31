"""The cage's screens."""
