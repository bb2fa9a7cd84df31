"""Whoever tries the doors: rows that are not theirs, secrets that they guess, texts that nobody should type."""
