"""What templates of other apps need of the doors."""
