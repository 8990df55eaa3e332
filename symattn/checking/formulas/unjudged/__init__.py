"""What nobody judges: where its numbers stand, and what is stated in letters alone."""
