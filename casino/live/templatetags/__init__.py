"""What templates need for live screens."""
