"""One command, from the tap to its answer: the frame around every service of the house."""
