"""The waiting lists over REST: who waits, and what the floor does about it."""
