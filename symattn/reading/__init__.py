"""Files to what they state."""
