"""What tests of every area stand on: servers, databases, processes, a browser."""
