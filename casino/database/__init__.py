"""PostgreSQL as Django talks to it, and how a connection is known to be there still."""
