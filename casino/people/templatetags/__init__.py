"""How templates name people."""
