"""One command, from the tap to its answer: how every service of the house is carried out."""
