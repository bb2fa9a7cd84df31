"""The game as it is written in books: values in, values out; no clock, no chance, no I/O."""
