"""What sentences say in words: sums and measures, lists without brackets, matrices by their rows."""
