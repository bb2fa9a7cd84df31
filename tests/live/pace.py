"""How long a second of the stage's hub is, in seconds."""

SECOND = 0.25
