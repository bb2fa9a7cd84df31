"""What is done with promotions."""
